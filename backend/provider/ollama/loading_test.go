package ollama_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
)

// loader is an Ollama whose model m is not in memory. listed says whether it comes up in the list when a request has come,
// and looks counts who asked for the list since.
type loader struct {
	listed atomic.Bool
	began  atomic.Bool
	looks  chan struct{}
	answer chan struct{} // closed: requests are answered
}

func (l *loader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/ps":
		models := []any{}
		if l.began.Load() {
			select {
			case l.looks <- struct{}{}:
			case <-r.Context().Done():
			}
			if l.listed.Load() {
				models = append(models, map[string]string{"name": "m:latest"})
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"models": models})
	case "/api/version":
		_, _ = io.WriteString(w, `{"version":"0.34.4"}`)
	case "/api/tags":
		_, _ = io.WriteString(w, `{"models":[{"name":"m:latest","capabilities":["completion"]}]}`)
	case "/api/show":
		_, _ = io.WriteString(w, `{"capabilities":["completion"]}`)
	case "/api/chat":
		_, _ = io.Copy(io.Discard, r.Body) // or the server does not see the client leave
		l.began.Store(true)
		select {
		case <-l.answer:
			_, _ = io.WriteString(w, `{"message":{"role":"assistant","content":"네."},"done":true,"done_reason":"stop"}`+"\n")
		case <-r.Context().Done():
		}
	}
}

func cold(t *testing.T, listed bool, first time.Duration) (*loader, *ollama.Provider) {
	t.Helper()
	l := &loader{looks: make(chan struct{}, 1000), answer: make(chan struct{})}
	l.listed.Store(listed)
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	d := providertest.Patient
	d.First = first
	return l, open(t, ollama.Options{Host: fixed(server.URL), Model: fixed("m"), Timeouts: limits(d)})
}

// outcome is how a request ended.
type outcome struct {
	reply provider.Reply
	err   error
}

// A model that comes up in the list while its request waits is loading: the request gets the time for that. It is told once,
// and not for a model that has just answered. A machine that stands still for longer than a first piece may take shows nothing of
// it, and is given more time.
func TestALoadMayTakeLongerThanAFirstPiece(t *testing.T) {
	for first := 800 * time.Millisecond; first < time.Minute; first *= 3 {
		if loadMayTakeLonger(t, first) {
			return
		}
		t.Logf("this machine stood still for %v", first)
	}
	t.Fatal("no request came as far as the list")
}

// loadMayTakeLonger tells whether the list was looked at before the request's time was over.
func loadMayTakeLonger(t *testing.T, first time.Duration) (seen bool) {
	t.Helper()
	l, p := cold(t, true, first)
	heard := make(chan provider.Delta, 100)
	over := make(chan outcome, 1)
	began := time.Now()
	req := providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?")
	go func() {
		reply, err := p.Chat(t.Context(), req, func(d provider.Delta) { heard <- d })
		over <- outcome{reply, err}
	}()
	select {
	case <-l.looks: // it has come up; from now on nothing but time passes
	case o := <-over:
		if apperr.CodeOf(o.err) != apperr.ModelTimeout {
			t.Fatalf("%+v, %v", o.reply, o.err)
		}
		return false
	}
	if d := <-heard; !d.Loading || d.Text != "" {
		t.Errorf("the first sign is %+v", d)
	}
	if s := p.Status(t.Context()); s.Health != provider.HealthStarting || s.Reason != provider.ReasonLoading || s.Model != "m" {
		t.Errorf("%+v", s)
	}
	late := time.NewTimer(2 * first)
	defer late.Stop()
	select {
	case o := <-over:
		t.Fatalf("given up after %v: %v", time.Since(began), o.err)
	case <-late.C:
	}
	close(l.answer)
	o := <-over
	if o.err != nil || o.reply.Text != "네." || o.reply.Model != "m" || o.reply.FirstToken < first {
		t.Fatalf("%+v, %v", o.reply, o.err)
	}
	if d := <-heard; d.Text != "네." || d.Loading {
		t.Errorf("then came %+v", d)
	}
	l.listed.Store(false) // and yet it is not asked for: the model has just answered
	if _, err := p.Chat(t.Context(), req, func(d provider.Delta) { heard <- d }); err != nil {
		t.Fatal(err)
	}
	if d := <-heard; d.Loading {
		t.Error("a model that has just answered is loading again")
	}
	return true
}

// A model that does not come up is not loading: the deadline of the first piece stands.
func TestASilentServerIsNotLoading(t *testing.T) {
	_, p := cold(t, false, 300*time.Millisecond)
	_, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil)
	if apperr.CodeOf(err) != apperr.ModelTimeout || !strings.HasSuffix(err.Error(), "no first piece in time") {
		t.Error(err)
	}
}

// A load that never ends is given up, too. A machine that stands still for longer than a first piece may take sees nothing of the load,
// and is given more time.
func TestALoadHasItsDeadline(t *testing.T) {
	for first := 300 * time.Millisecond; first < time.Minute; first *= 3 {
		l, p := cold(t, true, first)
		_, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil)
		if apperr.CodeOf(err) != apperr.ModelTimeout {
			t.Fatal(err)
		}
		if len(l.looks) == 0 || strings.HasSuffix(err.Error(), "no first piece in time") {
			t.Logf("this machine stood still for %v", first)
			continue
		}
		if !strings.HasSuffix(err.Error(), "the model was not loaded in time") {
			t.Error(err)
		}
		if s := p.Status(t.Context()); s.Health != provider.HealthOK {
			t.Errorf("%+v: nothing loads any more", s)
		}
		return
	}
	t.Fatal("no request saw the model load")
}
