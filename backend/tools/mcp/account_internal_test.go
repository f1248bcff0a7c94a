package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"agentchat/backend/logging"
	"agentchat/backend/outbound"
)

// The connection that carries a request says where a server stands, not the attempt at one.
func TestWhereAServerStandsIsSeenByItsConnection(t *testing.T) {
	there := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(there.Close)
	for address, beside := range map[string]bool{"http://127.0.0.1:1/mcp": false, there.URL: true} {
		a := newAccount(Server{Name: "far", URL: address}, &Options{})
		way, drop := remote(Server{URL: address}, a, nil)
		resp, err := httpOf(way).Get(address)
		if err == nil {
			_ = resp.Body.Close()
		}
		drop()
		if (err == nil) != beside || a.beside.Load() != beside {
			t.Errorf("%s: beside %v, %v", address, a.beside.Load(), err)
		}
	}
}

// A proxy on this computer is gone through, and reaches nothing in here for a server elsewhere. The environment is read once in a process, so it is one
// of its own.
func TestSigningInBehindAProxyOfThisComputer(t *testing.T) {
	const elsewhere = "http://93.184.215.14/"
	if os.Getenv("MCP_TEST_PROXY") == "" {
		proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.String() != elsewhere {
				t.Error("the proxy was asked for", r.URL)
			}
		}))
		t.Cleanup(proxy.Close)
		run := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSigningInBehindAProxyOfThisComputer$")
		run.Env = append(os.Environ(), "MCP_TEST_PROXY=1", "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
		if said, err := run.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
		}
		return
	}
	line := outbound.New(outbound.Options{})
	a := newAccount(Server{Name: "far", URL: elsewhere}, &Options{Line: line})
	defer a.close()
	get := func(client *http.Client, address string) error {
		resp, err := client.Get(address)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err
	}
	way, drop := remote(Server{URL: elsewhere}, a, line)
	defer drop()
	if err := get(httpOf(way), elsewhere); err != nil || a.beside.Load() {
		t.Errorf("the server itself: %v, beside %v", err, a.beside.Load())
	}
	if err := get(a.client, elsewhere); err != nil {
		t.Error("where somebody signs in:", err)
	}
	for _, inside := range []string{"http://192.168.0.1/", "http://[fe80::1]/", "http://localhost.:1/", os.Getenv("HTTP_PROXY")} {
		if err := get(a.client, inside); !errors.Is(err, errBeside) {
			t.Errorf("%s: %v", inside, err)
		}
	}
}

// However many begin at once, the last is the one that is called off.
func TestSignInsAtOnceAreAllCalledOff(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	a := newAccount(Server{Name: "far", URL: silent.URL}, &Options{Now: time.Now})
	a.beside.Store(true)
	t.Cleanup(a.close)
	var began, ended sync.WaitGroup
	for range 50 {
		began.Add(1)
		ended.Go(func() {
			err := a.signIn(context.Background(), nil, sync.OnceFunc(began.Done))
			if !errors.Is(err, errCalledOff) {
				t.Error(err)
			}
		})
	}
	began.Wait()
	a.stop()
	ended.Wait()
}

// slowVault is a keyring that looks at the account while it is asked.
type slowVault struct {
	vault
	asked func()
}

func (v *slowVault) Get(ctx context.Context, name string) (string, error) {
	v.asked()
	return v.vault.Get(ctx, name)
}

func (v *slowVault) Set(ctx context.Context, name, text string) error {
	v.asked()
	return v.vault.Set(ctx, name, text)
}

// A keyring may wait for a person. Whoever only looks at the account does not wait with it.
func TestNobodyWaitsForTheKeyringToLook(t *testing.T) {
	kept := &slowVault{}
	a := newAccount(Server{Name: "far", URL: "http://127.0.0.1:1/mcp"}, &Options{Keys: kept, Now: time.Now})
	asked := 0
	kept.asked = func() {
		if asked++; !a.mu.TryLock() {
			t.Error("it is locked while the keyring is asked")
			return
		}
		a.mu.Unlock()
	}
	a.held(t.Context())
	first := &pass{URL: a.at, Access: "access-1"}
	if err := a.keep(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if a.replace(t.Context(), first, nil) != nil || asked != 3 {
		t.Errorf("the keyring was asked %d times", asked)
	}
	// What was called off while it waited for its turn is not kept.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.keep(gone, first); !errors.Is(err, context.Canceled) || a.held(t.Context()) != nil || kept.text != "" {
		t.Errorf("%v, kept %q", err, kept.text)
	}
}

// What is renewed every hour does not add up in what the log looks for. Whoever signs out or in anew leaves tokens behind that are good elsewhere for a while.
func TestSpentTokensAreForgotten(t *testing.T) {
	a := newAccount(Server{Name: "far", URL: "http://127.0.0.1:1/mcp"}, &Options{Keys: &vault{}, Now: time.Now})
	seen := func(text string) bool { return logging.Redact("it says "+text) == "it says "+text }
	of := func(n string) *pass { return &pass{URL: a.at, Access: "walrus " + n, Fresh: "the same narwhal"} }
	signs := func(p *pass) {
		t.Helper()
		if err := a.keep(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	renews := func(n string) { a.replace(t.Context(), a.held(t.Context()), of(n)) }
	signs(of("of yesterday"))
	signs(nil)
	signs(of("of the morning"))
	signs(of("one"))
	renews("two")
	renews("three")
	signs(of("four"))
	renews("five")
	renews("six")
	for text, out := range map[string]bool{
		"walrus of yesterday": false, "walrus of the morning": false, "walrus one": true, "walrus two": true, "walrus three": false, "walrus four": true, "walrus five": false, "walrus six": false,
		"the same narwhal": false,
	} {
		if seen(text) != out {
			t.Errorf("%s is seen: %v", text, !out)
		}
	}
}
