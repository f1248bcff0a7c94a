// Package failover settles which interpreter answers: the one that was chosen while it is well, else the built-in one, which
// always is.
package failover

import (
	"context"
	"slices"
	"sync"
	"time"

	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// How often the chosen interpreter is asked how it is: often while the customer wants it and it is not there, seldom when
// it only would be welcome.
const (
	askWanted  = 5 * time.Second
	askWelcome = 20 * time.Second
)

// Auto is the setting that takes a local model when there is one.
const Auto = "auto"

// Failover knows which interpreter is on duty, and tells the fronts of every change. Start has it look again and again; Wake asks
// for a look right now: a call has just failed, or a setting changed. Safe for concurrent use.
type Failover struct {
	*background.Loop
	Standby provider.Provider // the built-in one; never changes

	pub    event.Publisher
	lang   func() bilingual.Lang
	others map[string]provider.Provider // by name

	looks chan struct{} // holds one while somebody looks

	mu      sync.Mutex
	chosen  string // a provider's name, or Auto
	current provider.Provider
	state   event.ProviderState
	loads   map[string]int // by provider, the requests that wait for a model to be loaded
	moved   []func()       // told when another interpreter or model is on duty
}

// New makes a failover of the built-in interpreter and others.
func New(pub event.Publisher, lang func() bilingual.Lang, builtin provider.Provider, others ...provider.Provider) *Failover {
	f := &Failover{
		pub: pub, lang: lang, Standby: builtin, others: map[string]provider.Provider{}, looks: make(chan struct{}, 1),
		chosen: builtin.Name(), current: builtin, loads: map[string]int{},
	}
	for _, p := range others {
		f.others[p.Name()] = p
	}
	f.state = f.describe(builtin, builtin.Status(context.Background()))
	f.Loop = background.New(time.Now, time.Hour, func(ctx context.Context) time.Time { return time.Now().Add(f.Look(ctx)) })
	return f
}

// Provider is who interprets now.
func (f *Failover) Provider() provider.Provider {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current
}

// Secrets are the keys that providers were given, which must not stand in what is kept of requests.
func (f *Failover) Secrets() (keys []string) {
	for _, p := range f.others {
		if k, ok := p.(interface{ Secret() string }); ok && k.Secret() != "" {
			keys = append(keys, k.Secret())
		}
	}
	return keys
}

// Follow calls moved, which must return at once, whenever another interpreter or another model is on duty.
func (f *Failover) Follow(moved func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moved = append(f.moved, moved)
}

// State is what the fronts show.
func (f *Failover) State() event.ProviderState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Choose changes who is wanted; Look finds out whether that one is well.
func (f *Failover) Choose(name string) {
	if name == "" {
		name = Auto
	}
	f.mu.Lock()
	f.chosen = name
	f.mu.Unlock()
	f.Wake()
}

// Look asks the wanted interpreter how it is, puts the right one on duty, and says when to look again. One looks at a
// time: an old answer must not overtake a newer one.
func (f *Failover) Look(ctx context.Context) time.Duration {
	select {
	case f.looks <- struct{}{}:
		defer func() { <-f.looks }()
	case <-ctx.Done():
		return askWanted
	}
	f.mu.Lock()
	chosen := f.chosen
	f.mu.Unlock()
	name := chosen
	if name == Auto {
		name = "ollama"
	}
	wanted := f.others[name]
	if wanted == nil {
		f.take(f.Standby, f.describe(f.Standby, f.Standby.Status(ctx)), "")
		return time.Hour
	}
	status := wanted.Status(ctx)
	switch {
	case ctx.Err() != nil:
	case f.isLoading(name), name == ollama.Name && status.Health == provider.HealthStarting:
		// It is there and will answer: requests wait for it rather than go to another.
		f.take(wanted, f.describe(wanted, provider.Status{Health: provider.HealthStarting, Reason: provider.ReasonLoading, Model: status.Model}), "")
	case status.Health == provider.HealthOK:
		f.take(wanted, f.describe(wanted, status), "")
	case chosen == Auto:
		missed := ""
		if f.Provider() == wanted { // it was there a moment ago
			missed = name
		}
		f.take(f.Standby, f.describe(f.Standby, f.Standby.Status(ctx)), missed)
		return askWelcome
	default:
		f.take(f.Standby, f.describe(wanted, status), name)
	}
	return askWanted
}

// Loading is told when a request has to wait for a model to be loaded, and when that is over. The fronts hear of the first
// and of the last at once.
func (f *Failover) Loading(name string, now bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.loads[name] > 0
	if now {
		f.loads[name]++
	} else {
		f.loads[name]--
	}
	if before == (f.loads[name] > 0) || f.current.Name() != name {
		return
	}
	status := provider.Status{Health: provider.HealthOK, Model: f.state.Model}
	if now {
		status.Health, status.Reason = provider.HealthStarting, provider.ReasonLoading
	}
	if state := f.describe(f.current, status); state != f.state {
		f.state = state
		f.pub.Publish(event.Of("", "", state))
	}
	f.Wake() // whatever became of it
}

func (f *Failover) isLoading(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loads[name] > 0
}

// take puts p on duty and tells what changed. missed names the one that p only stands in for, "" when p is wanted.
func (f *Failover) take(p provider.Provider, state event.ProviderState, missed string) {
	for _, moved := range f.put(p, state, missed) {
		moved()
	}
}

// put is take but for those who follow, whom it gives when they are to be told.
func (f *Failover) put(p provider.Provider, state event.ProviderState, missed string) (tell []func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	same := f.state == state && f.current == p
	gone := missed != "" && (f.current != p || f.state.Health != state.Health)
	if f.current != p || p != f.Standby && f.state.Model != state.Model {
		tell = slices.Clone(f.moved)
	}
	f.current, f.state = p, state
	if same {
		return tell
	}
	events := []event.Event{event.Of("", "", state)}
	if gone {
		e := noticeOf(missed, state)
		events = append(events, event.Of("", "", event.Error{Code: string(e.Code), Message: e.Text(f.lang()), Fields: e.Fields}))
	}
	f.pub.Publish(events...)
	return tell
}
