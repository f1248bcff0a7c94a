package shop_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

// abroad opens a shop for which every address but 127.0.0.1 is outside, and a server at 127.0.0.2.
func abroad(t *testing.T, handler http.HandlerFunc) (*customer, *httptest.Server) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("127.0.0.2 cannot be listened at here: %v", err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	server.Start()
	t.Cleanup(server.Close)
	o := options(t.TempDir())
	o.Own = func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") }
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return c, server
}

const searchAnswer = `{"query": "q", "results": [{"url": "https://example.org/tea", "title": "녹차 이야기", "content": "70도에서 우려요"}]}`

// A search is off until somebody sets it up, and says what is missing; then its words go along and stand in the ledger; offline nothing leaves.
func TestSearchingTheWeb(t *testing.T) {
	c, server := abroad(t, func(w http.ResponseWriter, r *http.Request) {
		if q := r.URL.Query().Get("q"); q != "녹차 우리는 법" {
			t.Errorf("asked for %q", q)
		}
		_, _ = io.WriteString(w, searchAnswer)
	})
	id := c.job("인터넷에서 녹차 우리는 법 찾아줘")
	c.state(id, "failed")
	if said := c.outcome(id); !strings.Contains(said, "웹 검색이 꺼져 있어서") || !strings.Contains(said, "나가는 길 페이지") {
		t.Errorf("off: %q", said)
	}
	if list, err := c.Outbound(t.Context(), outbound.Filter{}, 0, 0); err != nil || len(list) != 0 {
		t.Errorf("%v, %+v", err, list)
	}
	if v, err := c.SetWebSearch(t.Context(), "searxng", server.URL, nil); err != nil || v.Service != "searxng" || v.Address != server.URL || v.KeySet {
		t.Fatalf("%+v, %v", v, err)
	}
	id = c.job("인터넷에서 녹차 우리는 법 찾아줘")
	c.state(id, "succeeded")
	if said := c.outcome(id); !strings.Contains(said, "녹차 이야기") || !strings.Contains(said, "https://example.org/tea") {
		t.Errorf("it said %q", said)
	}
	list, err := c.Outbound(t.Context(), outbound.Filter{Room: outbound.RoomSearch}, 0, 0)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %+v", err, list)
	}
	if e := list[0]; e.Job != id || e.Chat != "main" || e.Words != "녹차 우리는 법" || "http://"+e.Host != server.URL || e.Path != "/search" || e.Outcome != outbound.OutcomeDone || e.Received < int64(len(searchAnswer)) {
		t.Errorf("%+v", e)
	}
	before, err := c.OutboundState(t.Context())
	if err != nil || before.Offline || before.Going != 0 || before.Last == 0 {
		t.Errorf("%+v, %v", before, err)
	}

	c.set("offline", true)
	until(c, "the light", func(event.Envelope, event.OutboundChanged) bool { return true })
	id = c.job("search the web for 녹차 우리는 법")
	c.state(id, "failed")
	if said := c.outcome(id); !strings.Contains(said, "offline") && !strings.Contains(said, "오프라인") {
		t.Errorf("offline: %q", said)
	}
	after, err := c.OutboundState(t.Context())
	if err != nil || !after.Offline || after.Going != 0 || after.Last != before.Last || len(after.Unseen) != 0 {
		t.Errorf("%+v, %v", after, err)
	}
	list, err = c.Outbound(t.Context(), outbound.Filter{Outcome: outbound.OutcomeRefused}, 0, 0)
	if err != nil || len(list) != 1 || list[0].Sent != 0 || list[0].Room != outbound.RoomSearch {
		t.Errorf("%v, %+v", err, list)
	}
	if err := c.OpensLink(t.Context(), "https://example.org"); err == nil || !strings.Contains(err.Error(), "nothing_leaves") {
		t.Errorf("the browser: %v", err)
	}
}

// A model server that is not on this computer is asked no more once offline is on, and the shop goes on by itself.
func TestAModelServerElsewhereIsOutside(t *testing.T) {
	asked := make(chan struct{}, 1000)
	c, server := abroad(t, func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		w.WriteHeader(http.StatusNotFound)
	})
	c.set("ollama_host", server.URL)
	<-asked
	until(c, "what left", func(event.Envelope, event.OutboundChanged) bool { return true })
	list, err := c.Outbound(t.Context(), outbound.Filter{Room: outbound.RoomModels}, 0, 0)
	if err != nil || len(list) == 0 || list[0].Words != "" {
		t.Fatalf("%v, %+v", err, list)
	}
	c.set("offline", true)
	if s, err := c.OutboundState(t.Context()); err != nil || !s.Offline {
		t.Errorf("%+v, %v", s, err)
	}
	// What had gone out by then has come in before this, and is answered once all connections have ended.
	last, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = last.Body.Close()
	server.CloseClientConnections()
	for drained := false; !drained; {
		select {
		case <-asked:
		default:
			drained = true
		}
	}
	id := c.job("3 더하기 4는?")
	c.state(id, "succeeded")
	c.set("model", "other") // it looks around again
	id = c.job("7 더하기 4는?")
	c.state(id, "succeeded")
	if len(asked) != 0 {
		t.Error("the server was asked")
	}
}
