package branch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/outbound"
)

// tries are enough that a word which is lost once in sixty times is missed.
const tries = 150

// A shop that knows this one no more says so at its door. A strange device that is at its address by now, and gets on with nobody, is no such word.
func TestOnlyTheDoorOfTheOtherShopUnpairs(t *testing.T) {
	for name, c := range map[string]struct {
		far  *tls.Config
		want State
		code apperr.Code
	}{
		"its door":         {&tls.Config{MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAnyClientCert, VerifyConnection: func(tls.ConnectionState) error { return errStranger }}, Unpaired, apperr.BranchUnpaired},
		"a strange device": {&tls.Config{MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12}, Away, apperr.BranchUnreachable},
	} {
		far := httptest.NewUnstartedServer(http.NotFoundHandler())
		far.TLS, far.Config.ErrorLog = c.far, log.New(io.Discard, "", 0)
		far.StartTLS()
		kept, err := partnersIn(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		quiet := zerolog.Nop()
		b := &Book{partners: kept, pace: Pace{}.orDefault(), deps: Deps{
			Dir: t.TempDir(), Now: time.Now, Line: outbound.New(outbound.Options{}), Log: &quiet, Bus: event.NewBus(100, time.Now), Name: func() string { return "near" },
		}}
		p := Partner{ID: "far", Name: "Far", Role: Lends, Pin: pinOf(far.Certificate()), Address: far.Listener.Addr().String()}
		if err := kept.Set(p); err != nil {
			t.Fatal(err)
		}
		l := newLink(b, p)
		// A connection may be cut before its last word is read: it is read none the less, however often it is tried.
		for range tries {
			_, err := l.dial(t.Context())
			l.lost(err)
			if state, _, _ := l.standing(); state != c.want {
				t.Fatalf("%s: %s after %v", name, state, err)
			}
			if err := b.Move(t.Context(), p.ID, p.Address); apperr.CodeOf(err) != c.code {
				t.Fatalf("%s: %v", name, err)
			}
			l = newLink(b, p)
		}
		far.Close()
	}
}

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
