package jobtest

import (
	"context"
	"sync"

	"agentchat/backend/ask"
	"agentchat/backend/job"
)

// Ledger is the ledger as the job manager sees it. Told to, it fails every write, as a full disk does
// or a process that is no more.
type Ledger struct {
	job.Store
	// Before, when set, is told of every step before it is saved.
	Before func(job.Step)
	// OnAsk, when set, is told of every question that is looked up; its error is what comes of it.
	OnAsk func(ctx context.Context, id string) error

	saved func(job.Step)
	mu    sync.Mutex
	armed bool
	left  int
	cause error
	once  error
}

// FailAfter lets n more steps through and then fails with cause.
func (l *Ledger) FailAfter(n int, cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed, l.left, l.cause = true, n, cause
}

// FailOnce refuses the next step with cause and lets the ones after it through.
func (l *Ledger) FailOnce(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.once = cause
}

// Heal lets steps through again.
func (l *Ledger) Heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
}

// Failing tells whether a step was refused, or would be.
func (l *Ledger) Failing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.armed && l.left <= 0
}

// Distrust implements job.Store. A process that is no more leaves no word.
func (l *Ledger) Distrust() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.armed && l.left <= 0 {
		return l.cause
	}
	return l.Store.Distrust()
}

// SaveStep implements job.Store.
func (l *Ledger) SaveStep(ctx context.Context, step job.Step) error {
	l.mu.Lock()
	if err := l.once; err != nil {
		l.once = nil
		l.mu.Unlock()
		return err
	}
	if l.armed {
		if l.left <= 0 {
			l.mu.Unlock()
			return l.cause
		}
		l.left--
	}
	l.mu.Unlock()
	if l.Before != nil {
		l.Before(step)
	}
	err := l.Store.SaveStep(ctx, step)
	if err == nil {
		l.saved(step)
	}
	return err
}

// Ask implements job.Store.
func (l *Ledger) Ask(ctx context.Context, id string) (ask.Ask, error) {
	if l.OnAsk != nil {
		if err := l.OnAsk(ctx, id); err != nil {
			return ask.Ask{}, err
		}
	}
	return l.Store.Ask(ctx, id)
}
