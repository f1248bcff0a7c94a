package bank

import (
	"context"
	"errors"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

// pollInterval is how long the schedule trusts the clock while something waits for its day.
const pollInterval = time.Minute

// catchUp carries out everything that is due, each transfer in a transaction of its own, and gives the beginning of the next
// day something waits for, if anything does. What the books could not take now is tried again.
func (b *Bank) catchUp(ctx context.Context) (next time.Time) {
	for {
		on, more, err := b.carryOutDue(ctx)
		switch {
		case ctx.Err() != nil:
			return next
		case err != nil:
			b.deps.Log.Error().Err(err).Msg("a scheduled transfer could not be carried out now; it is tried again")
			return b.deps.Now()
		case !more && on == "":
			return next
		case !more:
			if next, err = time.ParseInLocation(time.DateOnly, on, b.deps.Now().Location()); err != nil {
				b.deps.Log.Error().Err(err).Str("day", on).Msg("a scheduled transfer waits for no day")
			}
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
	told := false
	err = b.deps.Store.ChangeBooks(ctx, func(books Books) error {
		next, more, told = "", false, false
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
			err = b.post(books, &t, now)
		}
		if err != nil {
			return err
		}
		msg = event.ChatMessage{
			ID: b.deps.NewID(), Role: event.RoleShop, Text: t.Happened(), JobID: t.JobID, Code: string(t.Code),
			Time: event.Stamp(now),
		}
		if t.Chat == "" {
			return nil
		}
		told, err = books.Tell(t.Chat, msg)
		return err
	})
	if err != nil || !more {
		return next, false, err
	}
	if told {
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
	b.schedule.Wake()
	return t, nil
}

// Restore orders a transfer anew that was called off before its day came: once, to the same account, by the rules that hold now. What was called off stays in
// the books as it is. Errors: not_found; schedule_ended when it was not called off, or its day has come; those of Transfer.
func (b *Bank) Restore(ctx context.Context, id string) (Transfer, error) {
	var was Transfer
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		if was, err = books.Transfer(id); err != nil {
			return err
		}
		to, _, err := find(books, was.Target)
		if err == nil && to != was.To { // the name means somebody else by now
			return apperr.New(apperr.NotFound, "what", bilingual.Of("받는 분", "payee"), "id", was.Target)
		}
		return err
	})
	switch {
	case err != nil:
		return Transfer{}, err
	case was.State != StateCanceled || was.Due <= day(b.deps.Now()):
		return Transfer{}, apperr.New(apperr.ScheduleEnded)
	}
	return b.Transfer(ctx, Order{
		Key: "restored:" + was.ID, Target: was.Target, Amount: was.Amount, Memo: was.Memo, Date: was.Due, Chat: was.Chat, JobID: was.JobID, Lang: was.Lang,
	})
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
func (b *Bank) CallOff(ctx context.Context, p Planned, lang bilingual.Lang) (Transfer, error) {
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
			list[i] = slot.SayDay(t.Due, lang) + " " + Won(t.Amount).In(lang)
		}
		return Transfer{}, apperr.New(apperr.ScheduleUnclear, "target", name, "list", strings.Join(list, ", "))
	}
	return b.CancelScheduled(ctx, found[0].ID)
}
