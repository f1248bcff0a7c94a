// Package outbound is the only way out of this computer. Whatever speaks to somebody by the network has its client from here: the line knows
// what leaves, tells it to the ledger, and lets nothing pass while the person has closed it.
package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"agentchat/backend/apperr"
)

// Options say how a line works; the zero value records nothing and is open.
type Options struct {
	// Closed tells whether nothing may leave. It is asked before every connection, and for each piece that an open one carries.
	Closed func() bool
	// Record hears of every request that left, was refused, or failed on its way, once when it begins and once when it is over. It must not wait.
	Record func(Entry)
	// Own tells which addresses are this very computer; nil: loopback alone. What has any other address leaves it, also to the network of the
	// house, and also where the system would not carry it any further.
	Own   func(netip.Addr) bool
	Now   func() time.Time
	NewID func() string
}

// Line is the way out. Safe for concurrent use. A nil line leads nowhere but to this computer, so that whoever was given none can let nothing out.
type Line struct {
	o Options

	mu      sync.Mutex
	conns   map[*conn]struct{} // those that lead outside and are open
	proxies map[string]bool    // where the environment's proxies stand: what goes there leaves, even from a port of this computer
	rows    map[merged]Entry   // rows of the ledger that more of the same is added to
	going   int
	left    time.Time
}

// New makes a line.
func New(o Options) *Line {
	if o.Closed == nil {
		o.Closed = func() bool { return false }
	}
	if o.Record == nil {
		o.Record = func(Entry) {}
	}
	if o.Own == nil {
		o.Own = netip.Addr.IsLoopback
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = func() string { return "" }
	}
	return &Line{o: o, conns: map[*conn]struct{}{}, proxies: map[string]bool{}, rows: map[merged]Entry{}}
}

// Closed tells whether nothing may leave.
func (l *Line) Closed() bool { return l == nil || l.o.Closed() }

// State is what the line knows by itself since the program began.
type State struct {
	Closed bool
	Going  int       // requests that are under way to the outside
	Left   time.Time // when something last left; zero: nothing did
}

// State tells how it stands now.
func (l *Line) State() State {
	if l == nil {
		return State{Closed: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return State{Closed: l.o.Closed(), Going: l.going, Left: l.left}
}

// Cut ends every connection that leads outside. Called when the line was closed, so that what waits for an answer waits no longer.
func (l *Line) Cut() {
	l.mu.Lock()
	open := make([]*conn, 0, len(l.conns))
	for c := range l.conns {
		open = append(open, c)
	}
	l.mu.Unlock()
	for _, c := range open {
		_ = c.Conn.Close() // it says itself that it was cut
	}
}

// Refusal is the error of what may not leave.
func Refusal(where string) error { return apperr.New(apperr.NothingLeaves, "where", where) }

// Refused tells whether an error says that something may not leave.
func Refused(err error) bool { return apperr.CodeOf(err) == apperr.NothingLeaves }

// Leave is asked before another program is sent outside on the shop's behalf: a model server that shall download, a browser that shall open a
// page. It records that, or refuses it. Error: nothing_leaves.
func (l *Line) Leave(ctx context.Context, room Room, where string) error {
	if l == nil {
		return Refusal(where)
	}
	e := l.entry(room, where, causeOf(ctx))
	e.Net = NetOther
	if l.Closed() {
		e.Outcome, e.Code = OutcomeRefused, string(apperr.NothingLeaves)
		l.keep(e)
		return Refusal(where)
	}
	e.Outcome = OutcomeHanded
	l.keep(e)
	return nil
}

// Dial opens a connection.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// dialer gives a way's own dialing: every address is looked at at the very moment before it is connected to, whatever its name meant before.
func (l *Line) dialer(connect time.Duration, control func(network, address string, c syscall.RawConn) error) Dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		far := l.proxy(address)
		way := tripOf(ctx)
		if far {
			way.going(NetProxy, address)
			if l.Closed() {
				return nil, Refusal(address)
			}
		}
		d := net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second, Resolver: l.resolver(), Control: func(network, to string, c syscall.RawConn) error {
			if outside := far || !l.own(to); outside {
				way.going(netOf(to, far), to)
				if l.Closed() {
					return Refusal(address)
				}
			}
			if control != nil && way.direct() {
				return control(network, to, c)
			}
			return nil
		}}
		var made net.Conn
		for _, at := range spelled(host) {
			if made, err = d.DialContext(ctx, network, net.JoinHostPort(at, port)); err == nil {
				break
			}
		}
		if err != nil {
			return nil, l.explain(way, err, address)
		}
		return l.admit(made, far, address)
	}
}

// spelled gives what a host is dialed as. This computer's own name needs nobody to be asked (RFC 6761).
func spelled(host string) []string {
	if host == "localhost" {
		return []string{"127.0.0.1", "::1"}
	}
	return []string{host}
}

// Lookup finds the addresses of a host. While nothing may leave, only what this computer's own list of hosts says is known.
func (l *Line) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	found, err := l.resolver().LookupNetIP(ctx, "ip", host)
	if err != nil {
		err = l.explain(tripOf(ctx), err, host)
	}
	return found, err
}

// resolver asks name servers, which leaves this computer too, only while something may leave.
func (l *Line) resolver() *net.Resolver {
	if !l.Closed() {
		return net.DefaultResolver
	}
	return &net.Resolver{PreferGo: true, Dial: func(_ context.Context, _, address string) (net.Conn, error) { return nil, Refusal(address) }}
}

// explain puts the refusal in place of whatever a refused look-up or connection was called on its way here.
func (l *Line) explain(way *trip, err error, where string) error {
	var lookup *net.DNSError
	unknown := errors.As(err, &lookup)
	if unknown {
		way.going(NetOther, where)
	}
	if l.Closed() && !Refused(err) && (unknown || way.outside()) {
		return errors.Join(Refusal(where), err)
	}
	return err
}

func (l *Line) own(address string) bool {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return false
	}
	if l == nil {
		return at.Addr().Unmap().IsLoopback()
	}
	return l.o.Own(at.Addr().Unmap())
}

func (l *Line) proxy(address string) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.proxies[address]
}

// admit wraps a connection that was made. One that leads outside is known to the line until it is closed; the switch may have been thrown while
// it was being made.
func (l *Line) admit(made net.Conn, far bool, where string) (net.Conn, error) {
	c := &conn{Conn: made, line: l, far: far || !l.own(made.RemoteAddr().String()), where: where}
	if !c.far {
		return c, nil
	}
	if l != nil {
		l.mu.Lock()
		l.conns[c] = struct{}{}
		l.mu.Unlock()
	}
	if l.Closed() {
		_ = c.Close()
		return nil, Refusal(where)
	}
	return c, nil
}

// conn is a connection. What leads outside carries nothing from the moment on in which the line is closed.
type conn struct {
	net.Conn
	line  *Line
	far   bool
	where string
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	if err := c.shut(); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	if cut := c.shut(); cut != nil {
		return 0, cut
	}
	return n, err
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.shut(); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if err != nil {
		if cut := c.shut(); cut != nil {
			return n, cut
		}
	}
	return n, err
}

// Close implements net.Conn.
func (c *conn) Close() error {
	if c.far && c.line != nil {
		c.line.mu.Lock()
		delete(c.line.conns, c)
		c.line.mu.Unlock()
	}
	return c.Conn.Close()
}

// shut ends the connection once nothing may leave any more.
func (c *conn) shut() error {
	if !c.far || !c.line.Closed() {
		return nil
	}
	_ = c.Close()
	return Refusal(c.where)
}

// Local opens a socket of this computer's file system, which leads to a program here and nowhere else.
func Local(ctx context.Context, path string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", path)
}
