package standing

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/apperr"
)

// wrong is how far ahead a clock must have been to have been wrong, and no more than slow or fast.
const wrong = 24 * time.Hour

// alignedAtOnce is how many orders are written anew before those that have come are looked at again: each is a transaction.
const alignedAtOnce = 8

// misaligned is an order that seems to wait for a moment which its rule does not have; set: by a clock that was wrong.
type misaligned struct {
	id  string
	set bool
}

// align has every order wait for a moment that its rule has by the clock and in the zone there are now. A clock that was a year ahead has
// orders wait for the next year, and a traveller's eight o'clock is another than that of home; neither is to be waited for. It looks at
// the orders when the book begins and when the clock was set back, and costs nothing else. more says that it goes on at the next look, so
// that nothing which has come waits for it.
func (b *Book) align(ctx context.Context) (more bool, err error) {
	now := b.deps.Now()
	if b.looked.IsZero() || now.Round(0).Before(b.looked) {
		if err := b.findMisaligned(ctx, now); err != nil {
			return false, err
		}
	}
	b.looked = now.Round(0)
	for range min(alignedAtOnce, len(b.misaligned)) {
		one := b.misaligned[0]
		if err := b.alignOrder(ctx, one.id, one.set, now); err != nil && apperr.CodeOf(err) != apperr.NotFound {
			return false, err
		}
		b.misaligned = b.misaligned[1:]
	}
	return len(b.misaligned) > 0, nil
}

func (b *Book) findMisaligned(ctx context.Context, now time.Time) error {
	seen, err := b.deps.Store.StandingSeen(ctx)
	if err != nil {
		return err
	}
	orders, err := b.deps.Store.StandingOrders(ctx)
	if err != nil {
		return err
	}
	b.misaligned = nil
	back := laterOf(seen, b.looked).Sub(now) > wrong
	for _, o := range orders {
		if o.State != Active || o.Trigger != nil || !o.Next.After(now) {
			continue // what has come is dealt with, wherever and whenever that is noticed
		}
		if set := back || o.Start.Sub(now) > wrong; set || !o.onItsHour(now.Location()) {
			b.misaligned = append(b.misaligned, misaligned{o.ID, set})
		}
	}
	return nil
}

func (b *Book) alignOrder(ctx context.Context, id string, set bool, now time.Time) error {
	runs, err := b.deps.Store.StandingRuns(ctx, id, 1)
	if err != nil {
		return err
	}
	_, err = b.change(ctx, id, func(o *Order) error {
		if o.State != Active || !o.Next.After(now) {
			return nil
		}
		if set && o.Start.After(now) {
			o.Start = now.Truncate(time.Second)
		}
		rule, err := parse(o.Rule, o.Start, now.Location())
		if err != nil {
			return err
		}
		from := now
		if !set && len(runs) > 0 {
			from = laterOf(now, runs[0].Due) // one that was skipped stays so
		}
		next := rule.After(from)
		switch {
		case next.IsZero():
			return nil
		case set && next.After(o.Next):
		case !set && rule.After(o.Next.Add(-time.Second)).Equal(o.Next):
		default:
			o.Next = next
		}
		return nil
	})
	return err
}

// onItsHour tells whether the next moment of an order is one of its times of day in a zone. An hour that summer time leaves out or brings
// twice may say no; whoever asks looks more closely then.
func (o Order) onItsHour(loc *time.Location) bool {
	r, err := said(o.Rule)
	if err != nil || !r.Timed() || r.Freq == "HOURLY" || r.Freq == "MINUTELY" {
		return true
	}
	at := o.Next.In(loc)
	return slices.Contains(r.Hours, at.Hour()) && r.Minute == at.Minute()
}
