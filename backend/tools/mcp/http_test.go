package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// address serves the good server over HTTP. Requests without the key are turned away.
func address(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	stop := make(chan struct{})
	s := goodServer(stop)
	handler := http.Handler(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	if wrap != nil {
		handler = wrap(handler)
	}
	locked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
	server := httptest.NewServer(locked)
	t.Cleanup(func() { close(stop); server.CloseClientConnections(); server.Close() })
	return server.URL
}

func keyed(url string) entry {
	return entry{"type": "http", "url": url, "headers": entry{"Authorization": "Bearer " + token}}
}

func TestAServerBehindAnAddress(t *testing.T) {
	url := address(t, nil)
	h := newHouse(t, quick)
	h.consented("far", keyed(url))
	if v := h.server("far"); v.Transport != "http" || v.Target != url {
		t.Errorf("%+v", v)
	}
	if c := h.run(t.Context(), "far__echo", `{"text":"안녕"}`); c.err != nil || c.result.Text != "안녕" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := h.begin(ctx, "far__wait", `{}`)
	c.hears("1/3")
	cancel()
	c.end()
	wantCode(t, c.err, apperr.InDoubt)
	if c := h.run(t.Context(), "far__canceled", `{}`); c.err != nil || c.result.Text != "yes" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	wantCode(t, h.run(t.Context(), "far__fail", `{}`).err, apperr.ToolFailed)
	if h.run(t.Context(), "far__huge", `{"n":4000000}`).err == nil {
		t.Error("an answer of 12 MB came through")
	}
	if strings.Contains(h.log.String(), token) {
		t.Errorf("the secret is seen: %s", h.log)
	}
}

func TestAnAddressThatHangs(t *testing.T) {
	limits := quick
	limits.Answer = 300 * time.Millisecond
	url := address(t, nil)
	h := newHouse(t, limits)
	h.consented("far", keyed(url))
	wantCode(t, h.run(t.Context(), "far__wait", `{}`).err, apperr.Timeout)
	if c := h.run(t.Context(), "far__echo", `{"text":"again"}`); c.err != nil || c.result.Text != "again" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
}

func TestAnAddressThatTurnsUsAway(t *testing.T) {
	h := newHouse(t, quick)
	e := keyed(address(t, nil))
	e["headers"] = entry{"Authorization": "Bearer wrong-key"}
	h.mount(map[string]entry{"far": e, "nowhere": {"url": "http://127.0.0.1:1/mcp"}})
	h.until("far", "it is given up", is(mcp.StateFailed))
	h.until("nowhere", "it is given up", is(mcp.StateFailed))
}

// The key goes to the address the person named and to no other.
func TestAKeyDoesNotFollowARedirect(t *testing.T) {
	var asked atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1) }))
	t.Cleanup(other.Close)
	url := address(t, func(http.Handler) http.Handler {
		return http.RedirectHandler(other.URL, http.StatusTemporaryRedirect)
	})
	h := newHouse(t, quick)
	h.mount(map[string]entry{"far": keyed(url)})
	h.until("far", "it is given up", is(mcp.StateFailed))
	if asked.Load() > 0 {
		t.Error("the other address was asked")
	}
}
