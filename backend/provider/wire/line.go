package wire

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

const (
	firstBackoff = 250 * time.Millisecond
	longestWait  = 10 * time.Second // a service that asks for more is not waited for
)

// Line is the line to one service: every call on it is bounded in time, tried again where that can help, and counted by
// the breaker. Its exported fields are set once, before the first call. Safe for concurrent use.
type Line struct {
	Name     string
	Timeouts func() Timeouts

	Breaker Breaker
	waiting atomic.Int32
	loading atomic.Int32
}

// Question is one call for an answer.
type Question struct {
	Card       Card
	Structured bool          // the answer is JSON
	Patience   time.Duration // how much longer than usual the first piece may take
	On         func(provider.Delta)
}

// Waiting is how many questions have no piece of an answer yet.
func (l *Line) Waiting() int { return int(l.waiting.Load()) }

// Loading is how many questions wait for the model to be read into memory.
func (l *Line) Loading() int { return int(l.loading.Load()) }

// Ask makes attempts until one answers. attempt sends the question and writes into the Answer until the service says
// that it is done. On an error the reply holds what had arrived by then. Errors are *apperr.Error.
func (l *Line) Ask(ctx context.Context, q Question, attempt func(context.Context, *Answer) error) (provider.Reply, error) {
	if err := ctx.Err(); err != nil {
		return provider.Reply{}, ended(ctx).Err
	}
	call, last := l.Breaker.allow()
	if call == nil {
		return provider.Reply{}, apperr.Wrap(last, apperr.ProviderUnreachable, "provider", l.Name)
	}
	whole, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var clock *time.Timer
	if q.Card.Timeout > 0 {
		clock = time.AfterFunc(q.Card.Timeout+q.Patience, func() { cancel(errWhole) })
		defer clock.Stop()
	}
	for try := 0; ; try++ {
		reply, some, f := l.once(whole, q, clock, attempt)
		if f != nil && f.Retry && !some && try < q.Card.Retries {
			if pause(whole, try, f) {
				continue
			}
			if end := ended(whole); end != nil {
				f = end
			}
		}
		switch {
		case f == nil:
			call.succeeded()
			return reply, nil
		case f.Err.Code == apperr.Canceled:
			call.gaveUp()
		case f.Fault:
			call.failed(f.Err)
		default:
			call.succeeded()
		}
		return reply, f.Err
	}
}

func (l *Line) once(ctx context.Context, q Question, clock *time.Timer, attempt func(context.Context, *Answer) error) (provider.Reply, bool, *Failure) {
	limits := l.Timeouts()
	if limits.First > 0 {
		limits.First += q.Patience
	}
	call, w := newWatch(ctx, limits)
	defer w.stop()
	l.waiting.Add(1)
	a := &Answer{
		on: q.On, structured: q.Structured, watch: w, began: time.Now(),
		split: splitter{structured: q.Structured},
	}
	loading := false
	a.load = func() {
		loading = true
		l.loading.Add(1)
		if clock != nil {
			clock.Stop() // what the answer takes is counted when the model is there
		}
	}
	a.arrived = func() {
		l.waiting.Add(-1)
		if loading {
			l.loading.Add(-1)
			if clock != nil {
				clock.Reset(q.Card.Timeout + q.Patience)
			}
		}
	}
	err := attempt(call, a)
	if !a.some {
		a.arrived()
	}
	reply, wrong := a.whole()
	switch {
	case a.done && ctx.Err() == nil && !errors.As(err, new(*Failure)): // what goes wrong behind a finished answer does not matter
		return reply, a.some, l.judge(wrong)
	case err == nil:
		err = wrong
	}
	if err == nil {
		return reply, a.some, nil
	}
	return reply, a.some, l.explain(ctx, call, err)
}

// judge is what is wrong with an answer, if anything, whatever became of the connection.
func (l *Line) judge(wrong error) *Failure {
	if wrong == nil {
		return nil
	}
	if f := Classify(wrong, l.Name); f != nil {
		return f
	}
	return Bad(wrong)
}

// Call makes one attempt at something that is not a question, under the deadlines for connection and first piece.
// Errors are *apperr.Error.
func (l *Line) Call(ctx context.Context, attempt func(context.Context) error) error {
	limits := l.Timeouts()
	return l.Follow(ctx, limits, func(ctx context.Context, _ func()) error { return attempt(ctx) })
}

// Follow makes one attempt at something long, under deadlines of its own: attempt calls alive at every sign of life.
// Errors are *apperr.Error.
func (l *Line) Follow(ctx context.Context, limits Timeouts, attempt func(ctx context.Context, alive func()) error) error {
	call, w := newWatch(ctx, limits)
	defer w.stop()
	if err := attempt(call, w.piece); err != nil {
		return l.explain(ctx, call, err).Err
	}
	return nil
}

// explain finds out why an attempt failed: the caller's context, a deadline, or the error itself.
func (l *Line) explain(outer, call context.Context, err error) *Failure {
	if f := ended(outer); f != nil {
		return f
	}
	if f := missed(call, l.Name); f != nil {
		return f
	}
	retryAfter, broken := noteOf(call).get()
	if broken != nil { // whatever a decoder made of half a line
		err = broken
	}
	f := l.judge(err)
	f.After = retryAfter
	return f
}

// pause waits before the next try, as long as the service asked or twice as long as the last time, and says whether
// there should be one.
func pause(ctx context.Context, try int, f *Failure) bool {
	wait := firstBackoff << try
	if f.After > 0 {
		wait = f.After
	}
	if wait > longestWait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
