package mcp

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/rs/zerolog"
	"golang.org/x/oauth2"

	"agentchat/backend/logging"
	"agentchat/backend/outbound"
)

// errSignIn: the server lets nobody in who did not sign in, or wants a wider sign-in than there is, which is errWider: that is of one request alone.
var (
	errSignIn = errors.New("the server wants somebody to sign in")
	errWider  = fmt.Errorf("%w: for more than they were given", errSignIn)
)

// How signing in is bounded in time.
const (
	signInWithin  = 10 * time.Minute // for a person in the browser
	refreshWithin = 30 * time.Second
	refreshBefore = 30 * time.Second // before a token ends
)

// signInKey names what a server's sign-in has in the keyring, beside its other keys.
const signInKey = "sign-in"

// pass is what signing in brought. It belongs to one address: what is kept for another is nobody's.
type pass struct {
	URL    string `json:"u"`
	At     string `json:"at"`          // the host where the person signed in
	Beside bool   `json:"b,omitempty"` // it was on this computer or its network, as the server was
	Token  string `json:"t"`           // where tokens are made
	Client string `json:"c"`           // who the shop is there
	Secret string `json:"s,omitempty"` // the client's, where it was given one
	Style  int    `json:"y,omitempty"` // how the client shows itself
	For    string `json:"r"`           // the resource
	Scopes string `json:"o,omitempty"` // what it was given for, with spaces between
	Access string `json:"a,omitempty"` //
	Fresh  string `json:"f,omitempty"` // the refresh token
	Ends   int64  `json:"e,omitempty"` // of Access, in seconds; 0: it does not say
}

// account is who the shop is at a server behind an address. It is the door that the protocol's library asks before each request
// (auth.OAuthHandler), and never opens a browser by itself: that is SignIn's, for a person.
type account struct {
	server, at, version string
	keys                Keys
	client              *http.Client // to the authorization server
	now                 func() time.Time
	log                 zerolog.Logger
	beside              atomic.Bool // the server itself stands on this computer or its network

	renew sync.Mutex // held while a token is renewed: a refresh token is used once
	ring  sync.Mutex // held while the keyring is read or written, which may wait for a person; the pass changes only then
	worn  []string   // what the last renewal replaced; of ring

	mu      sync.Mutex // held for a moment, never while the keyring is asked
	read    bool
	pass    *pass
	spent   *pass       // the one before: what is under way may still name it
	wider   bool        // the server wants more than the pass was given for
	asked   http.Header // what the server said when it turned a request away
	where   string      // the host that a person is signing in at, while they do
	cancel  context.CancelCauseFunc
	turn    *context.CancelCauseFunc // whose sign-in it is: a later one takes the place of an earlier
	waiting bool
}

// signsIn tells whether a person can sign in at a server: not at a program, nor at an address for which they named a key or a name.
func (s Server) signsIn() bool {
	if u, err := url.Parse(s.URL); err != nil || s.URL == "" || u.User != nil {
		return false
	}
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			return false
		}
	}
	return true
}

// newAccount is nil where nobody signs in.
func newAccount(s Server, opt *Options) *account {
	if !s.signsIn() {
		return nil
	}
	a := &account{server: s.Name, at: s.URL, version: opt.Version, keys: opt.Keys, now: opt.Now, log: opt.Log.With().Str("server", s.Name).Logger()}
	a.client = opt.Line.Client(outbound.Way{Room: outbound.RoomOutside, Connect: dialWithin, Proxy: true, Control: a.guard})
	a.client.Transport = &inward{RoundTripper: a.client.Transport, of: a, line: opt.Line}
	a.client.Timeout = refreshWithin
	a.client.CheckRedirect = sameHost
	return a
}

// sameHost follows a redirect only to where the request was meant to go.
func sameHost(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; len(via) > 3 || req.URL.Scheme != first.Scheme || req.URL.Host != first.Host || via[0].Method != http.MethodGet {
		return errStray
	}
	return nil
}

// reached notes where the server itself stands: where the connection leads that carries a request. Where a proxy stands says nothing of the server.
func (a *account) reached(address string, proxied bool) {
	a.beside.Store(!proxied && outbound.Beside(address))
}

// errBeside: a server of the internet named an address in here.
var errBeside = errors.New("a server elsewhere named an address on this computer or its network to sign in at")

// guard keeps what a server of the internet names for signing in away from this computer and its network.
func (a *account) guard(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || at.Addr().IsUnspecified() || outbound.Beside(address) && !a.beside.Load() {
		return errBeside
	}
	return nil
}

// known is the pass as far as the keyring was asked already.
func (a *account) known() (p *pass, read bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pass, a.read || a.keys == nil
}

// inward is guard where a proxy connects in the shop's place: it may reach what is in here too.
type inward struct {
	http.RoundTripper
	of   *account
	line *outbound.Line
}

// RoundTrip implements http.RoundTripper.
func (i *inward) RoundTrip(req *http.Request) (*http.Response, error) {
	if outbound.Proxied(req) && !i.of.beside.Load() {
		host := strings.ToLower(strings.TrimSuffix(req.URL.Hostname(), "."))
		found := []netip.Addr{}
		if at, err := netip.ParseAddr(host); err == nil {
			found = append(found, at)
		} else if host == "localhost" || strings.HasSuffix(host, ".localhost") { // this computer, whoever is asked (RFC 6761)
			found = append(found, netip.IPv6Loopback())
		} else if named, err := i.line.Lookup(req.Context(), host); err == nil { // a name that only the proxy can look up is left to it
			found = named
		}
		for _, at := range found {
			if err := i.of.guard("", netip.AddrPortFrom(at, 0).String(), nil); err != nil {
				return nil, err
			}
		}
	}
	return i.RoundTripper.RoundTrip(req)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the transport.
func (i *inward) CloseIdleConnections() { closeIdle(i.RoundTripper) }

// held is the pass that is kept, nil for none.
func (a *account) held(ctx context.Context) *pass {
	if p, read := a.known(); read {
		return p
	}
	a.ring.Lock()
	defer a.ring.Unlock()
	if p, read := a.known(); read { // while it waited
		return p
	}
	text, err := a.keys.Get(ctx, ringName(a.server, signInKey))
	if err != nil {
		return nil // a keyring that is slow is asked again
	}
	var p pass
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if text == "" || err != nil || json.Unmarshal(raw, &p) != nil || p.URL != a.at {
		return a.hold(nil)
	}
	return a.hold(&p)
}

// hold has a pass be the one in use. Called with a.ring held.
func (a *account) hold(p *pass) *pass {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.read, a.spent, a.pass = true, a.pass, p
	if p != nil {
		logging.Conceal(p.secrets()...)
		a.beside.Store(a.beside.Load() || p.Beside)
	}
	return p
}

// wear notes what a renewal replaced; at the next one it is concealed no longer: every hour another one, they would add up. What a person left by signing
// out or in anew is good at the other side still, and stays concealed. Called with a.ring held.
func (a *account) wear(old, next *pass) {
	if old == nil || next == nil {
		return
	}
	inUse := func(v string) bool { return slices.Contains(next.secrets(), v) }
	logging.Release(slices.DeleteFunc(a.worn, inUse)...)
	a.worn = slices.DeleteFunc(append(old.secrets(), old.packed()), inUse)
}

// keep writes a pass into the keyring, nil for none, and uses it from then on, unless ctx ended while it waited for its turn.
func (a *account) keep(ctx context.Context, p *pass) error {
	a.ring.Lock()
	defer a.ring.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.write(context.WithoutCancel(ctx), p); err != nil {
		return err
	}
	a.hold(p)
	a.mu.Lock()
	a.wider = false
	a.mu.Unlock()
	return nil
}

// replace has next, nil for none, take the place of old, unless somebody signed out or in meanwhile: then that holds. It gives what holds. What the
// keyring does not take holds until the program ends.
func (a *account) replace(ctx context.Context, old, next *pass) *pass {
	a.ring.Lock()
	defer a.ring.Unlock()
	if now, _ := a.known(); now != old {
		return now
	}
	a.hold(next)
	a.wear(old, next)
	if err := a.write(ctx, next); err != nil {
		a.log.Warn().Err(err).Msg("the keyring did not take how a sign-in changed; the next start may ask for a new one")
	}
	return next
}

// write puts a pass into the keyring. Called with a.ring held.
func (a *account) write(ctx context.Context, p *pass) error {
	if a.keys == nil {
		return nil
	}
	text := ""
	if p != nil {
		text = p.packed()
	}
	return a.keys.Set(ctx, ringName(a.server, signInKey), text)
}

// mostKept is how much a keyring takes. What renews the pass matters more than the pass of the hour.
const mostKept = 8000

func (p *pass) packed() string {
	pack := func(p pass) string { return base64.RawStdEncoding.EncodeToString(mustJSON(p)) }
	text := pack(*p)
	if len(text) > mostKept && p.Fresh != "" {
		short := *p
		short.Access = ""
		text = pack(short)
	}
	return text
}

// secrets are what must not be seen of it.
func (p *pass) secrets() []string {
	if p == nil {
		return nil
	}
	return []string{p.Access, p.Fresh, p.Secret}
}

// secrets are what must not be seen of it.
func (a *account) secrets() []string {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	found := []string{}
	for _, v := range append(a.pass.secrets(), a.spent.secrets()...) {
		if telling(v) && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return byLength(found)
}

// TokenSource implements auth.OAuthHandler. Nobody who is signed in nowhere has a token: the server then says what it wants.
func (a *account) TokenSource(ctx context.Context) (oauth2.TokenSource, error) {
	if a.held(ctx) == nil {
		return nil, nil //nolint:nilnil // so the interface has it
	}
	return tokens{ctx, a}, nil
}

// tokens gives the token of the moment.
type tokens struct {
	ctx context.Context //nolint:containedctx // the library's way of asking for tokens has none
	of  *account
}

// Token implements oauth2.TokenSource.
func (t tokens) Token() (*oauth2.Token, error) {
	p := t.of.held(t.ctx)
	if p == nil {
		return nil, &oauth2.RetrieveError{ErrorCode: "invalid_grant", Response: &http.Response{Status: "signed out"}}
	}
	if p.Access == "" || p.Ends != 0 && !t.of.now().Add(refreshBefore).Before(time.Unix(p.Ends, 0)) {
		var err error
		if p, err = t.of.renewed(t.ctx, p); err != nil {
			return nil, err
		}
	}
	return &oauth2.Token{AccessToken: p.Access, TokenType: "Bearer"}, nil
}

// renewed exchanges the refresh token for a pass that lasts, and keeps it before it is used: most servers take a refresh token once. A pass that nobody
// renews any more is forgotten. Whoever signs out or in while it is under way has the last word.
func (a *account) renewed(ctx context.Context, old *pass) (*pass, error) {
	a.renew.Lock()
	defer a.renew.Unlock()
	p := a.held(ctx)
	if p == nil || *p != *old { // somebody else did it meanwhile
		return orSignIn(p)
	}
	if p.Fresh == "" {
		return p, nil // the server will say that it is over
	}
	// What was asked for is finished even when whoever asked is gone: the old token is worth nothing any more.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshWithin)
	defer cancel()
	cfg := &oauth2.Config{ClientID: p.Client, ClientSecret: p.Secret, Endpoint: oauth2.Endpoint{TokenURL: p.Token, AuthStyle: oauth2.AuthStyle(p.Style)}}
	// The library's own refresh cannot name the resource, which the protocol demands. A parameter without a value counts as left out (RFC 6749, 3.2).
	token, err := cfg.Exchange(context.WithValue(ctx, oauth2.HTTPClient, a.client), "", oauth2.SetAuthURLParam("grant_type", "refresh_token"),
		oauth2.SetAuthURLParam("refresh_token", p.Fresh), oauth2.SetAuthURLParam("resource", p.For))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && (refused.ErrorCode == "invalid_grant" || refused.ErrorCode == "invalid_client"):
		return orSignIn(a.replace(ctx, p, nil))
	case err != nil:
		return nil, fmt.Errorf("the sign-in could not be renewed: %w", err)
	}
	next := *p
	next.take(token)
	return orSignIn(a.replace(ctx, p, &next))
}

// orSignIn is a pass, or the error that there is none.
func orSignIn(p *pass) (*pass, error) {
	if p == nil {
		return nil, errSignIn
	}
	return p, nil
}

func (p *pass) take(t *oauth2.Token) {
	p.Access, p.Ends = t.AccessToken, 0
	if t.RefreshToken != "" {
		p.Fresh = t.RefreshToken
	}
	if !t.Expiry.IsZero() {
		p.Ends = t.Expiry.Unix()
	}
}

// Authorize implements auth.OAuthHandler. It is asked when the server turned a request away: what can be mended without a person is.
func (a *account) Authorize(ctx context.Context, req *http.Request, resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.CopyN(io.Discard, resp.Body, maxDescription)
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	if err != nil {
		return err
	}
	wider := false
	for _, c := range challenges {
		wider = wider || c.Scheme == "bearer" && c.Params["error"] == "insufficient_scope"
	}
	if resp.StatusCode == http.StatusForbidden && !wider {
		return nil // it is no matter of signing in; the answer says what it is
	}
	p := a.held(ctx)
	used := p != nil && subtle.ConstantTimeCompare([]byte(req.Header.Get("Authorization")), []byte("Bearer "+p.Access)) == 1
	a.mu.Lock()
	a.asked = http.Header{"Www-Authenticate": resp.Header.Values("WWW-Authenticate")}
	a.wider = a.wider || used && wider
	a.mu.Unlock()
	switch {
	case p == nil:
		return errSignIn
	case !used: // it was renewed or widened meanwhile
		return nil
	case wider:
		return errWider
	case p.Fresh == "":
		_, err = orSignIn(a.replace(ctx, p, nil))
		return err
	}
	_, err = a.renewed(ctx, p)
	return err
}
