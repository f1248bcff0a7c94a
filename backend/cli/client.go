package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/front"
	"agentchat/backend/lock"
)

// How long a command tries to reach a shop that is open and has no door it could come in by, and how often it tries. One that is just being opened or
// closed by another is waited for as long as that takes.
const (
	reachFor = 10 * time.Second
	reachGap = 100 * time.Millisecond
)

// line is one line of the shop's.
type line struct {
	Seq  uint64          `json:"seq"`
	Kind event.Kind      `json:"kind"`
	Chat string          `json:"chat"`
	Job  string          `json:"job"`
	Data json.RawMessage `json:"data"`
	raw  []byte
}

// reply is what a command of the protocol was answered.
type reply struct {
	ID     int             `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  event.Error     `json:"error"`
}

// refusal is an error that the shop answered, in its own words.
type refusal struct{ said event.Error }

// Error implements error.
func (e refusal) Error() string { return e.said.Message }

// errGone says that the shop closed, or let go of this front.
var errGone = errors.New("cli: the shop is gone")

// client is one front of the shop. What the shop sends is read at once, however long a person takes, so that it never waits for this.
type client struct {
	conn  net.Conn
	ready event.Ready
	next  int

	mu    sync.Mutex
	lines []line
	err   error
	news  chan struct{} // holds one when there is something
}

// connect reaches the shop, or opens one, which is given back to be closed at the end.
func (r *run) connect(ctx context.Context) (*client, Opened, error) {
	late := time.NewTimer(reachFor)
	defer late.Stop()
	for {
		c, err := dial(r.dataDir)
		if err == nil {
			return c, nil, nil
		}
		if _, said := errors.AsType[*apperr.Error](err); said {
			return nil, nil, err
		}
		opened, err := r.Open(ctx, r.settings)
		if err == nil {
			if c, err = dial(r.dataDir); err == nil {
				return c, opened, nil
			}
			opened.Close(ctx)
			return nil, nil, apperr.Wrap(err, apperr.StorageFailed)
		}
		if apperr.CodeOf(err) != apperr.AlreadyRunning {
			return nil, nil, err
		}
		if apperr.From(err).Fields[lock.FieldSettled] != true { // another is just opening or closing it
			late.Reset(reachFor)
		}
		select {
		case <-time.After(reachGap):
		case <-late.C:
			return nil, nil, err
		case <-ctx.Done():
			return nil, nil, err
		}
	}
}

// dial comes in at the door of a data folder's shop.
func dial(dataDir string) (*client, error) {
	conn, err := front.Dial(dataDir)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, news: make(chan struct{}, 1)}
	in := bufio.NewReaderSize(conn, 64<<10)
	first, err := read(in)
	switch {
	case err != nil:
	case first.Kind == event.KindError:
		var e event.Error
		if err = json.Unmarshal(first.Data, &e); err == nil {
			err = apperr.New(apperr.Code(e.Code), pairs(e.Fields)...)
		}
	default:
		err = json.Unmarshal(first.Data, &c.ready)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	go c.follow(in)
	return c, nil
}

func pairs(fields map[string]any) (list []any) {
	for k, v := range fields {
		list = append(list, k, v)
	}
	return list
}

func read(in *bufio.Reader) (l line, err error) {
	text, err := in.ReadBytes('\n')
	if err != nil {
		return l, err
	}
	l.raw = text
	return l, json.Unmarshal(text, &l)
}

// heard are the kinds that a command looks at; of the others nothing is kept.
var heard = map[event.Kind]bool{
	event.KindReply: true, event.KindChatMessage: true, event.KindChatToken: true, event.KindTurnDone: true, event.KindJobCreated: true,
	event.KindJobState: true, event.KindJobReport: true, event.KindAskOpened: true, event.KindAskClosed: true, event.KindError: true, "snapshot": true,
}

func (c *client) follow(in *bufio.Reader) {
	for {
		l, err := read(in)
		c.mu.Lock()
		if err != nil {
			c.err = errGone
		} else if heard[l.Kind] {
			c.lines = append(c.lines, l)
		}
		c.mu.Unlock()
		background.Wake(c.news)
		if err != nil {
			return
		}
	}
}

// take gives the next line, if there is one.
func (c *client) take() (l line, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 {
		return l, false, c.err
	}
	l = c.lines[0]
	c.lines = c.lines[1:]
	return l, true, nil
}

// send writes a command and gives its id.
func (c *client) send(cmd string, fields map[string]any) (int, error) {
	c.next++
	whole := map[string]any{"cmd": cmd, "id": c.next}
	maps.Copy(whole, fields)
	data, err := json.Marshal(whole)
	if err != nil {
		return 0, err
	}
	if _, err = c.conn.Write(append(data, '\n')); err != nil {
		return 0, errGone
	}
	return c.next, nil
}

// do sends a command, waits for its reply and reads the result into v, which may be nil. What else comes meanwhile waits behind.
func (c *client) do(ctx context.Context, cmd string, fields map[string]any, v any) error {
	id, err := c.send(cmd, fields)
	if err != nil {
		return err
	}
	var aside []line
	defer func() {
		c.mu.Lock()
		c.lines = append(aside, c.lines...)
		if len(c.lines) > 0 || c.err != nil {
			background.Wake(c.news)
		}
		c.mu.Unlock()
	}()
	for {
		l, ok, err := c.take()
		switch {
		case err != nil:
			return err
		case !ok:
			select {
			case <-c.news:
			case <-ctx.Done():
				return ctx.Err()
			}
			continue
		}
		var a reply
		if l.Kind != event.KindReply || json.Unmarshal(l.Data, &a) != nil || a.ID != id {
			aside = append(aside, l)
			continue
		}
		if !a.OK {
			return refusal{a.Error}
		}
		if v == nil {
			return nil
		}
		return json.Unmarshal(a.Result, v)
	}
}

func (c *client) close() { _ = c.conn.Close() }

// at does one thing as a front of the shop, and gives how the command ended.
func (r *run) at(ctx context.Context, do func(*client) int) int {
	c, opened, err := r.connect(ctx)
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return LeftOff
		}
		_ = r.failed(err)
		return NoShop
	}
	defer func() {
		c.close()
		if opened != nil {
			opened.Close(ctx)
		}
	}()
	return do(c)
}

// trouble says why something of a front did not work.
func (r *run) trouble(ctx context.Context, err error) int {
	e, refused := errors.AsType[refusal](err)
	switch {
	case refused:
		r.tell(apperr.Code(e.said.Code), e.said.Message, e.said.Fields)
		return Failed
	case ctx.Err() != nil:
		return LeftOff
	case errors.Is(err, errGone), errors.Is(err, io.EOF):
		r.note("가게가 닫혔어요. 맡긴 일은 적혀 있고, 가게가 다시 열리면 이어져요.", "The shop has closed. What you asked for is written down and goes on when it is open again.")
		return GoesOn
	}
	return r.failed(err)
}
