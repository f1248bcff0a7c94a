package branch

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"agentchat/backend/outbound"
)

// What another shop answers is bounded, leads nowhere else, and says when it knows this one no more.
func TestAnAnswerOfAnotherShopIsRead(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was followed") }))
	defer elsewhere.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(bytes.Repeat([]byte("a"), mostSaid+1))
	})
	mux.HandleFunc("/stranger", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	far := httptest.NewTLSServer(mux)
	defer far.Close()
	b := &Book{deps: Deps{Dir: t.TempDir(), Now: time.Now, Line: outbound.New(outbound.Options{})}, pace: Pace{}.orDefault()}
	way, err := b.client(pinOf(far.Certificate()), b.pace.Within)
	if err != nil {
		t.Fatal(err)
	}
	defer idle(way.Transport)
	way.Transport = brief{way.Transport}
	resp, err := way.Get(far.URL + "/long")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, errTooMuch) || n > mostSaid {
		t.Errorf("%d bytes, %v", n, err)
	}
	_ = resp.Body.Close()
	if resp, err = way.Get(far.URL + "/stranger"); !errors.Is(err, errUnpaired) {
		t.Error(err)
		if resp != nil {
			_ = resp.Body.Close()
		}
	}
	if resp, err = way.Post(far.URL+"/elsewhere", "text/plain", bytes.NewReader([]byte("secret"))); err != nil || resp.StatusCode != http.StatusTemporaryRedirect {
		t.Errorf("%v, %v", resp, err)
	}
	_ = resp.Body.Close()
}
