// Package presence knows when somebody was there: the window was open and in sight. Everything else is an absence, also the time in
// which the program was not running or the computer slept. Absences are kept in the ledger, so that a person who comes back can be
// told what happened meanwhile.
package presence

import (
	"context"
	"sync"
	"time"

	"agentchat/backend/batch"
)

// glance is how short an absence may be that is none: another window was looked at for a moment.
const glance = time.Minute

// Absence is a time in which nobody was there. A zero Until says that it lasts; Looked that a person has looked at what happened then.
type Absence struct {
	N      int64
	Since  time.Time
	Until  time.Time
	Looked bool
}

// Store keeps absences. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// Absences gives those that are kept, the oldest first; there are few.
	Absences(ctx context.Context) ([]Absence, error)
	// KeepAbsences writes absences down, in the place of those with the same numbers.
	KeepAbsences(ctx context.Context, list []Absence) error
	// LastTrace is when the newest thing happened that the ledger holds; zero: nothing did.
	LastTrace(ctx context.Context) (time.Time, error)
}

// Deps are the parts a Presence works with. All are required.
type Deps struct {
	Store Store
	Now   func() time.Time
	// Failed is told of what could not be written down, which is lost.
	Failed func(err error, lost int)
}

// Presence knows whether somebody is there, and when nobody was. It writes when that changes and at no other time. Safe for
// concurrent use.
type Presence struct {
	deps   Deps
	writer *batch.Writer[Absence]

	mu     sync.Mutex
	last   Absence   // the newest; N 0: none, and nobody was ever there
	before time.Time // up to when it is known who was there and when: the one before it ended then
	here   bool
	left   bool // the newest began in this run of the program: the window went out of sight
	closed bool
}

// New makes a presence in which nobody is there. Start reads what was before; Close ends it.
func New(deps Deps) *Presence {
	return &Presence{deps: deps, writer: batch.New(batch.Options[Absence]{Write: deps.Store.KeepAbsences, Failed: deps.Failed})}
}

// Start takes up the absence in which the program ended. Where it ended without a word, somebody was there as long as anything was
// written down: what the ledger holds by then happened before their eyes.
func (p *Presence) Start(ctx context.Context) error {
	list, err := p.deps.Store.Absences(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	trace, err := p.deps.Store.LastTrace(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = list[len(list)-1]
	if err != nil || p.last.Until.IsZero() {
		return err
	}
	since := p.last.Until
	if trace.After(since) {
		since = trace
	}
	p.next(since, time.Time{})
	p.before = since // somebody was there by then
	return nil
}

// Present says whether somebody is there from now on. It returns at once, and saying the same again does nothing.
func (p *Presence) Present(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if is == p.here || p.closed {
		return
	}
	p.here = is
	now, a := p.deps.Now(), p.last
	if !is {
		p.left = true
		p.next(now, time.Time{})
		return
	}
	switch {
	case a.N == 0:
		p.before = now
		a = Absence{N: 1, Since: now, Until: now, Looked: true} // what was before anybody was ever known to be there is no news
	case p.left && now.Sub(a.Since) < glance:
		a.Until = a.Since
	default:
		a.Until = now
	}
	p.put(a)
}

// Missed says that nobody can have been there at a moment that was only noticed later: the computer slept. On waking, the window may
// have told before this that it went out of sight, or came back.
func (p *Presence) Missed(due, noticed time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.last.Until
	if !p.here || p.last.none() {
		known = p.before
	}
	switch {
	case !due.After(known):
	case p.here:
		p.next(due, noticed)
	case due.Before(p.last.Since):
		p.last.Since = due
		p.put(p.last)
	}
}

// none reports whether it came to nothing: its number is free again.
func (a Absence) none() bool { return !a.Until.IsZero() && !a.Until.After(a.Since) }

// next begins another absence. Called with p.mu held.
func (p *Presence) next(since, until time.Time) {
	n := p.last.N
	if n == 0 || !p.last.none() {
		n, p.before = n+1, p.last.Until
	}
	p.put(Absence{N: n, Since: since, Until: until})
}

// put makes an absence the newest and has it written down. Called with p.mu held.
func (p *Presence) put(a Absence) {
	p.last = a
	p.writer.Put(a)
}

// Absences gives those whose happenings nobody has looked at yet, or with looked those somebody looked at last; the oldest first. One
// that lasts ends now.
func (p *Presence) Absences(ctx context.Context, looked bool) ([]Absence, error) {
	p.writer.Flush()
	list, err := p.deps.Store.Absences(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 { // nobody was ever there
		list = append(list, Absence{})
	}
	var some []Absence
	for _, a := range list {
		if a.Looked == looked && (a.Until.IsZero() || a.Until.After(a.Since)) {
			some = append(some, a)
		}
	}
	return some, nil
}

// Close writes down that nobody is there any more. Closing twice is fine; it returns nil, so that it can stand among other things
// to close.
func (p *Presence) Close() error {
	p.Present(false)
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return p.writer.Close()
}
