// Package failover knows how every model server is, and settles who answers: those that a person listed, in their order, while they are
// well, else the built-in interpreter, which always is.
package failover

import (
	"context"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// How often the servers are asked how they are: often while the customer wants one and it is not there, seldom when it only would be
// welcome.
const (
	askWanted  = 5 * time.Second
	askWelcome = 20 * time.Second
)

// settleAfter is how long a look waits for all servers before it goes by those that have answered: one that hangs holds up nobody.
const settleAfter = time.Second

// Auto is the setting that takes a model where there is one.
const Auto = "auto"

// Server is a provider in the order in which they are asked. A spare one is asked only while none of the others is well.
type Server struct {
	provider.Provider
	Spare bool
}

// Failover knows which interpreters may answer, and tells the fronts of every change. Start has it look again and again; Wake asks
// for a look right now: a call has just failed, or a setting changed. Safe for concurrent use.
type Failover struct {
	*background.Loop
	Standby provider.Provider // the built-in one; never changes

	pub  event.Publisher
	lang func() bilingual.Lang

	looks chan struct{} // holds one while somebody looks

	mu      sync.Mutex
	others  []Server // those that there are when nobody chose, for Choose
	chosen  string   // a provider's name, or Auto
	list    []Server // who may answer, the best first
	known   map[string]provider.Status
	current provider.Provider
	state   event.ProviderState
	loads   map[string]int // by provider, the requests that wait for a model to be loaded
	moved   []func()       // told when another interpreter or model is on duty
	changed func()         // told when a server is not as it was; nil: nobody is
}

// New makes a failover of the built-in interpreter and others.
func New(pub event.Publisher, lang func() bilingual.Lang, builtin provider.Provider, others ...provider.Provider) *Failover {
	f := &Failover{
		pub: pub, lang: lang, Standby: builtin, looks: make(chan struct{}, 1), known: map[string]provider.Status{},
		chosen: builtin.Name(), current: builtin, loads: map[string]int{},
	}
	for _, p := range others {
		f.others = append(f.others, Server{Provider: p})
	}
	f.state = f.describe(builtin, builtin.Status(context.Background()))
	f.Loop = background.New(time.Now, time.Hour, func(ctx context.Context) time.Time { return time.Now().Add(f.Look(ctx)) })
	return f
}

// Provider is who interprets now: the first of those that are well.
func (f *Failover) Provider() provider.Provider {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current
}

// Well are all who may answer now, the first in the order first, and those that are spare behind the others; none: the built-in one is.
func (f *Failover) Well() []Server {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.well()
}

func (f *Failover) well() (list []Server) {
	for _, spare := range []bool{false, true} {
		for _, s := range f.list {
			if s.Spare == spare && f.ready(s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// ready tells whether requests may go to a server: it is well, or it will answer once its model is there. Called with f.mu held.
func (f *Failover) ready(s Server) bool {
	status, asked := f.known[s.Name()]
	return asked && (status.Health == provider.HealthOK || f.starting(s.Provider, status))
}

// starting tells whether a server is there and will answer: requests wait for it rather than go to another. Called with f.mu held.
func (f *Failover) starting(p provider.Provider, status provider.Status) bool {
	_, local := p.(*ollama.Provider)
	return f.loads[p.Name()] > 0 || status.Health == provider.HealthStarting && (local || p.Name() == ollama.Name)
}

// Status is how a server was when it was last asked; ok is false while nobody has asked it.
func (f *Failover) Status(name string) (s provider.Status, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok = f.known[name]
	return s, ok
}

// Missed says that a server could not answer a request. Where others may, it is asked no more before it has said again how it is. The next look
// is at once.
func (f *Failover) Missed(name string, err error) {
	f.mu.Lock()
	is, asked := f.known[name]
	if code := apperr.CodeOf(err); asked && len(f.list) > 1 && is.Health == provider.HealthOK && (code == apperr.ProviderUnreachable || code == apperr.ModelTimeout) {
		is.Health, is.Reason = provider.HealthUnreachable, provider.ReasonNotAnswering
		f.known[name] = is
	}
	f.mu.Unlock()
	f.Wake()
}

// Secrets are the keys that providers were given, which must not stand in what is kept of requests.
func (f *Failover) Secrets() (keys []string) {
	f.mu.Lock()
	all := slices.Concat(f.others, f.list)
	f.mu.Unlock()
	for _, p := range all {
		if k, ok := p.Provider.(interface{ Secret() string }); ok {
			if key := k.Secret(); key != "" && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
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

// Watch calls changed, which must return at once, whenever a server is not as it was.
func (f *Failover) Watch(changed func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed = changed
}

// State is what the fronts show.
func (f *Failover) State() event.ProviderState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Choose changes who is wanted, and who may answer besides, the best first; nobody named: the wanted one alone, or for Auto the one on this
// computer. Look finds out who of them is well.
func (f *Failover) Choose(name string, list ...Server) {
	if name == "" {
		name = Auto
	}
	f.mu.Lock()
	if len(list) == 0 {
		for _, s := range f.others {
			if s.Name() == name || name == Auto && s.Name() == ollama.Name {
				list = append(list, s)
			}
		}
	}
	for old := range f.known {
		if !slices.ContainsFunc(list, func(s Server) bool { return s.Name() == old }) {
			delete(f.known, old)
		}
	}
	f.chosen, f.list = name, list
	f.mu.Unlock()
	f.Wake()
}

// Look asks the servers how they are, all at once, puts the right one on duty, and says when to look again. One looks at a time: an
// old answer must not overtake a newer one.
func (f *Failover) Look(ctx context.Context) time.Duration {
	select {
	case f.looks <- struct{}{}:
		defer func() { <-f.looks }()
	case <-ctx.Done():
		return askWanted
	}
	f.mu.Lock()
	list := f.list
	f.mu.Unlock()
	type found struct {
		name string
		is   provider.Status
	}
	answers := make(chan found, len(list))
	for _, s := range list {
		go func() { answers <- found{s.Name(), s.Status(ctx)} }()
	}
	settle := time.NewTimer(settleAfter)
	defer settle.Stop()
	for range list {
		for waiting := true; waiting; {
			select {
			case a := <-answers:
				f.heard(ctx, a.name, a.is)
				waiting = false
			case <-settle.C:
				f.settle(ctx)
			}
		}
	}
	return f.settle(ctx)
}

// heard notes how a server is.
func (f *Failover) heard(ctx context.Context, name string, is provider.Status) {
	f.mu.Lock()
	listed := slices.ContainsFunc(f.list, func(s Server) bool { return s.Name() == name })
	if ctx.Err() != nil || !listed {
		f.mu.Unlock()
		return
	}
	before, asked := f.known[name]
	f.known[name] = is
	changed := f.changed
	f.mu.Unlock()
	if changed != nil && (!asked || before != is) {
		changed()
	}
}

// settle puts the right one on duty, by what is known, and says when to look again.
func (f *Failover) settle(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return askWanted
	}
	standby := f.describe(f.Standby, f.Standby.Status(ctx))
	f.mu.Lock()
	chosen, list, well, current := f.chosen, f.list, f.well(), f.current
	if len(list) == 0 {
		f.mu.Unlock()
		f.take(f.Standby, standby, "")
		return time.Hour
	}
	if len(well) > 0 {
		p := well[0].Provider
		status := f.known[p.Name()]
		if f.starting(p, status) {
			status = provider.Status{Health: provider.HealthStarting, Reason: provider.ReasonLoading, Model: status.Model}
		}
		f.mu.Unlock()
		f.take(p, f.describe(p, status), "")
		return askWanted
	}
	status, asked := f.known[list[0].Name()]
	f.mu.Unlock()
	switch {
	case !asked: // it hangs: the look is not over
	case chosen == Auto:
		missed := ""
		if slices.ContainsFunc(list, func(s Server) bool { return s.Provider == current }) { // it was there a moment ago
			missed = current.Name()
		}
		f.take(f.Standby, standby, missed)
		return askWelcome
	default:
		f.take(f.Standby, f.describe(list[0].Provider, status), list[0].Name())
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
