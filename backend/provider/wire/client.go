package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/text/transform"

	"agentchat/backend/outbound"
)

// Bounds of what a service may send.
const (
	maxLine = 1 << 20  // one line of a stream
	maxBody = 64 << 20 // one response
)

// ErrTooMuch is wrapped by the read errors of a response that is too long, or has too long a line.
var ErrTooMuch = errors.New("the service sent too much")

// NewClient is an HTTP client whose streaming responses are bounded and safe to decode, and which follows no redirect: a
// request goes to the address that was set and nowhere else. It goes by the line; base takes its place, for tests.
func NewClient(base *http.Client, line *outbound.Line) *http.Client {
	if base == nil {
		base = line.Client(outbound.Way{Room: outbound.RoomModels, Proxy: true, Shape: func(t *http.Transport) { t.MaxIdleConnsPerHost = 4 }})
	}
	client := *base
	client.Transport = guardian{client.Transport}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// Keyed is a client that sends a key with every request, as long as key gives one; nil: the client as it is.
func Keyed(client *http.Client, key func(context.Context) string) *http.Client {
	if key == nil {
		return client
	}
	keyed := *client
	keyed.Transport = bearer{client.Transport, key}
	return &keyed
}

// bearer shows a key at the door.
type bearer struct {
	next http.RoundTripper
	key  func(context.Context) string
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	if key := strings.TrimSpace(b.key(req.Context())); key != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return b.next.RoundTrip(req)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (b bearer) CloseIdleConnections() { closeIdle(b.next) }

func closeIdle(next http.RoundTripper) {
	if c, ok := next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// guardian puts a guard before every response.
type guardian struct{ next http.RoundTripper }

func (g guardian) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	note := noteOf(req.Context())
	note.header(resp.Header)
	// One JSON document may be one long line.
	lines := !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json")
	resp.Body = guarded{transform.NewReader(&meter{from: resp.Body, lines: lines, note: note}, escape{}), resp.Body}
	return resp, nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (g guardian) CloseIdleConnections() { closeIdle(g.next) }

type guarded struct {
	io.Reader
	io.Closer
}

// meter counts what passes, in all and since the last line break.
type meter struct {
	from       io.Reader
	lines      bool
	line, body int
	note       *note
}

func (m *meter) Read(p []byte) (n int, err error) {
	defer func() { m.note.read(err) }()
	n, err = m.from.Read(p)
	for _, c := range p[:n] {
		if m.line++; c == '\n' {
			m.line = 0
		}
		if m.lines && m.line > maxLine {
			return 0, fmt.Errorf("%w: a line of more than %d bytes", ErrTooMuch, maxLine)
		}
	}
	if m.body += n; m.body > maxBody {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooMuch, maxBody)
	}
	return n, err
}
