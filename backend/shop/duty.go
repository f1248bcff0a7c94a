package shop

import (
	"context"
	"sync"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// duty knows which interpreter is on duty. The built-in one is always there and takes over when the one that was chosen
// is not.
type duty struct {
	pub     event.Publisher
	builtin provider.Provider
	forced  provider.Provider

	mu      sync.Mutex
	current provider.Provider
	state   event.ProviderState
}

func newDuty(pub event.Publisher, builtin, forced provider.Provider) *duty {
	d := &duty{pub: pub, builtin: builtin, forced: forced, current: builtin}
	if forced != nil {
		d.current = forced
	}
	d.state = d.describe()
	return d
}

func (d *duty) provider() provider.Provider {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

func (d *duty) describe() event.ProviderState {
	status := d.current.Status(context.Background())
	return event.ProviderState{Provider: d.current.Name(), Model: status.Model, Health: string(status.Health), Detail: status.Detail}
}

// choose puts the named interpreter on duty. One that this build does not have is named as unreachable, and the built-in
// one works meanwhile.
func (d *duty) choose(name string) {
	d.mu.Lock()
	d.state = d.describe()
	known := name == "" || name == "auto" || name == d.builtin.Name() || d.forced != nil
	if !known {
		problem := apperr.New(apperr.ProviderUnreachable, "provider", name)
		d.state = event.ProviderState{Provider: name, Health: string(provider.HealthUnreachable), Detail: problem.Text(apperr.EN)}
	}
	state := d.state
	d.mu.Unlock()
	d.pub.Publish(event.Of("", "", state))
}

func (d *duty) now() event.ProviderState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}
