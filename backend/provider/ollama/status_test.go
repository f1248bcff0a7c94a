package ollama_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os/exec"
	"syscall"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
)

func found(string) (string, error)  { return "/usr/bin/ollama", nil }
func absent(string) (string, error) { return "", exec.ErrNotFound }

// dialing is a client whose every dial fails in one way, without a network.
func dialing(err error) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}}}
}

// closedAddr is an address where nothing listens.
func closedAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// deafAddr is an address that takes connections and never says a word.
func deafAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

func TestStatusTellsWhatIsWrong(t *testing.T) {
	server, plain, empty, closed := fake(t), fake(t, "-plain"), fake(t, "-no-model"), closedAddr(t)
	impatient := limits(providertest.Deadlines{Connect: providertest.Patient.Connect, First: soon, Gap: soon})
	for _, c := range []struct {
		name   string
		o      ollama.Options
		health provider.Health
		reason provider.Reason
		chat   apperr.Code
	}{
		{"fine", ollama.Options{Host: fixed(server.Addr), Model: fixed("shop")}, provider.HealthOK, "", ""},
		{"a model is picked", ollama.Options{Host: fixed("http://" + server.Addr + "/")}, provider.HealthOK, "", "*"},
		{"not installed", ollama.Options{Host: fixed(closed), Usual: closed, LookPath: absent}, provider.HealthUnreachable, provider.ReasonNotInstalled, apperr.ProviderUnreachable},
		{"not running", ollama.Options{Host: fixed(closed), Usual: closed, LookPath: found}, provider.HealthUnreachable, provider.ReasonNotRunning, apperr.ProviderUnreachable},
		{"a wrong port", ollama.Options{Host: fixed(closed), LookPath: absent}, provider.HealthUnreachable, provider.ReasonNothingThere, apperr.ProviderUnreachable},
		{"a wrong port, and it is installed", ollama.Options{Host: fixed(closed), LookPath: found}, provider.HealthUnreachable, provider.ReasonNothingThere, apperr.ProviderUnreachable},
		{"nothing elsewhere", ollama.Options{Host: fixed("192.0.2.1"), LookPath: absent, HTTP: dialing(syscall.ECONNREFUSED)}, provider.HealthUnreachable, provider.ReasonNothingThere, apperr.ProviderUnreachable},
		{"not answering", ollama.Options{Host: fixed(deafAddr(t)), Timeouts: impatient}, provider.HealthUnreachable, provider.ReasonNotAnswering, apperr.ModelTimeout},
		{"something else there", ollama.Options{Host: fixed(plain.Addr)}, provider.HealthUnreachable, provider.ReasonWrongAddress, "*"},
		{"no such host", ollama.Options{Host: fixed("nobody.invalid"), HTTP: dialing(&net.DNSError{Err: "no such host", IsNotFound: true})}, provider.HealthUnreachable, provider.ReasonWrongAddress, apperr.ProviderUnreachable},
		{"no way there", ollama.Options{Host: fixed("192.0.2.1"), HTTP: dialing(syscall.EHOSTUNREACH)}, provider.HealthUnreachable, provider.ReasonWrongAddress, apperr.ProviderUnreachable},
		{"no address", ollama.Options{Host: fixed("ftp://x")}, provider.HealthUnreachable, provider.ReasonWrongAddress, apperr.ProviderUnreachable},
		{"no model at all", ollama.Options{Host: fixed(empty.Addr)}, provider.HealthNoModel, provider.ReasonNoModel, apperr.ModelMissing},
		{"not that model", ollama.Options{Host: fixed(server.Addr), Model: fixed("missing")}, provider.HealthNoModel, provider.ReasonNoModel, apperr.ModelMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, c.o)
			s := p.Status(t.Context())
			if s.Health != c.health || s.Reason != c.reason || s.Health != provider.HealthOK && s.Detail == "" {
				t.Errorf("%+v", s)
			}
			if c.chat == "*" {
				return
			}
			if _, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil); apperr.CodeOf(err) != c.chat {
				t.Errorf("a letter ended with %v, want %q", err, c.chat)
			}
		})
	}
}

func TestStatusWhileTheModelLoads(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("waits")})
	loading := func() {
		t.Helper()
		if _, err := server.Await(t.Context(), "waits", "running"); err != nil {
			t.Fatal(err)
		}
		if s := p.Status(t.Context()); s.Health != provider.HealthStarting || s.Reason != provider.ReasonLoading || s.Model != "waits" {
			t.Errorf("%+v", s)
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil)
		ended <- err
	}()
	loading()
	if err := server.Release(t.Context(), "waits"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s := p.Status(t.Context()); s.Health != provider.HealthOK {
		t.Errorf("%+v", s)
	}
}

func TestTheBreakerShowsAndTheServerComesBack(t *testing.T) {
	server, closed := fake(t), closedAddr(t)
	host := closed
	p := open(t, ollama.Options{Host: func() string { return host }, Model: fixed("shop"), LookPath: found})
	say := func() error {
		_, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil)
		return err
	}
	for range 3 {
		if err := say(); apperr.CodeOf(err) != apperr.ProviderUnreachable || !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatal(err)
		}
	}
	if s := p.Status(t.Context()); s.Breaker != "open" || s.Health != provider.HealthUnreachable {
		t.Errorf("%+v", s)
	}
	host = server.Addr
	if err := say(); apperr.CodeOf(err) != apperr.ProviderUnreachable {
		t.Errorf("an open breaker let a letter through: %v", err)
	}
	if s := p.Status(t.Context()); s.Breaker != "half_open" || s.Health != provider.HealthOK { // whoever looks finds it is back
		t.Errorf("%+v", s)
	}
	if err := say(); err != nil {
		t.Error(err)
	}
	if s := p.Status(t.Context()); s.Breaker != "" {
		t.Errorf("%+v", s)
	}
}

func TestAServerThatOnlyFailsIsLeftAlone(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("memory")})
	for range 3 {
		if _, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil); apperr.CodeOf(err) != apperr.ProviderRefused {
			t.Fatal(err)
		}
	}
	if s := p.Status(t.Context()); s.Breaker != "open" || s.Health != provider.HealthError || s.Reason != provider.ReasonRefused {
		t.Errorf("%+v", s)
	}
}
