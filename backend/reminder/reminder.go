// Package reminder tells the person when the moment of something on a list has come. What waits is rows in the ledger: it
// survives the program, and what came due while nobody was there is told at the next start.
package reminder

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/background"
	"agentchat/backend/event"
)

// pollInterval is how long the clock is trusted while something waits.
const pollInterval = 30 * time.Second

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
	*background.Loop // Start tells what came due meanwhile; Wake is called when something was written down

	deps Deps
}

// New makes the watch; Start begins it. What waits when it is stopped stays in the ledger.
func New(deps Deps) *Reminders {
	r := &Reminders{deps: deps}
	r.Loop = background.New(deps.Now, pollInterval, r.tellDue)
	return r
}

// tellDue tells everything that is due, each in a transaction of its own, and gives the next moment, if anything waits.
func (r *Reminders) tellDue(ctx context.Context) (next time.Time) {
	for {
		one, ok, err := r.deps.Store.NextReminder(ctx)
		if ctx.Err() != nil || err == nil && !ok {
			return time.Time{}
		}
		now := r.deps.Now()
		if err == nil && one.Due.After(now) {
			return one.Due
		}
		if err == nil {
			err = r.tell(ctx, one, now)
		}
		if err != nil {
			r.deps.Log.Error().Err(err).Msg("a reminder could not be told now; it is tried again")
			return now
		}
	}
}

func (r *Reminders) tell(ctx context.Context, one Reminder, now time.Time) error {
	late := now.Sub(one.Due) > lateAfter
	msg := event.ChatMessage{
		ID: r.deps.NewID(), Role: event.RoleShop, Text: r.deps.Words(one, late), Time: event.Stamp(now),
	}
	chat, told, err := r.deps.Store.TellReminder(ctx, one, msg, now)
	if err != nil || !told {
		return err
	}
	r.deps.Publisher.Publish(event.Of(chat, "", msg))
	r.deps.Publisher.Publish(event.Of(chat, "", event.ReminderDue{
		ID: one.ID, Text: msg.Text, Due: event.Stamp(one.Due), Late: late,
	}))
	return nil
}
