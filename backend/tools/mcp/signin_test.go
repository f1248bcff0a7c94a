package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/mcp"
)

// authority is a real authorization server (oidc-provider), in a process of its own.
type authority struct {
	issuer string
	marks  atomic.Int64
	mu     sync.Mutex
	asked  []asked
	news   chan struct{} // closed and made anew with each
	over   bool          // it says no more
}

// asked is a request that it answered.
type asked struct {
	Issuer string
	Route  string
	Status int
	Params map[string]any
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	folder, err := filepath.Abs("../../../e2e")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(folder, "lib", "authority.mjs"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal("this test signs in at an authorization server and needs Node and what stands in e2e/package.json (make setup-test): ", err)
	}
	a := &authority{news: make(chan struct{})}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		t.Fatal("the authorization server says nothing; `make setup-test` installs it")
	}
	var first asked
	if err := json.Unmarshal(lines.Bytes(), &first); err != nil {
		t.Fatal(err)
	}
	a.issuer = first.Issuer
	read := make(chan struct{})
	go func() {
		defer close(read)
		hears := func(take func()) {
			a.mu.Lock()
			defer a.mu.Unlock()
			take()
			close(a.news)
			a.news = make(chan struct{})
		}
		for lines.Scan() {
			var one asked
			if json.Unmarshal(lines.Bytes(), &one) == nil {
				hears(func() { a.asked = append(a.asked, one) })
			}
		}
		hears(func() { a.over = true })
	}()
	t.Cleanup(func() { _ = in.Close(); <-read; _ = cmd.Wait() })
	return a
}

// routes are the requests of one kind that were answered before, oldest first. What it says of them comes a moment after its answers: once it has said
// something of a request that is made now, it has said all of those before.
func (a *authority) routes(route string) (list []asked) {
	mark := fmt.Sprint("mark ", a.marks.Add(1))
	a.good(mark, "", "")
	marked := func(one asked) bool { return one.Params["token"] == mark }
	a.mu.Lock()
	for !slices.ContainsFunc(a.asked, marked) && !a.over {
		news := a.news
		a.mu.Unlock()
		<-news
		a.mu.Lock()
	}
	defer a.mu.Unlock()
	for _, one := range a.asked {
		if one.Route == route {
			list = append(list, one)
		}
	}
	return list
}

// good asks what a token may do at a resource: active, for it, and with the scope.
func (a *authority) good(token, resource, scope string) (active, wide bool) {
	req, err := http.NewRequest(http.MethodPost, a.issuer+"/token/introspection", strings.NewReader(url.Values{"token": {token}}.Encode()))
	if err != nil {
		return false, false
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth("resource-server", "resource-server-secret")
	resp, err := plainClient.Do(req)
	if err != nil {
		return false, false
	}
	defer func() { _ = resp.Body.Close() }()
	var about struct {
		Active bool
		Aud    string
		Scope  string
	}
	if json.NewDecoder(resp.Body).Decode(&about) != nil || !about.Active || about.Aud != resource {
		return false, false
	}
	return true, slices.Contains(strings.Fields(about.Scope), scope)
}

var plainClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// guarded is an MCP server that lets in who shows a token of the authority that is meant for it.
type guarded struct {
	url       string
	authority *authority
	mu        sync.Mutex
	scope     string
	refused   map[string]bool // tokens that it takes no more
	shown     []string        // tokens that came
	says      map[string]any  // what its metadata says besides
}

func newGuarded(t *testing.T, a *authority) *guarded {
	t.Helper()
	g := &guarded{authority: a, scope: "notes", refused: map[string]bool{}, says: map[string]any{}}
	stop := make(chan struct{})
	s := goodServer(stop)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		about := map[string]any{"resource": g.url, "authorization_servers": []string{a.issuer}, "scopes_supported": []string{"notes"}}
		g.mu.Lock()
		for k, v := range g.says {
			about[k] = v
		}
		g.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(about)
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		g.mu.Lock()
		scope, refused := g.scope, g.refused[token]
		if token != "" && !slices.Contains(g.shown, token) {
			g.shown = append(g.shown, token)
		}
		g.mu.Unlock()
		active, wide := false, false
		if token != "" && !refused {
			active, wide = a.good(token, g.url, scope)
		}
		about := `resource_metadata="` + strings.Replace(g.url, "/mcp", "/.well-known/oauth-protected-resource/mcp", 1) + `"`
		switch {
		case !active:
			w.Header().Set("WWW-Authenticate", "Bearer "+about)
			w.WriteHeader(http.StatusUnauthorized)
		case !wide:
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+scope+`", `+about)
			w.WriteHeader(http.StatusForbidden)
		default:
			handler.ServeHTTP(w, r)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(stop)
		for session := range s.Sessions() {
			_ = session.Close()
		}
		server.CloseClientConnections()
		server.Close()
	})
	g.url = server.URL + "/mcp"
	return g
}

// refuse has the server take a token no more, as one that was taken back before its time.
func (g *guarded) refuse(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused[token] = true
}

func (g *guarded) tokens() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.shown)
}

var (
	formTo  = regexp.MustCompile(`action="([^"]+)"`)
	abortTo = regexp.MustCompile(`href="([^"]+/abort)"`)
	prompt  = regexp.MustCompile(`name="prompt" value="(\w+)"`)
)

// browser is a person's browser: it signs in and agrees, or declines. twist changes what it brings back.
type browser struct {
	t       *testing.T
	decline bool
	twist   func(q url.Values)
	visited []string
	said    string // what the last page said
}

// open visits a page as a person would, and goes on by itself until it is back on this computer's desk.
func (b *browser) open(_ context.Context, address string) error {
	b.visited = append(b.visited, address)
	page, err := url.Parse(address)
	if err != nil {
		return err
	}
	back := page.Query().Get("redirect_uri")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(req *http.Request, _ []*http.Request) error {
		if b.twist != nil && strings.HasPrefix(req.URL.String(), back) {
			q := req.URL.Query()
			b.twist(q)
			req.URL.RawQuery = q.Encode()
		}
		return nil
	}}
	resp, err := client.Get(address)
	for err == nil {
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if b.said = string(text); resp.StatusCode != http.StatusOK || strings.HasPrefix(resp.Request.URL.String(), back) {
			return nil
		}
		form, kind := formTo.FindStringSubmatch(b.said), prompt.FindStringSubmatch(b.said)
		if abort := abortTo.FindStringSubmatch(b.said); b.decline && abort != nil {
			resp, err = client.Get(abort[1])
			continue
		}
		if form == nil || kind == nil {
			b.t.Errorf("a page that nobody knows: %s", b.said)
			return nil
		}
		resp, err = client.PostForm(form[1], url.Values{"prompt": {kind[1]}, "login": {"kim"}, "password": {"kim"}})
	}
	return err
}

// signing is a house with one guarded server that waits for somebody to sign in.
func signing(t *testing.T) (*house, *guarded, *browser) {
	t.Helper()
	g := newGuarded(t, newAuthority(t))
	h := newHouse(t, quick)
	b := &browser{t: t}
	h.page = b.open
	h.mount(map[string]entry{"far": {"url": g.url}})
	v := h.until("far", "somebody must sign in", is(mcp.StateNeedsSignIn))
	if v.SignIn == nil || v.SignIn.State != mcp.SignInNeeded || v.Error != "" || len(b.visited) > 0 {
		t.Fatalf("%+v, visited %q", v, b.visited)
	}
	return h, g, b
}

func (h *house) signsIn() {
	h.t.Helper()
	if err := h.SignIn(h.t.Context(), "far"); err != nil {
		h.t.Fatal(err)
	}
	v := h.until("far", "its tools are shown", func(v mcp.ServerView) bool { return v.State == mcp.StateReady || v.Digest != "" })
	if v.Digest != "" {
		if err := h.Consent(h.t.Context(), "far", v.Digest); err != nil {
			h.t.Fatal(err)
		}
	}
	h.until("far", "it is ready", is(mcp.StateReady))
}

func (h *house) echoes(text string) {
	h.t.Helper()
	if c := h.run(h.t.Context(), "far__echo", `{"text":"`+text+`"}`); c.err != nil || c.result.Text != text {
		h.t.Fatalf("%+v, %v\n%s", c.result, c.err, h.log)
	}
}

func TestSigningIn(t *testing.T) {
	h, g, b := signing(t)
	h.signsIn()
	h.echoes("hello")
	if v := h.server("far"); v.SignIn == nil || v.SignIn.State != mcp.SignedIn || "http://"+v.SignIn.At != g.authority.issuer {
		t.Errorf("%+v", v.SignIn)
	}
	mustHold(t, b.said, "Go back to Agent Chat")
	page, err := url.Parse(b.visited[0])
	if err != nil {
		t.Fatal(err)
	}
	q := page.Query()
	if q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) < 40 || q.Get("resource") != g.url || len(q.Get("state")) < 20 ||
		!strings.HasPrefix(q.Get("redirect_uri"), "http://127.0.0.1:") {
		t.Errorf("the page is %s", page)
	}
	registered, exchanged := g.authority.routes("registration"), g.authority.routes("token")
	if len(registered) != 1 || registered[0].Status != http.StatusCreated || len(exchanged) != 1 || exchanged[0].Params["resource"] != g.url {
		t.Errorf("registered %+v, exchanged %+v", registered, exchanged)
	}
	kept := h.ring.get("mcp/far/sign-in")
	if kept == "" || strings.Contains(h.notes(mcp.FileName), "keyring") {
		t.Errorf("kept %q", kept)
	}
	// What came is seen nowhere, and letters know it.
	secret := g.tokens()[0]
	if strings.Contains(h.log.String(), secret) || !slices.Contains(h.Secrets(), secret) {
		t.Errorf("the token is seen, or not known: %s", h.log)
	}

	// The next start of the program needs nobody.
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.open(quick)
	h.echoes("again")
	if len(b.visited) != 1 {
		t.Errorf("the browser was opened again: %q", b.visited)
	}
	// Removing the server forgets it.
	if err := h.Remove(t.Context(), "far"); err != nil {
		t.Fatal(err)
	}
	if kept := h.ring.get("mcp/far/sign-in"); kept != "" {
		t.Errorf("still kept: %q", kept)
	}
}

func TestATokenThatEndsIsRenewed(t *testing.T) {
	h, g, b := signing(t)
	h.signsIn()
	h.late.Store(int64(2 * time.Hour)) // by the clock it is over
	h.echoes("an hour later")
	second := g.tokens()
	if len(second) != 2 {
		t.Fatalf("tokens %q", second)
	}
	h.late.Store(0)
	g.refuse(second[1]) // taken back before its time: the server says so
	h.echoes("taken back")
	renewals := g.authority.routes("token")
	if len(g.tokens()) != 3 || len(renewals) != 3 {
		t.Fatalf("tokens %d, exchanges %d", len(g.tokens()), len(renewals))
	}
	for _, r := range renewals[1:] {
		if r.Params["grant_type"] != "refresh_token" || r.Params["resource"] != g.url {
			t.Errorf("%+v", r)
		}
	}
	if renewals[1].Params["refresh_token"] == renewals[2].Params["refresh_token"] {
		t.Error("a refresh token was used twice")
	}
	// The last one is kept: a fresh start renews with it.
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	g.refuse(g.tokens()[2])
	h.open(quick)
	h.echoes("after a start")
	if len(b.visited) != 1 {
		t.Errorf("the browser was opened again: %q", b.visited)
	}
	// Used by somebody else, it makes the authority take all of it back: somebody must sign in anew.
	resp, err := plainClient.PostForm(g.authority.issuer+"/token", url.Values{
		"grant_type": {"refresh_token"}, "client_id": {renewals[1].Params["client_id"].(string)}, "refresh_token": {renewals[1].Params["refresh_token"].(string)},
	})
	if err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Fatal(resp, err)
	}
	_ = resp.Body.Close()
	wantCode(t, h.run(t.Context(), "far__echo", `{"text":"x"}`).err, apperr.SignInNeeded)
	h.until("far", "somebody must sign in", is(mcp.StateNeedsSignIn))
	if kept := h.ring.get("mcp/far/sign-in"); kept != "" {
		t.Errorf("still kept: %q", kept)
	}
	h.signsIn()
	h.echoes("back")
}

// What a server wants more for is one call; the others go on, and a wider sign-in takes nothing away.
func TestAServerThatWantsMore(t *testing.T) {
	h, g, b := signing(t)
	h.signsIn()
	wants := func(scope string) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.scope = scope
	}
	wants("notes:write")
	wantCode(t, h.run(t.Context(), "far__echo", `{"text":"x"}`).err, apperr.SignInNeeded)
	v := h.until("far", "a wider sign-in is wanted", func(v mcp.ServerView) bool { return v.SignIn.State == mcp.SignInNeeded })
	if v.State != mcp.StateReady {
		t.Errorf("the whole server is %s", v.State)
	}
	wants("notes")
	h.echoes("less")
	wants("notes:write")
	h.signsIn()
	h.echoes("more")
	wants("notes")
	h.echoes("less again")
	page, err := url.Parse(b.visited[1])
	if err != nil {
		t.Fatal(err)
	}
	scopes := strings.Fields(page.Query().Get("scope"))
	slices.Sort(scopes)
	if !slices.Equal(scopes, []string{"notes", "notes:write", "offline_access"}) {
		t.Errorf("asked for %q", scopes)
	}
	if v := h.server("far"); v.SignIn.State != mcp.SignedIn {
		t.Errorf("%+v", v.SignIn)
	}
}

func TestSigningOut(t *testing.T) {
	h, _, b := signing(t)
	h.signsIn()
	if err := h.SignOut(t.Context(), "far"); err != nil {
		t.Fatal(err)
	}
	h.until("far", "somebody must sign in", is(mcp.StateNeedsSignIn))
	if len(h.keys()) > 0 || h.ring.get("mcp/far/sign-in") != "" {
		t.Errorf("in the box %v, kept %q", h.keys(), h.ring.get("mcp/far/sign-in"))
	}
	h.signsIn()
	if len(b.visited) != 2 {
		t.Errorf("%q", b.visited)
	}
}

// What the browser brings counts only when it is the answer to what was asked, of the very server that was asked.
func TestWhatTheBrowserBrings(t *testing.T) {
	h, g, b := signing(t)
	fails := func(name string, code apperr.Code, why string) {
		t.Helper()
		err := h.SignIn(t.Context(), "far")
		if text := apperr.From(err).Text(bilingual.EN); apperr.CodeOf(err) != code || !strings.Contains(text, why) {
			t.Errorf("%s: %s, want %s", name, text, code)
		}
		if h.ring.get("mcp/far/sign-in") != "" || h.server("far").State != mcp.StateNeedsSignIn || h.server("far").SignIn.State != mcp.SignInNeeded {
			t.Errorf("%s: %+v", name, h.server("far"))
		}
	}
	b.decline = true
	fails("declined", apperr.SignInDeclined, "You declined")
	mustHold(t, b.said, "You are not signed in")
	b.decline = false

	b.twist = func(q url.Values) { q.Set("iss", "https://evil.example") }
	fails("of another server", apperr.SignInFailed, "does not match expected issuer")
	b.twist = func(q url.Values) { q.Del("iss") }
	fails("of nobody", apperr.SignInFailed, "none was received")
	b.twist = func(q url.Values) { q.Set("code", "guessed") }
	fails("a code that was not given", apperr.SignInFailed, "invalid_grant")
	b.twist = func(q url.Values) { q.Del("code") }
	fails("no code", apperr.SignInFailed, "no code")
	b.twist = func(q url.Values) { q.Set("error", "server_error"); q.Set("error_description", "\x1b[31mno") }
	fails("the server's trouble", apperr.SignInFailed, "server_error: [31mno")

	// A visit with another state is nobody's: the sign-in waits on, until it is called off.
	b.twist = func(q url.Values) { q.Set("state", "of-somebody-else") }
	h.page = func(ctx context.Context, address string) error {
		if err := b.open(ctx, address); err != nil {
			return err
		}
		mustHold(t, b.said, "Begin again in Agent Chat")
		if v := h.server("far"); v.SignIn.State != mcp.SignInWaiting || "http://"+v.SignIn.At != g.authority.issuer {
			t.Errorf("%+v", v.SignIn)
		}
		return h.CancelSignIn("far")
	}
	fails("a foreign state, called off", apperr.Canceled, "canceled")
	h.page, b.twist = b.open, nil
	h.signsIn()
}

// A later sign-in takes the place of one that a person left lying.
func TestALaterSignInTakesThePlace(t *testing.T) {
	h, _, b := signing(t)
	opened, ended := make(chan struct{}), make(chan error, 1)
	h.page = func(context.Context, string) error { close(opened); return nil }
	go func() { ended <- h.SignIn(t.Context(), "far") }()
	<-opened
	h.page = b.open
	h.signsIn()
	wantCode(t, <-ended, apperr.Canceled)
	// And the end of the program does not wait for a browser.
	opened = make(chan struct{})
	h.page = func(context.Context, string) error { close(opened); return nil }
	go func() { ended <- h.SignIn(t.Context(), "far") }()
	<-opened
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	wantCode(t, <-ended, apperr.Canceled)
}

// A sign-in is for the address it was made at: under the same name another server gets nothing of it.
func TestAPassIsForOneAddress(t *testing.T) {
	h, g, _ := signing(t)
	h.signsIn()
	other := newGuarded(t, g.authority)
	h.mount(map[string]entry{"far": {"url": other.url}})
	h.until("far", "somebody must sign in", is(mcp.StateNeedsSignIn))
	if len(other.tokens()) > 0 {
		t.Errorf("the other server was shown %q", other.tokens())
	}
	// And a server cannot have a token made for another one.
	other.mu.Lock()
	other.says["resource"] = g.url
	other.mu.Unlock()
	if err := h.SignIn(t.Context(), "far"); err == nil {
		t.Error("a token for another resource was asked for")
	}
}

func TestAServerWithoutASignIn(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	h := newHouse(t, quick)
	b := &browser{t: t}
	h.page = b.open
	h.mount(map[string]entry{"far": {"url": server.URL + "/mcp"}})
	h.until("far", "somebody must sign in", is(mcp.StateNeedsSignIn))
	wantCode(t, h.SignIn(t.Context(), "far"), apperr.SignInFailed)
	if len(b.visited) > 0 {
		t.Errorf("%q", b.visited)
	}
	wantCode(t, h.SignIn(t.Context(), "nobody"), apperr.NotFound)
}

// A server of the internet gets nobody to knock at doors in here, by whatever it names for signing in.
func TestNoKnockingInsideForAServerElsewhere(t *testing.T) {
	a := mcp.NewAccount(t, "https://mcp.example.com/mcp")
	if err := a.Guard("127.0.0.1:8080"); err == nil {
		t.Error("this computer")
	}
	if err := a.Guard("192.168.0.1:443"); err == nil {
		t.Error("the network around it")
	}
	if err := a.Guard("[::1]:443"); err == nil {
		t.Error("this computer, IPv6")
	}
	if err := a.Guard("93.184.215.14:443"); err != nil {
		t.Error(err)
	}
	a.Reached("10.1.2.3:443", false) // the server itself is in here: an office's own
	if err := a.Guard("10.1.2.4:443"); err != nil {
		t.Error(err)
	}
	for proxied, at := range map[bool]string{true: "127.0.0.1:3128", false: "93.184.215.14:443"} {
		if a.Reached(at, proxied); a.Guard("10.1.2.4:443") == nil {
			t.Error("the way there ends at", at)
		}
	}
}
