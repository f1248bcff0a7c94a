package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// How much of the world's time and words one page may take.
const (
	maxBody   = 4 << 20  // bytes, unpacked
	maxShown  = 12 << 20 // bytes of a picture
	maxHeader = 64 << 10 // bytes
	maxHops   = 5
	connectIn = 10 * time.Second
	wholeIn   = 30 * time.Second
)

// Options say how pages are reached. All but the line are for tests.
type Options struct {
	// Line is the way out; nil leads nowhere.
	Line *outbound.Line
	// Lookup finds the addresses of a host; nil asks the system.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Connect opens a connection to an address that was found to be public; nil connects to it, and looks once more at where to.
	Connect func(ctx context.Context, network, address string) (net.Conn, error)
	// Within bounds the whole of a call; 0: half a minute.
	Within time.Duration
}

// errand is what a fetcher goes for.
type errand struct {
	room   outbound.Room
	agent  string // the reason in its User-Agent
	accept string
	most   int         // bytes, unpacked
	failed apperr.Code // when it comes back with nothing
}

var pages = errand{
	outbound.RoomPage, "reads one page for a person", "text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.8, */*;q=0.1", maxBody, apperr.PageFailed,
}

// fetcher gets pages, or pictures. It has no memory: no cookies, no credentials, no kept connections, and it asks no proxy.
type fetcher struct {
	errand
	o      Options
	client *http.Client
}

func newFetcher(o Options, e errand) *fetcher {
	if o.Lookup == nil {
		o.Lookup = o.Line.Lookup
	}
	if o.Within == 0 {
		o.Within = wholeIn
	}
	f := &fetcher{errand: e, o: o}
	f.client = o.Line.Client(outbound.Way{
		Room: e.room, Connect: connectIn, Control: control,
		Guard: func(next outbound.Dial) outbound.Dial {
			if f.o.Connect == nil {
				f.o.Connect = next
			}
			return f.dial
		},
		Shape: func(t *http.Transport) {
			t.DisableKeepAlives = true
			t.TLSHandshakeTimeout, t.ResponseHeaderTimeout, t.MaxResponseHeaderBytes = connectIn, wholeIn, maxHeader
		},
	})
	f.client.CheckRedirect = func(request *http.Request, via []*http.Request) error {
		if len(via) > maxHops {
			return refused(request.URL.Redacted(), tooManyHops)
		}
		request.Header.Del("Referer") // where one came from is nobody's business
		return check(request.URL)
	}
	return f
}

// dial looks a host up once and connects to what was found, so that a name cannot mean one address when it is checked and another
// when it is used. One address that is not public spoils the name.
func (f *fetcher) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	var found []netip.Addr
	if a, err := netip.ParseAddr(host); err == nil {
		found = []netip.Addr{a}
	} else if found, err = f.o.Lookup(ctx, host); err != nil {
		return nil, err
	}
	for i, a := range found {
		if a.Is4In6() { // as the system's resolver may spell an IPv4 address
			found[i] = a.Unmap()
		}
		if !Public(found[i]) {
			return nil, errInside{a.String()}
		}
	}
	err = fmt.Errorf("no address for %s", host)
	for _, a := range found {
		var conn net.Conn
		if conn, err = f.o.Connect(ctx, network, net.JoinHostPort(a.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// answer is what a server sent: at most as many bytes of it as its errand may have.
type answer struct {
	url  *url.URL // after redirects
	kind string   // its Content-Type
	body []byte
	cut  bool
}

// get fetches an address that Read took. Errors: address_refused, page_failed, offline, timeout, or that of ctx.
func (f *fetcher) get(ctx context.Context, u *url.URL) (answer, error) {
	limited, cancel := context.WithTimeout(ctx, f.o.Within)
	defer cancel()
	a, err := f.ask(limited, u)
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case limited.Err() != nil:
		return a, apperr.Wrap(err, apperr.Timeout)
	}
	return a, f.explain(u, err)
}

func (f *fetcher) ask(ctx context.Context, u *url.URL) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, refused(u.Redacted(), badAddress)
	}
	request.Header.Set("User-Agent", "AgentChat/1 ("+f.agent+")")
	request.Header.Set("Accept", f.accept)
	request.Header.Set("Accept-Language", "ko, en;q=0.8")
	response, err := f.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return answer{}, f.nothing(response.Request.URL, bilingual.Text{
			KO: fmt.Sprintf("서버가 %d로 답했어요", response.StatusCode), EN: fmt.Sprintf("the server answered %d", response.StatusCode),
		})
	}
	a := answer{url: response.Request.URL, kind: response.Header.Get("Content-Type")}
	if a.body, err = io.ReadAll(io.LimitReader(response.Body, int64(f.most)+1)); err != nil {
		return answer{}, err
	}
	if a.cut = len(a.body) > f.most; a.cut {
		a.body = a.body[:f.most]
	}
	return a, nil
}

func failed(u *url.URL, why bilingual.Text) error {
	return apperr.New(apperr.PageFailed, "url", short(u.Redacted()), "why", why)
}

// nothing is the error of an errand that brought nothing.
func (f *fetcher) nothing(u *url.URL, why bilingual.Text) error {
	return apperr.New(f.failed, "url", short(u.Redacted()), "why", why)
}

// explain turns what a client says into a sentence for people.
func (f *fetcher) explain(u *url.URL, err error) error {
	var known *apperr.Error
	var private errInside
	var lookup *net.DNSError
	var dial *net.OpError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &private):
		return apperr.Wrap(err, apperr.AddressRefused, "url", short(u.Redacted()), "why", notPublic)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return apperr.Wrap(err, f.failed, "url", short(u.Redacted()), "why", bilingual.Text{KO: "그런 이름의 서버가 없어요", EN: "there is no server of that name"})
	case errors.As(err, &lookup), errors.As(err, &dial) && dial.Op == "dial":
		return apperr.Wrap(err, apperr.Offline, "what", short(u.Redacted()))
	}
	return apperr.Wrap(err, f.failed, "url", short(u.Redacted()), "why", bilingual.Text{KO: "서버와 이야기하다가 끊겼어요", EN: "the exchange with the server broke off"})
}
