package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// Signing is where signing in at a server stands.
type Signing string

// Where signing in stands. A server that lets everybody in has none of it.
const (
	SignInNeeded  Signing = "needed"
	SignInWaiting Signing = "waiting" // a person is in the browser
	SignedIn      Signing = "done"
)

// SignInView is what is shown of it. At is the host where a person signs in, or did.
type SignInView struct {
	State Signing `json:"state"`
	At    string  `json:"at,omitempty"`
}

// Why signing in ended without a pass.
var (
	errDeclined  = errors.New("it was declined in the browser")
	errCalledOff = errors.New("it was called off")
)

// view is nil where nobody signs in.
func (a *account) view(wanted bool) *SignInView {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.waiting:
		return &SignInView{State: SignInWaiting, At: a.where}
	case wanted, a.wider:
		return &SignInView{State: SignInNeeded}
	case a.pass != nil:
		return &SignInView{State: SignedIn, At: a.pass.At}
	}
	return nil
}

// stop calls off a sign-in that is under way.
func (a *account) stop() {
	if a == nil {
		return
	}
	a.mu.Lock()
	cancel := a.cancel
	a.mu.Unlock()
	if cancel != nil {
		cancel(errCalledOff)
	}
}

// close lets go of what is still connected.
func (a *account) close() {
	if a != nil {
		a.client.CloseIdleConnections()
	}
}

// SignIn leads a person through the sign-in of a server: it finds out where (RFC 9728, RFC 8414), makes the shop known there (RFC 7591), opens the
// browser, and keeps what comes back in the keyring. It returns when the person is through; CancelSignIn ends it. A second one takes the place of the
// first. Errors: not_found, not_available (the server has no sign-in), sign_in_declined, sign_in_failed, canceled, nothing_leaves, what opening says.
func (m *Mounts) SignIn(ctx context.Context, name string) error {
	v, err := m.find(name)
	if err != nil {
		return err
	}
	if v.account == nil || m.opt.Browse == nil {
		return apperr.New(apperr.NotAvailable, "what", bilingual.Text{KO: "이 서버에 로그인하기", EN: "signing in to this server"})
	}
	changed := func() { m.opt.Changed(name) }
	if err := v.account.signIn(ctx, m.opt.Browse, changed); err != nil {
		return v.signInTrouble(err)
	}
	m.opt.Log.Info().Str("server", name).Msg("a person signed in to an outside server")
	v.leave(errEnded) // the session that wanted it, if it is still there
	v.again()
	changed()
	return nil
}

// CancelSignIn ends a sign-in that waits for a person. Error: not_found.
func (m *Mounts) CancelSignIn(name string) error {
	v, err := m.find(name)
	if err != nil {
		return err
	}
	v.account.stop()
	return nil
}

// SignOut forgets who the shop is at a server and ends the session. Errors: not_found, storage errors.
func (m *Mounts) SignOut(ctx context.Context, name string) error {
	v, err := m.find(name)
	if err != nil || v.account == nil {
		return err
	}
	v.account.stop()
	if err := v.account.keep(ctx, nil); err != nil {
		return err
	}
	v.leave(errSignIn)
	m.opt.Changed(name)
	return nil
}

// signInTrouble words why nobody is signed in.
func (v *server) signInTrouble(err error) error {
	var told *apperr.Error
	switch {
	case errors.Is(err, errDeclined):
		return apperr.Wrap(err, apperr.SignInDeclined, "server", v.Name)
	case errors.Is(err, errCalledOff), errors.Is(err, context.Canceled):
		return apperr.Wrap(err, apperr.Canceled)
	case outbound.Refused(err), errors.As(err, &told):
		return apperr.From(err)
	}
	why := plain(v.cover().all(err.Error()), maxLine)
	text := bilingual.Text{KO: why, EN: why}
	if errors.Is(err, context.DeadlineExceeded) {
		text = bilingual.Text{KO: "10분 안에 끝나지 않았어요", EN: "it was not done within 10 minutes"}
	}
	return apperr.Wrap(errors.New(why), apperr.SignInFailed, "server", v.Name, "detail", text)
}

// signIn is one sign-in, from the question where to the pass in the keyring.
func (a *account) signIn(ctx context.Context, browse func(context.Context, string) error, changed func()) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, late := context.WithTimeout(ctx, signInWithin)
	defer late()
	a.mu.Lock()
	earlier, mine := a.cancel, &cancel
	a.cancel, a.waiting, a.where = cancel, true, ""
	a.turn = mine
	asked := a.asked
	a.mu.Unlock()
	if earlier != nil {
		earlier(errCalledOff)
	}
	var given []string
	if p := a.held(ctx); p != nil {
		given = strings.Fields(p.Scopes)
	}
	changed()
	defer func() {
		a.mu.Lock()
		if a.turn == mine {
			a.cancel, a.waiting, a.where, a.turn = nil, false, "", nil
		}
		a.mu.Unlock()
		changed()
		if cause := context.Cause(ctx); err != nil && cause != nil {
			err = cause
		}
	}()
	desk, err := openDesk(ctx)
	if err != nil {
		return err
	}
	defer desk.close() //nolint:contextcheck // the last page is sent although the sign-in is over
	next := &pass{URL: a.at}
	h, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "Agent Chat", SoftwareID: "agentchat", SoftwareVersion: a.version, RedirectURIs: []string{desk.address},
			GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: "none",
		}},
		RequestRefreshToken: true, AcceptUnadvertisedIss: true, Client: a.client,
		// A wider sign-in takes the place of the narrower: what was given stays given.
		ScopeFilter: func(wanted []string) []string {
			return append(wanted, slices.DeleteFunc(given, func(s string) bool { return slices.Contains(wanted, s) })...)
		},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			page, err := signInPage(args.URL)
			if err != nil {
				return nil, err
			}
			next.At, next.For, next.Scopes = page.Host, page.Query().Get("resource"), page.Query().Get("scope")
			desk.expect(page.Query().Get("state"))
			a.mu.Lock()
			if a.turn == mine {
				a.where = page.Host
			}
			a.mu.Unlock()
			changed()
			if err := browse(ctx, page.String()); err != nil {
				return nil, err
			}
			return desk.wait(ctx)
		},
		NewTokenSource: func(_ context.Context, cfg *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			if !strings.EqualFold(t.Type(), "Bearer") {
				return nil, fmt.Errorf("a token of the kind %q cannot be used", plain(t.Type(), 20))
			}
			next.Token, next.Client, next.Secret, next.Style = cfg.Endpoint.TokenURL, cfg.ClientID, cfg.ClientSecret, int(cfg.Endpoint.AuthStyle)
			next.Beside = a.beside.Load()
			if given, ok := t.Extra("scope").(string); ok { // without it, it is what was asked for (RFC 6749, 5.1)
				next.Scopes = given
			}
			next.take(t)
			return oauth2.StaticTokenSource(t), nil
		},
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.at, nil)
	if err != nil {
		return err
	}
	// The library begins with a request that was turned away; this is what the server said then.
	away := &http.Response{StatusCode: http.StatusUnauthorized, Header: asked, Body: io.NopCloser(strings.NewReader(""))}
	if err := h.Authorize(ctx, req, away); err != nil {
		return err
	}
	return a.keep(ctx, next)
}

// signInPage is the page for the browser. OpenID Connect gives tokens that last beyond the visit only to whoever agrees to it on the page.
func signInPage(address string) (*url.URL, error) {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" || page.User != nil || page.Scheme != "https" && page.Scheme != "http" {
		return nil, fmt.Errorf("the server named %q as its page to sign in at", plain(address, 100))
	}
	q := page.Query()
	if slices.Contains(strings.Fields(q.Get("scope")), "offline_access") {
		q.Set("prompt", "consent")
		page.RawQuery = q.Encode()
	}
	return page, nil
}
