package outbound_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
)

// far is a second address of this computer's loopback, which the tests' rule takes for somebody else's.
var far = netip.MustParseAddr("127.0.0.2")

// world is a line with its ledger and its switch.
type world struct {
	*outbound.Line
	closed atomic.Bool

	mu   sync.Mutex
	rows map[string]outbound.Entry
	list []string // ids, in the order in which they came
	told chan struct{}
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{rows: map[string]outbound.Entry{}, told: make(chan struct{}, 1000)}
	var n atomic.Int64
	w.Line = outbound.New(outbound.Options{
		Closed: w.closed.Load, Own: func(a netip.Addr) bool { return a.IsLoopback() && a != far },
		NewID: func() string { return strconv.FormatInt(n.Add(1), 10) },
		Record: func(e outbound.Entry) {
			w.mu.Lock()
			if _, known := w.rows[e.ID]; !known {
				w.list = append(w.list, e.ID)
			}
			w.rows[e.ID] = e
			w.mu.Unlock()
			w.told <- struct{}{}
		},
	})
	return w
}

func (w *world) ledger() (list []outbound.Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range w.list {
		list = append(list, w.rows[id])
	}
	return list
}

// serve stands at an address.
func serve(t *testing.T, at string, handler http.Handler) *httptest.Server {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort(at, "0"))
	if err != nil {
		t.Skipf("%s cannot be listened at here: %v", at, err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

var hello = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = fmt.Fprintf(w, "hello %d", len(body))
})

func get(t *testing.T, c *http.Client, ctx context.Context, address string) (string, error) { //nolint:revive // the client is what is asked
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader("some words"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func refused(t *testing.T, what string, err error) {
	t.Helper()
	if apperr.CodeOf(err) != apperr.NothingLeaves {
		t.Errorf("%s: %v", what, err)
	}
}

// What leaves stands in the ledger: when, where to, for what, how much, and what went along. What stays here does not.
func TestTheLedgerHasWhatLeaves(t *testing.T) {
	w := open(t)
	near, away := serve(t, "127.0.0.1", hello), serve(t, "127.0.0.2", hello)
	c := w.Client(outbound.Way{Room: outbound.RoomPage})
	defer c.CloseIdleConnections()
	ctx := outbound.WithArgs(t.Context(), "main", "job-1", []byte(`{"url":"a b","deep":{"n":[3,"c"]},"none":null}`))
	if text, err := get(t, c, ctx, near.URL); err != nil || text != "hello 10" {
		t.Fatal(text, err)
	}
	if list := w.ledger(); len(list) != 0 {
		t.Fatalf("what stayed here is in the ledger: %+v", list)
	}
	if text, err := get(t, c, ctx, away.URL+"/path?secret=1"); err != nil || text != "hello 10" {
		t.Fatal(text, err)
	}
	list := w.ledger()
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	e := list[0]
	if e.Room != outbound.RoomPage || e.Chat != "main" || e.Job != "job-1" || e.Words != "a b · 3 · c" || e.Outcome != outbound.OutcomeDone || e.Status != 200 ||
		e.Method != "POST" || e.Path != "/path" || "http://"+e.Host != away.URL || "http://"+e.Address != away.URL || e.Net != outbound.NetHouse ||
		e.Sent < 60 || e.Received < 8 || e.Times != 1 || e.At == 0 || e.Last < e.At {
		t.Errorf("%+v", e)
	}
	for range 3 { // alike, and without words of anybody
		if _, err := get(t, c, t.Context(), away.URL); err != nil {
			t.Fatal(err)
		}
	}
	if list := w.ledger(); len(list) != 2 || list[1].Times != 3 || list[1].Words != "" || list[1].Received < 24 {
		t.Errorf("%+v", list)
	}
	if s := w.State(); s.Going != 0 || s.Left.IsZero() || s.Closed {
		t.Errorf("%+v", s)
	}
}

// The switch holds for addresses, names, connections that were open already, and whatever a server leads on to; this computer stays in reach.
func TestTheSwitch(t *testing.T) {
	w := open(t)
	near, away := serve(t, "127.0.0.1", hello), serve(t, "127.0.0.2", hello)
	c := w.Client(outbound.Way{Room: outbound.RoomModels})
	defer c.CloseIdleConnections()
	if _, err := get(t, c, t.Context(), away.URL); err != nil { // leaves a connection behind
		t.Fatal(err)
	}
	before := len(w.ledger())
	w.closed.Store(true)
	for what, address := range map[string]string{
		"an open connection": away.URL, "an address": "http://192.0.2.1:9", "a name": "http://somebody.invalid", "the house": "http://192.168.77.77:1",
		"IPv6": "http://[2001:db8::1]:9",
	} {
		_, err := get(t, c, t.Context(), address)
		refused(t, what, err)
	}
	for _, address := range []string{near.URL, strings.Replace(near.URL, "127.0.0.1", "localhost", 1)} {
		if _, err := get(t, c, t.Context(), address); err != nil {
			t.Errorf("this computer: %v", err)
		}
	}
	_, err := w.Lookup(t.Context(), "somebody.invalid")
	refused(t, "a look-up", err)
	refused(t, "another program", w.Leave(t.Context(), outbound.RoomLink, "example.org"))
	astray := serve(t, "127.0.0.1", http.RedirectHandler(away.URL, http.StatusTemporaryRedirect))
	_, err = get(t, c, t.Context(), astray.URL)
	refused(t, "a redirect", err)
	for _, e := range w.ledger()[before:] {
		if e.Outcome != outbound.OutcomeRefused || e.Code != "nothing_leaves" || e.Sent != 0 || e.Received != 0 {
			t.Errorf("%+v", e)
		}
	}
	if got := len(w.ledger()) - before; got != 6 { // the two to the same address share a row
		t.Errorf("%d rows for what was refused: %+v", got, w.ledger()[before:])
	}
	w.closed.Store(false)
	if _, err := get(t, c, t.Context(), astray.URL); err != nil {
		t.Errorf("open again: %v", err)
	}
}

// Thrown in the middle of a download, the switch ends it: nothing more comes or goes.
func TestTheSwitchInTheMiddle(t *testing.T) {
	w := open(t)
	ended := make(chan struct{})
	away := serve(t, "127.0.0.2", http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		defer close(ended)
		_, _ = io.WriteString(out, "the beginning\n")
		_ = http.NewResponseController(out).Flush()
		<-r.Context().Done() // the client's end of it is gone
	}))
	c := w.Client(outbound.Way{Room: outbound.RoomUpdates})
	defer c.CloseIdleConnections()
	resp, err := c.Get(away.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	from := bufio.NewReader(resp.Body)
	if line, err := from.ReadString('\n'); err != nil || line != "the beginning\n" {
		t.Fatal(line, err)
	}
	if s := w.State(); s.Going != 1 {
		t.Errorf("%+v", s)
	}
	w.closed.Store(true)
	w.Cut()
	_, err = from.ReadString('\n')
	refused(t, "the rest", err)
	<-ended
	list := w.ledger()
	if len(list) != 1 || list[0].Outcome != outbound.OutcomeCut || list[0].Received < 14 {
		t.Errorf("%+v", list)
	}
	if s := w.State(); s.Going != 0 || !s.Closed {
		t.Errorf("%+v", s)
	}
}

// A name that means this computer when it is looked at and another when it is dialed is judged by what is dialed.
func TestANameThatChangesItsMeaning(t *testing.T) {
	w := open(t)
	w.closed.Store(true)
	away := serve(t, "127.0.0.2", hello)
	to, err := url.Parse(away.URL)
	if err != nil {
		t.Fatal(err)
	}
	answers := []string{"127.0.0.1", "127.0.0.2"}
	var asked atomic.Int32
	c := w.Client(outbound.Way{Guard: func(next outbound.Dial) outbound.Dial {
		return func(ctx context.Context, network, _ string) (net.Conn, error) {
			return next(ctx, network, net.JoinHostPort(answers[min(asked.Add(1), 2)-1], to.Port()))
		}
	}})
	defer c.CloseIdleConnections()
	for range 2 {
		_, err = get(t, c, t.Context(), "http://rebinding.example:"+to.Port())
	}
	refused(t, "the second meaning", err)
}

// A client without a line reaches this computer and nothing else.
func TestWithoutALine(t *testing.T) {
	var none *outbound.Line
	near := serve(t, "127.0.0.1", hello)
	c := none.Client(outbound.Way{Proxy: true})
	defer c.CloseIdleConnections()
	if _, err := get(t, c, t.Context(), near.URL); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"http://192.0.2.1:9", "http://somebody.invalid"} {
		_, err := get(t, c, t.Context(), address)
		refused(t, address, err)
	}
	refused(t, "another program", none.Leave(t.Context(), outbound.RoomLink, "example.org"))
	if !none.State().Closed {
		t.Error("it is open")
	}
}

// An address of the machine's own network card is outside by the shop's own rule.
func TestTheMachinesOwnAddress(t *testing.T) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		at, ok := netip.AddrFromSlice(a.(*net.IPNet).IP)
		if at = at.Unmap(); !ok || at.IsLoopback() || !at.Is4() {
			continue
		}
		away := serve(t, at.String(), hello)
		var closed atomic.Bool
		rows := make(chan outbound.Entry, 100) // told where a connection is made, which is not here
		line := outbound.New(outbound.Options{Closed: closed.Load, Record: func(e outbound.Entry) { rows <- e }})
		c := line.Client(outbound.Way{})
		if _, err := get(t, c, t.Context(), away.URL); err != nil {
			t.Error(err)
		}
		if e := <-rows; e.Host != away.Listener.Addr().String() {
			t.Errorf("%+v stands for a request to %s", e, at)
		}
		closed.Store(true)
		_, err := get(t, c, t.Context(), away.URL)
		refused(t, at.String(), err)
		c.CloseIdleConnections()
		return
	}
	t.Skip("this machine has no address but loopback")
}

// A proxy that the environment names leads outside, though it stands on this computer. The environment is read once in a process, so it is one of its own.
func TestAProxyOnThisComputer(t *testing.T) {
	if os.Getenv("OUTBOUND_TEST_PROXY") == "" {
		var asked atomic.Int32
		proxy := serve(t, "127.0.0.1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.IsAbs() || r.Method == http.MethodConnect {
				asked.Add(1)
			}
			hello(w, r)
		}))
		run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAProxyOnThisComputer$", "-test.v")
		run.Env = append(os.Environ(), "OUTBOUND_TEST_PROXY=1", "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if asked.Load() != 1 {
			t.Errorf("the proxy was asked %d times", asked.Load())
		}
		return
	}
	w := open(t)
	c := w.Client(outbound.Way{Room: outbound.RoomWeather, Proxy: true})
	defer c.CloseIdleConnections()
	if _, err := get(t, c, t.Context(), "http://somebody.example/there"); err != nil {
		t.Fatal(err)
	}
	if list := w.ledger(); len(list) != 1 || list[0].Net != outbound.NetProxy || list[0].Host != "somebody.example" || list[0].Outcome != outbound.OutcomeDone {
		t.Errorf("%+v", list)
	}
	w.closed.Store(true)
	_, err := get(t, c, t.Context(), "http://somebody.example/there")
	refused(t, "through the proxy", err)
	plain := w.Client(outbound.Way{}) // one that knows of no proxy and dials where it stands
	_, err = get(t, plain, t.Context(), os.Getenv("HTTP_PROXY"))
	refused(t, "the proxy itself", err)
}

// The standard library's own client is closed in a process that sealed it.
func TestSeal(t *testing.T) {
	kept := http.DefaultTransport
	defer func() { http.DefaultTransport = kept }()
	outbound.Seal()
	near := serve(t, "127.0.0.1", hello)
	if _, err := get(t, http.DefaultClient, t.Context(), near.URL); err != nil {
		t.Error(err)
	}
	_, err := get(t, &http.Client{}, t.Context(), "http://192.0.2.1:9")
	refused(t, "a client of its own", err)
	http.DefaultClient.CloseIdleConnections()
}
