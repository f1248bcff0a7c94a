// Package front is the headless protocol: commands come in and events go out, one JSON object a line. It is spoken on standard input and
// output, and by many at a time through a socket in the data folder, all on the same shop.
package front

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/service"
	"agentchat/backend/shop"
)

// maxLine bounds one command line. A longer one is refused whole and the next line is read.
const maxLine = 4 << 20

// front is one session of the headless protocol: it prints events as they happen and answers commands. A command that waits does not
// keep the next one waiting.
type front struct {
	shop    *shop.Shop
	out     *printer
	wg      sync.WaitGroup
	quit    chan struct{}
	once    sync.Once
	printed mark       // of the events
	telling sync.Mutex // held from printing events until showing knows them: whoever has read a line has been shown it
	showing service.Showing
}

func newFront(s *shop.Shop, out io.Writer) *front {
	return &front{shop: s, out: &printer{w: bufio.NewWriterSize(out, 64<<10)}, quit: make(chan struct{})}
}

// Serve is the front on standard input and output, and the door beside it. It runs until quit, the end of input, or ctx ends; then it
// closes the shop and prints what is left. What happened while the shop opened is told too.
func Serve(ctx context.Context, s *shop.Shop, in io.Reader, out io.Writer) {
	door := HangOr(s)
	f := newFront(s, out)
	printed := make(chan struct{})
	reader := s.Bus.SubscribeFrom(1)
	f.ready(0)
	go func() { defer close(printed); f.relay(context.Background(), reader) }() //nolint:gosec // it ends with the stream, so that the last of it is printed
	f.work(ctx, ctx, in)
	door.Close()
	_ = s.Close()
	<-printed
	f.out.flush()
}

// work does what is commanded until quit, the end of input, or ctx ends. What was begun is done in whole: commands run with kept, and only
// those that wait end with ctx.
func (f *front) work(ctx, kept context.Context, in io.Reader) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	go func() { defer close(ended); f.read(ctx, kept, in) }()
	select {
	case <-ended:
	case <-f.quit:
	case <-ctx.Done():
	}
	cancel()
	f.wg.Wait()
}

// ready is the first line. Events follow from behind seq on.
func (f *front) ready(seq uint64) {
	c := f.shop.Config.Get()
	p := f.shop.Provider()
	data, _ := json.Marshal(event.Ready{
		Version: about.Version, Provider: p.Provider, Model: p.Model, Workers: c.Workers, DataDir: c.DataDir, Seq: seq,
	})
	f.out.print(unnumbered{Time: now(), Kind: event.KindReady, Data: data})
	f.out.flush()
}

// refuse says why there is no session.
func (f *front) refuse(why *apperr.Error) {
	data, _ := json.Marshal(event.Error{Code: string(why.Code), Message: why.Text(f.shop.Config.Get().Lang), Fields: why.Fields})
	f.out.print(unnumbered{Time: now(), Kind: event.KindError, Data: data})
	f.out.flush()
}

// relay prints every envelope until the bus closes or ctx ends. A reader that fell too far behind is told, and given a snapshot to
// start over from.
func (f *front) relay(ctx context.Context, r *event.Reader) {
	defer f.printed.reach(end)
	for {
		batch, err := r.Next(ctx, 1024)
		switch {
		case errors.Is(err, event.ErrLagged):
			seq := f.shop.Bus.Seq()
			snap, err := f.shop.Snapshot(ctx)
			if err == nil {
				data, _ := json.Marshal(snap)
				f.out.print(unnumbered{Time: now(), Kind: "snapshot", Data: data})
				f.showing.All(snap.Service, snap.Seq)
			}
			f.printed.reach(seq) // the snapshot stands for them
		case err != nil:
			return
		}
		f.tell(batch)
		if n := len(batch); n > 0 {
			f.printed.reach(batch[n-1].Seq)
		}
	}
}

// tell prints events, and notes what they show.
func (f *front) tell(batch []event.Envelope) {
	f.telling.Lock()
	defer f.telling.Unlock()
	for _, env := range batch {
		f.out.print(env)
	}
	f.out.flush()
	for _, env := range batch {
		f.showing.Told(env)
	}
}

// read takes commands line by line.
func (f *front) read(ctx, kept context.Context, in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for ctx.Err() == nil {
		line, err := readLine(r)
		if errors.Is(err, errTooLong) {
			f.reply(nil, nil, apperr.New(apperr.BadCommand, "detail", "the line is longer than 4 MiB"))
			continue
		}
		if len(bytes.TrimSpace(line)) > 0 {
			f.command(ctx, kept, line)
		}
		if err != nil {
			return
		}
		select {
		case <-f.quit:
			return
		default:
		}
	}
}

var errTooLong = errors.New("line too long")

// readLine reads up to the next newline; of a line that is too long it reads the rest and forgets it.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
			long = len(line) > maxLine
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || len(line) > 0):
			if err == nil {
				return nil, errTooLong
			}
			return nil, errTooLong
		default:
			return line, err
		}
	}
}

type unnumbered struct {
	Time string          `json:"time"`
	Kind event.Kind      `json:"kind"`
	Data json.RawMessage `json:"data"`
}

type reply struct {
	ID     json.RawMessage `json:"id,omitempty"`
	OK     bool            `json:"ok"`
	Result any             `json:"result,omitempty"`
	Error  *event.Error    `json:"error,omitempty"`
}

func (f *front) reply(id json.RawMessage, result any, err error) {
	r := reply{ID: id, OK: err == nil, Result: result}
	if err != nil {
		e := apperr.From(err)
		r.Result = nil
		r.Error = &event.Error{Code: string(e.Code), Message: e.Text(f.shop.Config.Get().Lang), Fields: e.Fields}
		if e.Code == apperr.Internal {
			log := f.shop.Log.Component("headless")
			log.Error().Err(err).Msg("command failed")
		}
	}
	data, merr := json.Marshal(r)
	if merr != nil {
		f.reply(id, nil, merr)
		return
	}
	f.out.print(unnumbered{Time: now(), Kind: event.KindReply, Data: data})
	f.out.flush()
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

// printer writes whole lines. Safe for concurrent use.
type printer struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func (p *printer) print(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		return // envelopes and replies hold JSON already; nothing in them can fail to encode
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.w.Write(append(data, '\n'))
}

func (p *printer) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.w.Flush()
}
