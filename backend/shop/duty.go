package shop

import (
	"context"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
)

// How often the chosen interpreter is asked how it is: often while the customer wants it and it is not there, seldom when
// it only would be welcome.
const (
	askWanted  = 5 * time.Second
	askWelcome = 20 * time.Second
)

// auto is the setting that takes a local model when there is one.
const auto = "auto"

// duty knows which interpreter is on duty: the one that was chosen while it is well, else the built-in one, which always
// is. It tells the fronts of every change. Safe for concurrent use.
type duty struct {
	pub     event.Publisher
	lang    func() apperr.Lang
	builtin provider.Provider
	others  map[string]provider.Provider // by name

	moved func() // told when another interpreter is on duty; must return at once; may be nil

	kick  chan struct{} // asks for a look right now
	looks chan struct{} // holds one while somebody looks

	mu      sync.Mutex
	chosen  string // a provider's name, or auto
	current provider.Provider
	state   event.ProviderState
	loads   map[string]int // by provider, the letters that wait for a model to be loaded
}

// newDuty makes a duty roster of the built-in interpreter and others.
func newDuty(pub event.Publisher, lang func() apperr.Lang, builtin provider.Provider, others ...provider.Provider) *duty {
	d := &duty{
		pub: pub, lang: lang, builtin: builtin, others: map[string]provider.Provider{}, kick: make(chan struct{}, 1), looks: make(chan struct{}, 1),
		chosen: builtin.Name(), current: builtin, loads: map[string]int{},
	}
	for _, p := range others {
		d.others[p.Name()] = p
	}
	d.state = d.describe(builtin, builtin.Status(context.Background()))
	return d
}

// provider is who interprets now.
func (d *duty) provider() provider.Provider {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// now is what the fronts show.
func (d *duty) now() event.ProviderState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}

// choose changes who is wanted; look finds out whether that one is well.
func (d *duty) choose(name string) {
	if name == "" {
		name = auto
	}
	d.mu.Lock()
	d.chosen = name
	d.mu.Unlock()
	d.again()
}

// again asks for a look right now: a call has just failed, or a setting changed.
func (d *duty) again() {
	select {
	case d.kick <- struct{}{}:
	default:
	}
}

// run looks again and again until ctx ends.
func (d *duty) run(ctx context.Context) {
	timer := time.NewTimer(askWanted)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.kick:
		case <-timer.C:
		}
		timer.Reset(d.look(ctx))
	}
}

// look asks the wanted interpreter how it is, puts the right one on duty, and says when to look again. One looks at a
// time: an old answer must not overtake a newer one.
func (d *duty) look(ctx context.Context) time.Duration {
	select {
	case d.looks <- struct{}{}:
		defer func() { <-d.looks }()
	case <-ctx.Done():
		return askWanted
	}
	d.mu.Lock()
	chosen := d.chosen
	d.mu.Unlock()
	name := chosen
	if name == auto {
		name = "ollama"
	}
	wanted := d.others[name]
	if wanted == nil {
		d.take(d.builtin, d.describe(d.builtin, d.builtin.Status(ctx)), "")
		return time.Hour
	}
	status := wanted.Status(ctx)
	switch {
	case ctx.Err() != nil:
	case d.isLoading(name), name == ollama.Name && status.Health == provider.HealthStarting:
		// It is there and will answer: letters wait for it rather than go to another.
		d.take(wanted, d.describe(wanted, provider.Status{Health: provider.HealthStarting, Reason: provider.ReasonLoading, Model: status.Model}), "")
	case status.Health == provider.HealthOK:
		d.take(wanted, d.describe(wanted, status), "")
	case chosen == auto:
		missed := ""
		if d.provider() == wanted { // it was there a moment ago
			missed = name
		}
		d.take(d.builtin, d.describe(d.builtin, d.builtin.Status(ctx)), missed)
		return askWelcome
	default:
		d.take(d.builtin, d.describe(wanted, status), name)
	}
	return askWanted
}

// loading is told when a letter has to wait for a model to be loaded, and when that is over. The fronts hear of the first
// and of the last at once.
func (d *duty) loading(name string, now bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.loads[name] > 0
	if now {
		d.loads[name]++
	} else {
		d.loads[name]--
	}
	if before == (d.loads[name] > 0) || d.current.Name() != name {
		return
	}
	status := provider.Status{Health: provider.HealthOK, Model: d.state.Model}
	if now {
		status.Health, status.Reason = provider.HealthStarting, provider.ReasonLoading
	}
	if state := d.describe(d.current, status); state != d.state {
		d.state = state
		d.pub.Publish(event.Of("", "", state))
	}
	d.again() // whatever became of it
}

func (d *duty) isLoading(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.loads[name] > 0
}

// take puts p on duty and tells what changed. missed names the one that p only stands in for, "" when p is wanted.
func (d *duty) take(p provider.Provider, state event.ProviderState, missed string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	same := d.state == state && d.current == p
	gone := missed != "" && (d.current != p || d.state.Health != state.Health)
	if d.current != p && d.moved != nil {
		defer d.moved()
	}
	d.current, d.state = p, state
	if same {
		return
	}
	events := []event.Event{event.Of("", "", state)}
	if gone {
		e := noticeOf(missed, state)
		events = append(events, event.Of("", "", event.Error{Code: string(e.Code), Message: e.Text(d.lang()), Fields: e.Fields}))
	}
	d.pub.Publish(events...)
}
