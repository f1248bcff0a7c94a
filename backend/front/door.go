package front

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/door"
	"agentchat/backend/shop"
)

// Where the door is: a folder of its own in the data folder, which only its owner can enter.
const (
	Folder     = "door"
	socketName = "front.sock"
	guestName  = "mcp.sock"
	inputs     = "input-" // what callers leave to be attached; see Input
)

// Bounds of what callers may take.
const (
	mostFronts = 32              // at a time
	patience   = 5 * time.Second // for a caller to read what it was sent, which is tried twice
)

// Dial calls the shop that is open on a data folder. It fails where none is.
func Dial(dataDir string) (net.Conn, error) {
	return door.Dial(filepath.Join(dataDir, Folder), socketName)
}

// DialGuest calls the door for guests, which begins with a Hello.
func DialGuest(dataDir string) (net.Conn, error) {
	return door.Dial(filepath.Join(dataDir, Folder), guestName)
}

// Door lets other programs of the same person in, each as a front of its own. A nil Door does nothing.
type Door struct {
	shop     *shop.Shop
	listener net.Listener
	guests   net.Listener
	patience time.Duration
	room     chan struct{}
	inside   inside
	open     context.Context //nolint:containedctx // ends when the door closes
	shut     context.CancelFunc
	over     sync.WaitGroup // of those that let in
}

// HangOr is Hang, which goes on without a door where there can be none: that is written in the log.
func HangOr(s *shop.Shop) *Door {
	d, err := Hang(s)
	if err != nil {
		s.Settled(true)
		log := s.Log.Component("front")
		log.Warn().Err(err).Msg("other programs cannot reach the shop")
	}
	return d
}

// Hang opens the door of a shop, whose data folder nobody else has.
func Hang(s *shop.Shop) (*Door, error) { return hang(s, patience) }

func hang(s *shop.Shop, wait time.Duration) (*Door, error) {
	dir := filepath.Join(s.Config.Get().DataDir, Folder)
	if err := door.Own(dir); err != nil {
		return nil, err
	}
	sweep(dir)
	l, err := door.Listen(dir, socketName)
	if err != nil {
		return nil, err
	}
	g, err := door.Listen(dir, guestName)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	d := &Door{shop: s, listener: l, guests: g, patience: wait, room: make(chan struct{}, mostFronts)}
	d.open, d.shut = context.WithCancel(context.Background())
	d.over.Go(func() { d.answer(l, d.serve) })
	d.over.Go(func() { d.answer(g, d.serveGuest) })
	s.Settled(true)
	return d, nil
}

func (d *Door) answer(l net.Listener, serve func(net.Conn)) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case d.room <- struct{}{}:
		default:
			f := newFront(d.shop, &impatient{Conn: conn, wait: time.Second}) // a line fits into any socket
			f.refuse(apperr.New(apperr.TooManyFronts, "limit", mostFronts))
			_ = conn.Close()
			continue
		}
		d.inside.enter()
		go func() {
			defer d.inside.leave()
			defer func() { <-d.room }()
			serve(conn)
		}()
	}
}

// serve is one caller's session. What it had sent is done, also when it is gone by then.
func (d *Door) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithCancel(d.open)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	f := newFront(d.shop, &impatient{Conn: conn, wait: d.patience})
	seq := d.shop.Bus.Seq()
	reader := d.shop.Bus.SubscribeFrom(seq + 1)
	f.ready(seq)
	printed := make(chan struct{})
	go func() { defer close(printed); f.relay(ctx, reader) }()
	f.work(ctx, d.open, conn)
	cancel()
	<-printed
	f.out.flush()
}

// Wait returns when no caller is there any more, or with the context's error.
func (d *Door) Wait(ctx context.Context) error {
	if d == nil {
		return nil
	}
	select {
	case <-d.inside.none():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close lets nobody in any more, and ends the sessions of those who are there.
func (d *Door) Close() {
	if d == nil {
		return
	}
	d.admitNobody()
	d.shut()
	<-d.inside.none()
}

// admitNobody lets nobody in any more. Who is there stays.
func (d *Door) admitNobody() {
	d.shop.Settled(false)
	_ = d.listener.Close()
	_ = d.guests.Close()
	d.over.Wait()
}

// inside counts callers. A sync.WaitGroup may not be waited for while the first of a new group comes in, which is any time here.
type inside struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // closed when the last goes; nil: nobody was there yet
}

func (i *inside) enter() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.n++; i.n == 1 {
		i.empty = make(chan struct{})
	}
}

func (i *inside) leave() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.n--; i.n == 0 {
		close(i.empty)
	}
}

// none is closed when nobody is there that was there when it was asked for.
func (i *inside) none() <-chan struct{} {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.empty == nil {
		i.empty = make(chan struct{})
		close(i.empty)
	}
	return i.empty
}

// impatient is a caller's way out. One that does not read is cut off, so that nobody waits for it.
type impatient struct {
	net.Conn
	wait time.Duration
}

// Write implements io.Writer. Time that passed before anything was tried is this program's own: it is tried once more.
func (c *impatient) Write(p []byte) (done int, err error) {
	for range 2 {
		if err := c.SetWriteDeadline(time.Now().Add(c.wait)); err != nil {
			return done, err
		}
		var n int
		n, err = c.Conn.Write(p[done:])
		done += n
		if late, ok := errors.AsType[net.Error](err); !ok || !late.Timeout() { // of one that is gone, what it had sent is still read
			return done, err
		}
	}
	_ = c.Close()
	return done, err
}
