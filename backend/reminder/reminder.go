// Package reminder tells the person when the moment of something on a list has come. What waits is rows in the ledger: it
// survives the program, and what came due while nobody was there is told at the next start.
package reminder

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
)

// nap is how long the watch sleeps at most between two looks at the clock while something waits. A timer stands still while
// the computer sleeps and knows nothing of a clock that is set, so none is trusted for longer.
const nap = 30 * time.Second

// lateAfter is how long after its moment a reminder counts as missed.
const lateAfter = 2 * time.Minute

// Reminder is one thing to be told at a moment.
type Reminder struct {
	ID      string
	Service string // the service that wrote it down
	Chat    string // where it is told
	Values  json.RawMessage
	Due     time.Time
}

// Store keeps reminders. Safe for concurrent use; errors are *apperr.Error of storage.
type Store interface {
	// NextReminder gives the earliest that has not been told; ok is false when none waits.
	NextReminder(ctx context.Context) (r Reminder, ok bool, err error)
	// TellReminder marks one as told and puts the message into its chat, or into the main one when its own is gone, in one
	// transaction, and gives that chat. told is false when it was told or called off meanwhile.
	TellReminder(ctx context.Context, r Reminder, msg event.ChatMessage, at time.Time) (chat string, told bool, err error)
}

// Deps are the parts Reminders work with. All are required except Log.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	// Words says what is told of a reminder; late is true when its moment passed while nobody was there.
	Words func(r Reminder, late bool) string
	Now   func() time.Time
	NewID func() string
	Log   zerolog.Logger
}

// Reminders watch the clock for what comes due. Safe for concurrent use.
type Reminders struct {
	deps Deps
	wake chan struct{} // holds one when something was written down
	stop context.CancelFunc
	gone sync.WaitGroup
}

// New makes the watch; Start begins it.
func New(deps Deps) *Reminders {
	return &Reminders{deps: deps, wake: make(chan struct{}, 1), stop: func() {}}
}

// Start tells what came due meanwhile, and from then on what comes due, until Stop.
func (r *Reminders) Start(ctx context.Context) {
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.gone.Go(func() { r.watch(ctx) })
}

// Stop ends the watch. What waits stays in the ledger. Stopping twice is fine.
func (r *Reminders) Stop() {
	r.stop()
	r.gone.Wait()
}

// Wake has the list looked at again, because something was written down. It never blocks.
func (r *Reminders) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// watch tells what is due, at the start and whenever a moment comes. While nothing waits it wakes nobody.
func (r *Reminders) watch(ctx context.Context) {
	next, waits := r.tellDue(ctx)
	timer := time.NewTimer(r.until(next))
	defer timer.Stop()
	for {
		due := timer.C
		if !waits {
			due = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
			next, waits = r.tellDue(ctx)
		case <-due:
			if !r.deps.Now().Before(next) {
				next, waits = r.tellDue(ctx)
			}
		}
		timer.Reset(r.until(next))
	}
}

// until is how long the watch sleeps. A moment that has passed could not be dealt with now and is tried again after a nap.
func (r *Reminders) until(next time.Time) time.Duration {
	if wait := next.Sub(r.deps.Now()); wait > 0 && wait < nap {
		return wait
	}
	return nap
}

// tellDue tells everything that is due, each in a transaction of its own, and gives the next moment, if anything waits.
func (r *Reminders) tellDue(ctx context.Context) (next time.Time, waits bool) {
	for {
		one, ok, err := r.deps.Store.NextReminder(ctx)
		if ctx.Err() != nil || err == nil && !ok {
			return time.Time{}, false
		}
		now := r.deps.Now()
		if err == nil && one.Due.After(now) {
			return one.Due, true
		}
		if err == nil {
			err = r.tell(ctx, one, now)
		}
		if err != nil {
			r.deps.Log.Error().Err(err).Msg("a reminder could not be told now; it is tried again")
			return now, true
		}
	}
}

func (r *Reminders) tell(ctx context.Context, one Reminder, now time.Time) error {
	late := now.Sub(one.Due) > lateAfter
	msg := event.ChatMessage{
		ID: r.deps.NewID(), Role: event.RoleShop, Text: r.deps.Words(one, late), Time: now.UTC().Format(time.RFC3339Nano),
	}
	chat, told, err := r.deps.Store.TellReminder(ctx, one, msg, now)
	if err != nil || !told {
		return err
	}
	r.deps.Publisher.Publish(event.Of(chat, "", msg))
	r.deps.Publisher.Publish(event.Of(chat, "", event.ReminderDue{
		ID: one.ID, Text: msg.Text, Due: one.Due.UTC().Format(time.RFC3339Nano), Late: late,
	}))
	return nil
}
