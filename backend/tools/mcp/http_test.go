package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
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
	h.held.Store(&quick) // what answers may take its time on a busy machine
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

// What an address carries is as secret as a header, however it is written there: in logs, errors, results, views and requests.
func TestWhatAnAddressCarriesIsSeenNowhere(t *testing.T) {
	open := address(t, nil)
	for name, mounted := range map[string]struct{ url, secret string }{
		"a name":           {"http://name-4417-of-mine@127.0.0.1:1/mcp", "name-4417-of-mine"},
		"a short name":     {"http://kim7@127.0.0.1:1/mcp", "kim7"},
		"a password":       {"http://kim7:pass-4417@127.0.0.1:1/mcp", "pass-4417"},
		"escaped":          {"http://na%2Fme-4417@127.0.0.1:1/mcp", "me-4417"},
		"a query":          {"http://127.0.0.1:1/mcp?who=value%204417", "value%204417"},
		"a step":           {"http://127.0.0.1:1/s/zAp13r4417abcdefgh/mcp", "zAp13r4417abcdefgh"},
		"one that answers": {strings.Replace(open, "://", "://name-4417-of-mine@", 1), "name-4417-of-mine"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, quick)
			h.mount(map[string]entry{"far": {"url": mounted.url}})
			h.until("far", "it is given up", is(mcp.StateFailed))
			view, err := json.Marshal(h.View(bilingual.EN))
			if err != nil {
				t.Fatal(err)
			}
			if seen := h.log.String() + string(view); strings.Contains(seen, mounted.secret) {
				t.Errorf("it is seen:\n%s", seen)
			}
			if len(mounted.secret) > 5 && !slices.ContainsFunc(h.Secrets(), func(s string) bool { return strings.Contains(s, mounted.secret) }) {
				t.Errorf("letters do not know it: %q", h.Secrets())
			}
			if err := h.Set(h.View(bilingual.EN).Text); err != nil {
				t.Fatal(err)
			}
			mustHold(t, h.notes(mcp.FileName), mounted.url)
			// The goodbye to a server that is no more is written down after it is gone.
			known := h.Secrets()
			h.mount(map[string]entry{})
			for _, secret := range known {
				if !slices.Contains(h.Secrets(), secret) {
					t.Errorf("%q is not known any more", secret)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if left := h.Secrets(); len(left) < len(known) {
				t.Errorf("after the end: %q, before: %q", left, known)
			}
		})
	}
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
