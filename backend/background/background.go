// Package background is how a part of the house works by itself: from Start to Stop, whenever it is woken, and at the moments
// that it names.
package background

import (
	"context"
	"sync"
	"time"
)

// Loop does one piece of work again and again. Safe for concurrent use.
type Loop struct {
	work func(ctx context.Context) (next time.Time)
	now  func() time.Time
	poll time.Duration

	wake chan struct{} // holds one when it was woken
	mu   sync.Mutex
	stop context.CancelFunc // nil before Start
	gone sync.WaitGroup
}

// New makes a loop of work, which does all that is due by the clock now and says when there is more to do; the zero time:
// when it is woken. poll is how long the clock is trusted at most: a timer stands still while the computer sleeps and knows
// nothing of a clock that is set. One that was set back has the work done, too, for its moment may be another then. A moment that has passed already could not be dealt with, and is tried again that much later.
func New(now func() time.Time, poll time.Duration, work func(ctx context.Context) (next time.Time)) *Loop {
	return &Loop{work: work, now: now, poll: poll, wake: make(chan struct{}, 1)}
}

// Start does the work for the first time, and from then on until Stop, also when ctx is over.
func (l *Loop) Start(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.gone.Go(func() { l.run(ctx) })
}

// Stop ends the work at hand by its context and returns when it is over. Stopping twice, or before Start, is fine.
func (l *Loop) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		l.stop()
	}
	l.gone.Wait()
}

// Wake has the work done now, or once more when it is under way. It never waits.
func (l *Loop) Wake() { Wake(l.wake) }

// Wake leaves word in a channel that holds one, for whoever waits there; it is not left twice until that is heard. It never waits.
func Wake(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (l *Loop) run(ctx context.Context) {
	next := l.work(ctx)
	looked := l.wall()
	timer := time.NewTimer(l.until(next))
	defer timer.Stop()
	for ctx.Err() == nil {
		due := timer.C
		if next.IsZero() {
			due = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
			next = l.work(ctx)
		case <-due:
			if now := l.wall(); !now.Before(next) || now.Before(looked) {
				next = l.work(ctx)
			}
		}
		looked = l.wall()
		timer.Reset(l.until(next))
	}
}

// wall is what the clock shows, whatever time has passed.
func (l *Loop) wall() time.Time { return l.now().Round(0) }

func (l *Loop) until(next time.Time) time.Duration {
	if wait := next.Sub(l.now()); wait > 0 && wait < l.poll {
		return wait
	}
	return l.poll
}
