package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"agentchat/backend/apperr"
)

// vault is a keyring; broken is what it says instead of taking anything.
type vault struct {
	mu     sync.Mutex
	text   string
	broken error
}

func (v *vault) Get(context.Context, string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.text, nil
}

func (v *vault) Set(_ context.Context, _, text string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.broken == nil {
		v.text = text
	}
	return v.broken
}

// renewing is an account whose renewal is under way: answer lets the authorization server answer it.
func renewing(t *testing.T, status int, body string) (a *account, kept *vault, answer func() (*pass, error)) {
	t.Helper()
	came, goes := make(chan struct{}), make(chan struct{})
	authority := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(came)
		<-goes
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(authority.Close)
	kept = &vault{}
	a = newAccount(Server{Name: "far", URL: "http://127.0.0.1:1/mcp"}, &Options{Keys: kept, Now: time.Now})
	a.beside.Store(true)
	t.Cleanup(a.close)
	old := &pass{URL: a.at, Token: authority.URL, Client: "shop", Style: int(oauth2.AuthStyleInParams), Access: "access-1", Fresh: "fresh-1"}
	if err := a.keep(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		pass *pass
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		p, err := a.renewed(context.WithoutCancel(t.Context()), old)
		done <- outcome{p, err}
	}()
	<-came
	return a, kept, func() (*pass, error) {
		close(goes)
		o := <-done
		return o.pass, o.err
	}
}

const (
	renewedPass = `{"access_token":"access-2","refresh_token":"fresh-2","token_type":"Bearer"}`
	overPass    = `{"error":"invalid_grant"}`
)

// Whoever signs out or in while a renewal is under way has the last word, whatever comes back.
func TestARenewalDoesNotUndoWhatAPersonDid(t *testing.T) {
	for name, answered := range map[string]struct {
		status int
		body   string
	}{"renewed": {http.StatusOK, renewedPass}, "over": {http.StatusBadRequest, overPass}} {
		t.Run("signed out, "+name, func(t *testing.T) {
			a, kept, answer := renewing(t, answered.status, answered.body)
			if err := a.keep(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if p, err := answer(); p != nil || !errors.Is(err, errSignIn) || a.held(t.Context()) != nil || kept.text != "" {
				t.Errorf("%+v, %v, kept %q", p, err, kept.text)
			}
		})
		t.Run("signed in, "+name, func(t *testing.T) {
			a, kept, answer := renewing(t, answered.status, answered.body)
			own := &pass{URL: a.at, Access: "access-of-a-person", Fresh: "fresh-of-a-person"}
			if err := a.keep(t.Context(), own); err != nil {
				t.Fatal(err)
			}
			if p, err := answer(); p != own || err != nil || a.held(t.Context()) != own || kept.text != own.packed() {
				t.Errorf("%+v, %v, kept %q", p, err, kept.text)
			}
		})
	}
}

// The old refresh token is worth nothing any more, so the new pass is used also where it cannot be kept.
func TestARenewedPassHoldsWithoutTheKeyring(t *testing.T) {
	a, kept, answer := renewing(t, http.StatusOK, renewedPass)
	kept.mu.Lock()
	kept.broken = apperr.New(apperr.StorageFailed)
	kept.mu.Unlock()
	p, err := answer()
	if err != nil || p.Access != "access-2" || p.Fresh != "fresh-2" || a.held(t.Context()) != p {
		t.Errorf("%+v, %v, held %+v", p, err, a.held(t.Context()))
	}
	a, _, answer = renewing(t, http.StatusBadRequest, overPass)
	if p, err := answer(); p != nil || !errors.Is(err, errSignIn) || a.held(t.Context()) != nil {
		t.Errorf("%+v, %v", p, err)
	}
}
