package failover_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/openai"
)

// interpreter is one whose state the test sets. It interprets nothing: who is on duty is all that matters here.
type interpreter struct {
	provider.Provider
	name  string
	mu    sync.Mutex
	is    provider.Status
	count int
	hold  chan struct{} // when there is one, Status waits for it before it says how it was when it was asked
}

func (i *interpreter) Name() string { return i.name }

func (i *interpreter) Status(context.Context) provider.Status {
	i.mu.Lock()
	i.count++
	status, hold := i.is, i.hold
	i.mu.Unlock()
	if hold != nil {
		<-hold
	}
	return status
}

func (i *interpreter) be(s provider.Status) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.is = s
}

func (i *interpreter) asked() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.count
}

// told keeps what the fronts hear, as short words.
type told []string

func (s *told) Publish(events ...event.Event) {
	for _, e := range events {
		switch x := e.Data.(type) {
		case event.ProviderState:
			*s = append(*s, x.Provider+" "+x.Health)
		case event.Error:
			*s = append(*s, fmt.Sprintf("%s %v", x.Code, x.Fields["provider"]))
		}
	}
}

// news gives what was told since it was last asked.
func (s *told) news() []string {
	all := slices.Clone(*s)
	*s = (*s)[:0]
	return all
}

var (
	well = provider.Status{Health: provider.HealthOK, Model: "m"}
	away = provider.Status{Health: provider.HealthUnreachable, Reason: provider.ReasonNotRunning}
)

// open makes a failover between the phrasebook, a local server and a foreign one.
func open() (f *failover.Failover, local, foreign *interpreter, heard *told) {
	heard = &told{}
	local, foreign = &interpreter{name: "ollama", is: well}, &interpreter{name: openai.Name, is: well}
	f = failover.New(heard, func() bilingual.Lang { return bilingual.EN }, builtin.New(), local, foreign)
	return f, local, foreign, heard
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Who was chosen works while it is well; the phrasebook stands in for it, and people hear once of each change.
func TestTheChosenOneWorksWhileItIsWell(t *testing.T) {
	f, _, foreign, heard := open()
	moves := 0
	f.Follow(func() { moves++ })
	if f.Provider().Name() != builtin.Name || f.State().Health != string(provider.HealthOK) {
		t.Errorf("before anybody looked: %+v", f.State())
	}
	f.Choose(openai.Name)
	look := func(want time.Duration) {
		t.Helper()
		if next := f.Look(t.Context()); next != want {
			t.Errorf("looks again in %v, want %v", next, want)
		}
	}
	look(5 * time.Second)
	look(5 * time.Second)
	same(t, "found well twice", heard.news(), []string{"openai ok"})

	foreign.be(away)
	look(5 * time.Second)
	look(5 * time.Second)
	same(t, "gone", heard.news(), []string{"openai unreachable", "provider_unreachable openai"})
	if f.Provider() != f.Standby || f.State().Detail == "" {
		t.Errorf("nobody stands in, or nobody says why: %+v", f.State())
	}

	foreign.be(provider.Status{Health: provider.HealthNoModel, Reason: provider.ReasonNoModel, Model: "m"})
	look(5 * time.Second)
	same(t, "there, but without a model", heard.news(), []string{"openai no_model", "model_missing <nil>"})

	foreign.be(provider.Status{Health: provider.HealthError, Reason: provider.ReasonRefused})
	look(5 * time.Second)
	same(t, "turned down", heard.news(), []string{"openai error", "provider_refused openai"})

	foreign.be(well)
	look(5 * time.Second)
	same(t, "back", heard.news(), []string{"openai ok"})
	f.Choose("somebody else")
	look(time.Hour)
	same(t, "an unknown one is wanted", heard.news(), []string{"builtin ok"})
	if moves != 4 {
		t.Errorf("those who follow were told of %d changes, want 4", moves)
	}
}

// With auto a local model is welcome, not wanted: that it never was there is nobody's trouble, that it went is.
func TestAutoTakesALocalModelWhenThereIsOne(t *testing.T) {
	f, local, _, heard := open()
	local.be(away)
	f.Choose("")
	if next := f.Look(t.Context()); next != 20*time.Second {
		t.Errorf("looks again in %v", next)
	}
	same(t, "never there", heard.news(), nil)
	local.be(well)
	f.Look(t.Context())
	same(t, "there", heard.news(), []string{"ollama ok"})
	local.be(away)
	f.Look(t.Context())
	f.Look(t.Context())
	same(t, "gone", heard.news(), []string{"builtin ok", "provider_unreachable ollama"})
}

// While a model is loaded its requests wait for it, however it answers meanwhile; the fronts hear of the first wait and the last.
func TestALoadingModelStaysOnDuty(t *testing.T) {
	f, local, _, heard := open()
	f.Choose("ollama")
	f.Look(t.Context())
	heard.news()
	f.Loading("ollama", true)
	f.Loading("ollama", true)
	f.Loading(openai.Name, true) // somebody else's
	same(t, "two requests wait", heard.news(), []string{"ollama starting"})
	local.be(away)
	f.Look(t.Context())
	if f.Provider().Name() != "ollama" || f.State().Reason != string(provider.ReasonLoading) {
		t.Errorf("while it loads: %+v", f.State())
	}
	local.be(well)
	heard.news()
	f.Loading("ollama", false)
	f.Loading(openai.Name, false)
	same(t, "one has come", heard.news(), nil)
	f.Loading("ollama", false)
	same(t, "both have", heard.news(), []string{"ollama ok"})
	local.be(provider.Status{Health: provider.HealthStarting, Model: "m"})
	f.Look(t.Context())
	if f.Provider().Name() != "ollama" {
		t.Errorf("a server that starts was left: %+v", f.State())
	}
}

// One looks at a time, so that an old answer never overtakes a newer one; who gives up waiting changes nothing.
func TestOneLooksAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, local, _, heard := open()
		f.Choose("ollama")
		local.hold = make(chan struct{})
		go f.Look(t.Context()) // hears that it is well, late
		synctest.Wait()
		local.be(away)
		impatient, leave := context.WithCancel(t.Context())
		leave()
		f.Look(impatient)
		if local.asked() != 1 {
			t.Errorf("asked %d times at once", local.asked())
		}
		go f.Look(t.Context())
		synctest.Wait()
		same(t, "while one looks", heard.news(), nil)
		close(local.hold)
		synctest.Wait()
		same(t, "the newer answer holds", heard.news(), []string{"ollama ok", "ollama unreachable", "provider_unreachable ollama"})
		local.be(well)
		for range 20 { // it may ask or not
			f.Look(impatient)
		}
		same(t, "an answer to somebody who left", heard.news(), nil)
	})
}

// From Start to Stop it looks by itself, often while somebody is wanted who is not there, and at once when it is woken.
func TestItLooksByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, local, _, heard := open()
		local.be(away)
		f.Choose("ollama")
		f.Start(t.Context())
		synctest.Wait()
		asked := local.asked()
		time.Sleep(12 * time.Second) //nolint:forbidigo // the bubble's own time
		synctest.Wait()
		if local.asked()-asked != 2 {
			t.Errorf("looked %d times in 12 s", local.asked()-asked)
		}
		local.be(well)
		heard.news()
		f.Wake()
		synctest.Wait()
		same(t, "woken", heard.news(), []string{"ollama ok"})
		f.Stop()
		asked = local.asked()
		f.Wake()
		synctest.Wait()
		if local.asked() != asked {
			t.Error("it looked after Stop")
		}
	})
}
