package ollama_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/outbound"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
	"agentchat/backend/testing/fakemodel"
)

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	goleak.VerifyTestMain(m)
}

func fake(t *testing.T, args ...string) *fakemodel.Process {
	t.Helper()
	server, err := fakemodel.Start(args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Errorf("the fake server ended with %v", err)
		}
	})
	return server
}

func fixed(s string) func() string { return func() string { return s } }

// open makes a provider that the test closes. Missing options get values that suit a test.
func open(t *testing.T, o ollama.Options) *ollama.Provider {
	t.Helper()
	if o.Timeouts == nil {
		o.Timeouts = limits(providertest.Patient)
	}
	o.Line = outbound.New(outbound.Options{}) // whatever a server here fetches
	p := ollama.New(o)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func limits(d providertest.Deadlines) func() (connect, first, gap time.Duration) {
	return func() (connect, first, gap time.Duration) { return d.Connect, d.First, d.Gap }
}

func TestConformance(t *testing.T) {
	server := fake(t)
	providertest.Run(t, func() provider.Provider {
		return open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("shop"), Parallel: func() int { return 4 }})
	})
}

func TestFaults(t *testing.T) {
	server := fake(t)
	providertest.RunFaults(t, server, func(t *testing.T, model string, d providertest.Deadlines) provider.Provider {
		return open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(model), Timeouts: limits(d)})
	})
}

func TestToolCalls(t *testing.T) {
	server := fake(t)
	providertest.RunCalls(t, func(t *testing.T, model string, style provider.CallStyle) provider.Provider {
		return open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(model), Native: func() provider.CallStyle { return style }})
	})
}

// Left to itself the provider calls natively only where that does not cost reading requests anew: several slots, and a model
// whose template knows tools.
func TestWhenCallsAreNative(t *testing.T) {
	server := fake(t)
	for _, c := range []struct {
		model    string
		parallel int
		want     bool
	}{{"call-one", 1, false}, {"call-one", 2, true}, {"shop", 2, false}} {
		p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(c.model), Parallel: func() int { return c.parallel }})
		if got := p.NativeCalls(t.Context()); got != c.want {
			t.Errorf("%s with %d slots: native %v, want %v", c.model, c.parallel, got, c.want)
		}
	}
}
