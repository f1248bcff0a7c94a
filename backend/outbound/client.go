package outbound

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"agentchat/backend/apperr"
)

// Way is how a room goes out.
type Way struct {
	Room    Room
	Connect time.Duration // how long a connection may take; 0: half a minute
	// Proxy has it go through the proxies that the environment names.
	Proxy bool
	// LastWord has the client hear why the other side does not take its key, which in TLS 1.3 may be lost with the connection.
	LastWord bool
	// Guard stands before the dialing and may look a host up itself; nil: nobody does.
	Guard func(next Dial) Dial
	// Control is asked about the very address before it is connected to, but for that of a proxy that the request goes through; nil: nobody is.
	Control func(network, address string, c syscall.RawConn) error
	// Shape sets bounds and times of the transport; how it connects stays the line's.
	Shape func(*http.Transport)
}

// Client makes the client of a room. It follows redirects as any client does, each of which is a request of its own.
func (l *Line) Client(w Way) *http.Client {
	t := &http.Transport{TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second}
	if w.Shape != nil {
		w.Shape(t)
	}
	if w.Connect == 0 {
		w.Connect = 30 * time.Second
	}
	t.DialContext = l.dialer(w.Connect, w.Control)
	if w.Guard != nil {
		t.DialContext = w.Guard(t.DialContext)
	}
	t.DialTLSContext, t.DialTLS, t.Dial = nil, nil, nil //nolint:staticcheck // whoever shaped it set none
	if w.LastWord {
		t.DialTLSContext = secure(t)
	}
	t.Proxy = nil
	if w.Proxy {
		t.Proxy = l.viaProxy
	}
	return &http.Client{Transport: &gate{line: l, room: w.Room, next: t}}
}

// Proxied tells whether a way with Proxy sends a request through a proxy.
func Proxied(r *http.Request) bool {
	to, err := http.ProxyFromEnvironment(r)
	return to != nil && err == nil
}

// viaProxy is the environment's proxy for a request. Its address counts as outside from then on.
func (l *Line) viaProxy(r *http.Request) (*url.URL, error) {
	to, err := http.ProxyFromEnvironment(r)
	if to == nil || err != nil {
		return to, err
	}
	tripOf(r.Context()).through(to.Host)
	if l.Closed() {
		return nil, Refusal(r.URL.Host)
	}
	port := to.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[to.Scheme]
	}
	l.mu.Lock()
	l.proxies[net.JoinHostPort(to.Hostname(), port)] = true
	l.mu.Unlock()
	return to, nil
}

// gate is where a request passes: it sees whether it leads outside, counts and tells the ledger.
type gate struct {
	line *Line
	room Room
	next *http.Transport
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (g *gate) CloseIdleConnections() { g.next.CloseIdleConnections() }

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	way := &trip{line: g.line}
	if g.line != nil {
		way.entry = g.line.entry(g.room, req.URL.Host, causeOf(req.Context()))
		way.entry.Method, way.entry.Path = req.Method, req.URL.EscapedPath()
		way.entry.Sent = head(req)
	}
	ctx := context.WithValue(req.Context(), tripKey{}, way)
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { way.got(got.Conn) }}))
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = &counted{ReadCloser: req.Body, add: way.sent}
		if again := req.GetBody; again != nil {
			req.GetBody = func() (io.ReadCloser, error) {
				body, err := again()
				if err != nil {
					return nil, err
				}
				return &counted{ReadCloser: body, add: way.sent}, nil
			}
		}
	}
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, way.over(err)
	}
	way.answered(resp)
	resp.Body = &counted{ReadCloser: resp.Body, add: way.received, end: way.over}
	return resp, nil
}

// head is about how many bytes of a request come before its body.
func head(r *http.Request) int64 {
	n := len(r.Method) + len(r.URL.RequestURI()) + len(r.URL.Host) + len("  HTTP/1.1\r\nHost: \r\n\r\n")
	for name, all := range r.Header {
		for _, v := range all {
			n += len(name) + len(v) + 4
		}
	}
	return int64(n)
}

// counted counts what is read and tells how it ended, once.
type counted struct {
	io.ReadCloser
	add func(int)
	end func(error) error
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.add(n)
	if err != nil && c.end != nil {
		if ended := c.end(err); !errors.Is(err, io.EOF) {
			err = ended
		}
	}
	return n, err
}

// Close implements io.Closer.
func (c *counted) Close() error {
	err := c.ReadCloser.Close()
	if c.end != nil {
		_ = c.end(io.EOF)
	}
	return err
}

type tripKey struct{}

func tripOf(ctx context.Context) *trip {
	way, _ := ctx.Value(tripKey{}).(*trip)
	return way
}

// trip is one request on its way. A nil one is nobody's: it forgets what it is told.
type trip struct {
	line *Line

	mu      sync.Mutex
	entry   Entry
	proxied bool // through a proxy
	out     bool // it leads outside, or tried to
	live    bool // it has a connection there
	ended   bool
}

// going notes that the request is about to leave.
func (t *trip) going(to Net, address string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live {
		return // what another connection that is tried beside it does changes nothing
	}
	if t.out = true; t.entry.Net != NetProxy {
		t.entry.Net = to
	}
	t.entry.Address = address
}

// through notes that the request goes through a proxy.
func (t *trip) through(address string) {
	if t == nil {
		return
	}
	t.going(NetProxy, address)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.proxied = true
}

// direct tells whether nobody is sent in the shop's place.
func (t *trip) direct() bool {
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.proxied
}

func (t *trip) outside() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out
}

// got notes the connection that carries the request, which may be one that was open already.
func (t *trip) got(c net.Conn) {
	if over, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
		c = over.NetConn()
	}
	address := c.RemoteAddr().String()
	ours, ok := c.(*conn)
	far := ok && ours.far || !ok && !t.line.own(address)
	if !far || t.line == nil {
		return
	}
	t.line.mu.Lock()
	proxied := ok && t.line.proxies[ours.where]
	t.line.mu.Unlock()
	t.mu.Lock()
	if t.live || t.ended {
		t.mu.Unlock()
		return
	}
	t.out, t.live = true, !t.line.Closed() // a connection that is still open carries nothing any more
	t.entry.Address, t.entry.Net = address, netOf(address, proxied)
	t.entry.Outcome = OutcomeGoing
	e, live := t.entry, t.live
	t.mu.Unlock()
	if !live {
		return
	}
	t.line.mu.Lock()
	t.line.going++
	t.line.left = t.line.o.Now()
	t.line.mu.Unlock()
	if e.Words != "" { // whatever else becomes of it, that these words left is written down
		t.line.o.Record(e)
	}
}

func (t *trip) sent(n int) {
	t.mu.Lock()
	t.entry.Sent += int64(n)
	t.mu.Unlock()
}

func (t *trip) received(n int) {
	t.mu.Lock()
	t.entry.Received += int64(n)
	t.mu.Unlock()
}

func (t *trip) answered(r *http.Response) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entry.Status = r.StatusCode
	for name, all := range r.Header {
		for _, v := range all {
			t.entry.Received += int64(len(name) + len(v) + 4)
		}
	}
}

// over notes how the request ended, and gives the error that says so. Only the first end counts.
func (t *trip) over(err error) error {
	closed := t.line.Closed()
	t.mu.Lock()
	cut := t.out && !errors.Is(err, io.EOF) && (Refused(err) || closed && !errors.Is(err, context.Canceled))
	if cut && !Refused(err) {
		err = errors.Join(Refusal(t.entry.Host), err)
	}
	if t.ended || !t.out || t.line == nil {
		t.ended = true
		t.mu.Unlock()
		return err
	}
	t.ended = true
	switch {
	case cut && !t.live:
		t.entry.Outcome, t.entry.Sent, t.entry.Code = OutcomeRefused, 0, string(apperr.NothingLeaves)
	case cut:
		t.entry.Outcome, t.entry.Code = OutcomeCut, string(apperr.NothingLeaves)
	case errors.Is(err, io.EOF) && t.entry.Status != 0:
		t.entry.Outcome = OutcomeDone
	default:
		t.entry.Outcome = OutcomeFailed
		if !t.live {
			t.entry.Sent = 0 // it got no further than knocking
		}
	}
	e, live := t.entry, t.live
	t.mu.Unlock()
	if live {
		t.line.mu.Lock()
		t.line.going--
		t.line.mu.Unlock()
	}
	t.line.keep(e)
	return err
}

// Seal takes the standard library's own way out away from the whole process: whatever forgot to ask for a client of the line reaches this computer
// alone. The programs call it when they begin.
func Seal() {
	var nowhere *Line
	http.DefaultTransport = nowhere.Client(Way{}).Transport
}

// Where is an address in few words, for a sentence or a row of the ledger: its host.
func Where(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	host, _, _ := strings.Cut(address, "/")
	return host
}
