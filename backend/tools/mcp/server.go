package mcp

import (
	"context"
	"errors"
	"os"
	"reflect"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

// State is where a server is.
type State string

// The states of a server.
const (
	StateStarting     State = "starting"
	StateReady        State = "ready"
	StateFailed       State = "failed" // it ended too often; Reload tries again
	StateDisabled     State = "disabled"
	StateNeedsSignIn  State = "needs_sign_in" // it lets nobody in who did not sign in
	StateNeedsConsent State = "needs_consent" // some of its tools are new or changed
)

// server looks after one outside server: it keeps it running, and keeps in the box exactly those of its tools that were
// consented to.
type server struct {
	Server
	opt     *Options
	account *account // nil where nobody signs in
	log     zerolog.Logger

	cancel context.CancelFunc
	done   chan struct{}
	wake   chan struct{} // holds one when somebody wants it looked at anew

	mu      sync.Mutex
	state   State // starting, ready or failed; the other states follow from the consent
	trouble error
	live    *session      // while it is ready
	stale   bool          // it said that its tools changed and they were not looked at yet
	moved   chan struct{} // closed and replaced when any of this changes
	offers  []offer       // as last listed, or as remembered before
	consent *Consent      // nil: none for this source

	shelf      sync.Mutex // held while the box is brought in line
	registered map[string]*tool
}

func newServer(s Server, consent *Consent, opt *Options) *server {
	if consent != nil && consent.Source != s.source() && consent.Source != s.sourceIn(s.bundles) { // so it was written once
		consent = nil
	}
	v := &server{
		Server: s, opt: opt, account: newAccount(s, opt), log: opt.Log.With().Str("server", s.Name).Logger(),
		cancel: func() {}, done: make(chan struct{}), wake: make(chan struct{}, 1), moved: make(chan struct{}),
		state: StateStarting, consent: consent, registered: map[string]*tool{},
	}
	v.offers = remembered(s, consent, opt.Own)
	switch {
	case s.Disabled:
		v.state = StateDisabled
	case s.wrong != nil:
		v.state, v.trouble = StateFailed, errors.New(s.wrong.EN)
		v.log.Warn().Str("why", s.wrong.EN).Msg("an outside server is not started")
	}
	return v
}

// cover takes out what must not be seen of the server.
func (v *server) cover() redactor {
	return newRedactor(byLength(append(v.secrets(), v.account.secrets()...)))
}

func (v *server) limits() Limits { return v.opt.Limits().orDefault() }

// begin puts the tools that were consented to into the box and starts the server; they wait for it.
func (v *server) begin() {
	if v.Disabled || v.wrong != nil {
		close(v.done)
		return
	}
	v.resync(func() {})
	ctx, cancel := context.WithCancel(context.Background())
	v.cancel = cancel
	go func() {
		defer close(v.done)
		v.run(ctx)
	}()
}

// end stops the server and takes its tools out of the box. It returns when both are done.
func (v *server) end() {
	v.account.stop()
	v.cancel()
	v.clear()
	<-v.done
	v.account.close()
	v.set(func() { v.state = StateDisabled })
	v.clear() // what was shelved while it ended
}

// again asks for a fresh look: a server that is down is started, one that is up lists its tools anew.
func (v *server) again() { background.Wake(v.wake) }

// leave ends the session under way, for a cause that says whether another begins.
func (v *server) leave(cause error) {
	v.mu.Lock()
	x := v.live
	v.mu.Unlock()
	if x != nil {
		x.abandon(cause)
	}
}

// set changes the state and wakes whoever waits for it.
func (v *server) set(change func()) {
	v.alter(change)
	v.opt.Changed(v.Name)
}

func (v *server) alter(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
	close(v.moved)
	v.moved = make(chan struct{})
}

// resync changes the state and brings the box in line with it. A view shows both or neither.
func (v *server) resync(change func()) {
	v.shelf.Lock()
	v.alter(change)
	v.syncTools()
	v.shelf.Unlock()
	v.opt.Changed(v.Name)
}

// run keeps the server running until ctx ends: it is started again after it ended, ever later, and left alone when that
// does not help.
func (v *server) run(ctx context.Context) {
	for failures := 0; ; {
		began := time.Now()
		err := v.serve(ctx)
		if ctx.Err() != nil {
			return
		}
		limits := v.limits()
		if time.Since(began) >= limits.Steady {
			failures = 0
		}
		v.log.Warn().Str("error", v.cover().all(err.Error())).Msg("an outside server ended")
		if failures < len(limits.Backoff) && !hopeless(err) {
			v.set(func() { v.state, v.trouble = StateStarting, err })
			timer := time.NewTimer(limits.Backoff[failures])
			failures++
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C:
			case <-v.wake:
				timer.Stop()
			}
			continue
		}
		v.resync(func() { v.state, v.trouble = StateFailed, err })
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
			failures = 0
			v.resync(func() { v.state, v.trouble = StateStarting, nil })
		}
	}
}

// hopeless tells whether trying again changes nothing until somebody does: what should be run is not there, or must not
// be run.
func hopeless(err error) bool {
	return errors.Is(err, errSignIn) || errors.As(err, &noProgram{}) || outbound.Refused(err) || errors.Is(err, os.ErrPermission)
}

// serve runs the server once, until it ends.
func (v *server) serve(ctx context.Context) error {
	limits := v.limits()
	hello, cancel := context.WithTimeout(ctx, limits.Start)
	defer cancel()
	x, err := open(hello, v.Server, v.account, v.opt.Version, v.opt.Line, limits, func(line string) {
		v.log.Debug().Str("stderr", v.cover().all(line)).Msg("an outside server said")
	}, func() { v.set(func() { v.stale = true }) }, v.asking())
	if err != nil {
		return slow(hello, ctx, err)
	}
	hung := false
	defer func() { x.close(hung) }()
	defer v.set(func() { v.live = nil })
	if err := v.relist(hello, x); err != nil {
		return slow(hello, ctx, err)
	}
	v.log.Info().Msg("an outside server is up")
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-x.dead:
			hung = errors.Is(x.cause, errHung)
			return x.cause
		case <-v.wake:
		case <-x.relist:
		}
		if err := v.look(ctx, x, limits); err != nil {
			return err
		}
	}
}

// slow says so when it was the deadline that ended a beginning.
func slow(hello, ctx context.Context, err error) error {
	if hello.Err() != nil && ctx.Err() == nil {
		return errors.Join(errHung, err)
	}
	return err
}

// look lists the tools anew, and then rests a while: a list that changes all the time must not keep the house busy.
func (v *server) look(ctx context.Context, x *session, limits Limits) error {
	bounded, cancel := context.WithTimeout(ctx, limits.Start)
	defer cancel()
	if err := v.relist(bounded, x); err != nil {
		return slow(bounded, ctx, err)
	}
	rest := time.NewTimer(limits.Relist)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done():
	case <-x.dead:
	}
	return nil
}

// relist reads the tools and brings the box in line. Calls wait meanwhile.
func (v *server) relist(ctx context.Context, x *session) error {
	v.set(func() { v.stale = false })
	listed, err := x.list(ctx)
	if err != nil {
		return err
	}
	found := offers(v.Server, listed, v.opt.Own)
	v.resync(func() {
		v.offers = found
		if !v.stale {
			v.state, v.trouble, v.live = StateReady, nil, x
		}
	})
	return nil
}

// wait gives the live session for a call, while the server starts and while it lists its tools anew. Errors: errGone when
// the tool is no longer what was consented to; the server's trouble.
func (v *server) wait(ctx context.Context, t *tool, limits Limits) (*session, error) {
	timer := time.NewTimer(limits.Start)
	defer timer.Stop()
	for {
		v.mu.Lock()
		x, state, stale, moved, trouble := v.live, v.state, v.stale, v.moved, v.trouble
		listed := false
		for _, o := range v.offers {
			listed = listed || o.Name == t.name && o.pin == t.pin && o.refused == nil
		}
		v.mu.Unlock()
		switch {
		case !listed || state == StateDisabled:
			return nil, errGone
		case state == StateFailed:
			return nil, v.down(t, trouble)
		case x != nil && state == StateReady && !stale && !x.over():
			return x, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.withdrawn:
			return nil, errGone
		case <-timer.C:
			return nil, v.down(t, trouble)
		case <-moved:
		}
	}
}

// down is the error of a call that never reached the server.
func (v *server) down(t *tool, trouble error) error {
	return apperr.Wrap(trouble, apperr.ToolFailed, "tool", t.spec.Key, "detail", bilingual.Text{
		KO: "바깥 서버 ‘" + v.Name + "’에 연결되지 않아 실행하지 않았어요", EN: "the outside server “" + v.Name + "” cannot be reached, so nothing was done",
	})
}

// wanted are the tools that belong into the box now. Called with v.mu held.
func (v *server) wanted() map[string]*tool {
	want := map[string]*tool{}
	if v.state == StateFailed || v.state == StateDisabled {
		return want
	}
	for _, o := range v.offers {
		_, same := v.consent.agreed(o)
		if same && o.refused == nil && !v.tool(o.Name).Disabled {
			want[o.key] = &tool{server: v, name: o.Name, pin: o.pin, spec: specOf(v.Server, o.Manual), withdrawn: make(chan struct{})}
		}
	}
	return want
}

// syncTools brings the box in line with what was consented to and is offered word for word. Called with v.shelf held.
func (v *server) syncTools() {
	v.mu.Lock()
	want := v.wanted()
	v.mu.Unlock()
	var gone []string
	for key, have := range v.registered {
		if w := want[key]; w != nil && w.pin == have.pin && reflect.DeepEqual(w.spec, have.spec) {
			delete(want, key)
			continue
		}
		have.withdraw()
		delete(v.registered, key)
		gone = append(gone, key)
	}
	v.opt.Box.Unregister(gone...)
	if len(want) > 0 {
		v.opt.Box.SetGroup(ownGroup(v.Name), v.groupCapacity())
	}
	for key, t := range want {
		if err := v.opt.Box.Register(t); err != nil {
			v.log.Error().Err(err).Str("tool", key).Msg("a tool does not fit into the box")
			continue
		}
		v.registered[key] = t
	}
}

// clear takes all its tools out of the box.
func (v *server) clear() {
	v.shelf.Lock()
	keys := make([]string, 0, len(v.registered))
	for key, t := range v.registered {
		t.withdraw()
		keys = append(keys, key)
	}
	clear(v.registered)
	v.opt.Box.Unregister(keys...)
	v.shelf.Unlock()
	if len(keys) > 0 {
		v.opt.Changed(v.Name)
	}
}
