package bank

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// nap is how long the schedule sleeps at most between two looks at the clock while something waits for its day. A timer
// stands still while the computer sleeps and knows nothing of a clock that is set, so none is trusted for longer.
const nap = time.Minute

// watch carries out what is due, at the start and whenever a day comes, until ctx ends. While nothing is scheduled it
// wakes nobody.
func (b *Bank) watch(ctx context.Context) {
	next := b.catchUp(ctx)
	timer := time.NewTimer(b.until(next))
	defer timer.Stop()
	for {
		due := timer.C
		if next == "" {
			due = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
			next = b.catchUp(ctx)
		case <-due:
			if next <= day(b.deps.Now()) {
				next = b.catchUp(ctx)
			}
		}
		timer.Reset(b.until(next))
	}
}

// reschedule has the schedule looked at again.
func (b *Bank) reschedule() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// until is how long the watch sleeps: till the day begins, but never longer than a nap. A day that has begun could not be
// dealt with now.
func (b *Bank) until(next string) time.Duration {
	now := b.deps.Now()
	begins, err := time.ParseInLocation(time.DateOnly, next, now.Location())
	if wait := begins.Sub(now); err == nil && wait > 0 && wait < nap {
		return wait
	}
	return nap
}

// catchUp carries out everything that is due, each transfer in a transaction of its own, and gives the next day something
// waits for, "" for none. What the books could not take now is tried again after a nap.
func (b *Bank) catchUp(ctx context.Context) (next string) {
	for {
		next, more, err := b.carryOutDue(ctx)
		switch {
		case ctx.Err() != nil:
			return ""
		case err != nil:
			b.deps.Log.Error().Err(err).Msg("a scheduled transfer could not be carried out now; it is tried again")
			return day(b.deps.Now())
		case !more:
			return next
		}
	}
}

// carryOutDue settles the oldest transfer that is due, if there is one, and tells the chat it was ordered in. more is true
// when there may be another; otherwise next is the day to wait for. It is settled at most once whatever the clock does,
// for it is no longer scheduled afterwards.
func (b *Bank) carryOutDue(ctx context.Context) (next string, more bool, err error) {
	var t Transfer
	var msg event.ChatMessage
	err = b.deps.Store.ChangeBooks(ctx, func(books Books) error {
		next, more = "", false
		waiting, err := books.Scheduled()
		if err != nil || len(waiting) == 0 {
			return err
		}
		now := b.deps.Now()
		if t = waiting[0]; t.Due > day(now) {
			next = t.Due
			return nil
		}
		more = true
		refused, err := refusal(b.allow(books, t.Amount, day(now)))
		switch {
		case err != nil:
			return err
		case refused != nil:
			t.Code, t.Reason = refused.Code, refused.Text(t.Lang)
			err = b.finish(books, &t, StateFailed, now)
		default:
			err = b.settle(books, &t, now)
		}
		if err != nil {
			return err
		}
		msg = event.ChatMessage{
			ID: b.deps.NewID(), Role: event.RoleShop, Text: t.Happened(), JobID: t.JobID, Code: string(t.Code),
			Time: now.UTC().Format(time.RFC3339Nano),
		}
		if t.Chat == "" {
			return nil
		}
		return books.Tell(t.Chat, msg)
	})
	if err != nil || !more {
		return next, false, err
	}
	if t.Chat != "" {
		b.deps.Publisher.Publish(event.Of(t.Chat, t.JobID, msg))
	}
	b.after(t)
	return "", true, nil
}

// refusal tells what a rule of the bank refused from what the books could not do.
func refusal(err error) (*apperr.Error, error) {
	var refused *apperr.Error
	if errors.As(err, &refused) && (refused.Code == apperr.InsufficientBalance || refused.Code == apperr.LimitExceeded) {
		return refused, nil
	}
	return nil, err
}

// CancelScheduled calls off a transfer whose day has not come. Errors: not_found, schedule_ended, storage errors.
func (b *Bank) CancelScheduled(ctx context.Context, id string) (Transfer, error) {
	var t Transfer
	err := b.deps.Store.ChangeBooks(ctx, func(books Books) (err error) {
		if t, err = books.Transfer(id); err != nil {
			return err
		}
		if t.State != StateScheduled {
			return apperr.New(apperr.ScheduleEnded)
		}
		return b.finish(books, &t, StateCanceled, b.deps.Now())
	})
	if err != nil {
		return Transfer{}, err
	}
	b.changed()
	b.reschedule()
	return t, nil
}

// Planned says which scheduled transfer is meant: by its recipient, and by its day (YYYY-MM-DD) and amount when they are
// given.
type Planned struct {
	Target string
	Date   string
	Amount int64
}

// CallOff is CancelScheduled by what a customer says of the transfer. Errors: unknown_payee; schedule_missing when nothing
// like it waits; schedule_unclear, naming them, when several do; storage errors.
func (b *Bank) CallOff(ctx context.Context, p Planned, lang apperr.Lang) (Transfer, error) {
	var found []Transfer
	name := ""
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) error {
		to, who, err := find(books, p.Target)
		if err != nil {
			return err
		}
		name = who
		waiting, err := books.Scheduled()
		for _, t := range waiting {
			if t.To == to && (p.Date == "" || p.Date == t.Due) && (p.Amount == 0 || p.Amount == t.Amount) {
				found = append(found, t)
			}
		}
		return err
	})
	switch {
	case err != nil:
		return Transfer{}, err
	case len(found) == 0:
		return Transfer{}, apperr.New(apperr.ScheduleMissing, "target", name)
	case len(found) > 1:
		list := make([]string, len(found))
		for i, t := range found {
			list[i] = DayName(t.Due, lang) + " " + Won(t.Amount).In(lang)
		}
		return Transfer{}, apperr.New(apperr.ScheduleUnclear, "target", name, "list", strings.Join(list, ", "))
	}
	return b.CancelScheduled(ctx, found[0].ID)
}

// Verify counts the books anew: that every transfer's entries sum to zero, that every balance is the sum of its entries,
// and that the sum over all accounts is what it always was, nothing. The error says what is wrong; it is for developers.
func (b *Bank) Verify(ctx context.Context) error {
	var a Audit
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		a, err = books.Audit()
		return err
	})
	if err != nil {
		return err
	}
	if len(a.Unbalanced)+len(a.Stray)+len(a.Off) > 0 || a.Total != 0 {
		return fmt.Errorf("bank: the books are not sound: %+v", a)
	}
	return nil
}
