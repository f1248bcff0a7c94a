package standing

import (
	"context"
	"slices"
	"time"
)

// wrong is how far ahead a clock must have been to have been wrong, and no more than slow or fast.
const wrong = 24 * time.Hour

// align has every order wait for a moment that its rule has by the clock and in the zone there are now. A clock that was a year ahead has
// orders wait for the next year, and a traveller's eight o'clock is another than that of home; neither is to be waited for. It looks at
// the orders when the book begins and when the clock was set back, and costs nothing else.
func (b *Book) align(ctx context.Context) error {
	now := b.deps.Now()
	looked := b.looked
	if !looked.IsZero() && !now.Round(0).Before(looked) {
		b.looked = now.Round(0)
		return nil
	}
	seen, err := b.deps.Store.StandingSeen(ctx)
	if err != nil {
		return err
	}
	orders, err := b.deps.Store.StandingOrders(ctx)
	if err != nil {
		return err
	}
	back := laterOf(seen, looked).Sub(now) > wrong
	for _, o := range orders {
		if o.State != Active || o.Trigger != nil || !o.Next.After(now) {
			continue // what has come is dealt with, wherever and whenever that is noticed
		}
		if set := back || o.Start.Sub(now) > wrong; !set && o.onItsHour(now.Location()) {
			continue
		} else if err := b.alignOrder(ctx, o.ID, set, now); err != nil {
			return err
		}
	}
	b.looked = now.Round(0)
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
