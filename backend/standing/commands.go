package standing

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

// Verb is what a person does with an order.
type Verb string

// The verbs. Keep agrees to an order that is proposed, Drop leaves it; Edit only asks what shall be different.
const (
	Keep   Verb = "keep"
	Edit   Verb = "edit"
	Drop   Verb = "drop"
	Pause  Verb = "pause"
	Resume Verb = "resume"
	Now    Verb = "now"
	Skip   Verb = "skip"
	Delete Verb = "delete"
)

// Command is one thing that is done with an order. Doing it twice does it once: Due is the moment that is skipped (zero: the next), and
// Turn the message that a run besides begins with ("": a new one).
type Command struct {
	Order string
	Verb  Verb
	Due   time.Time
	Turn  string
}

// Do does it, and gives the order as it is then. Errors: not_found, order_going (a run is not over), order_over (it waits for nothing), storage
// errors.
func (b *Book) Do(ctx context.Context, d Command) (Order, error) {
	switch d.Verb {
	case Drop, Delete:
		o, err := b.deps.Store.StandingOrder(ctx, d.Order)
		if err == nil {
			err = b.deps.Store.DeleteStanding(ctx, d.Order)
		}
		if err == nil {
			b.changed(d.Order)
		}
		return o, err
	case Now:
		return b.runNow(ctx, d)
	case Skip:
		return b.skip(ctx, d)
	case Keep, Resume:
		o, known, err := b.knows(ctx, d.Order)
		if err != nil {
			return o, err
		}
		return b.begin(ctx, d, known)
	case Edit, Pause:
	}
	return b.change(ctx, d.Order, func(o *Order) error {
		if d.Verb != Pause {
			return apperr.New(apperr.BadCommand, "detail", string(d.Verb))
		}
		if o.State == Active {
			o.State, o.Next = Paused, time.Time{}
		}
		return nil
	})
}

// Renew has an order that came back wait for its next moment, when it waits for none.
func (b *Book) Renew(ctx context.Context, id string) error {
	_, err := b.change(ctx, id, func(o *Order) error {
		if !o.Next.IsZero() {
			return nil
		}
		now := b.deps.Now()
		return o.wait(now, now)
	})
	if apperr.CodeOf(err) == apperr.NotFound {
		b.changed(id)
		return nil
	}
	return err
}

// begin keeps an order that was proposed, or goes on with one that was paused. known is what stands in its folder.
func (b *Book) begin(ctx context.Context, d Command, known []File) (Order, error) {
	from := map[Verb]State{Keep: Proposed, Resume: Paused}[d.Verb]
	runs, err := b.deps.Store.StandingRuns(ctx, d.Order, 1)
	if err != nil {
		return Order{}, err
	}
	return b.change(ctx, d.Order, func(o *Order) error {
		if o.State != from {
			return nil
		}
		o.State, o.Known = Active, known
		now := b.deps.Now()
		after := now
		if len(runs) > 0 && runs[0].Outcome == Skipped {
			after = laterOf(now, runs[0].Due) // what was skipped stays so
		}
		return o.wait(now, after)
	})
}

func (b *Book) change(ctx context.Context, id string, change func(*Order) error) (Order, error) {
	o, err := b.deps.Store.ChangeStanding(ctx, id, change)
	if err == nil {
		b.changed(id)
	}
	return o, err
}

// wait has an active order wait for its next moment after one; one that has none is over.
func (o *Order) wait(now, after time.Time) error {
	if o.State != Active || o.Trigger != nil {
		return nil
	}
	rule, err := parse(o.Rule, o.Start, now.Location())
	if err != nil {
		return err
	}
	if o.Next = rule.After(after); o.Next.IsZero() {
		o.State = Ended
	}
	return nil
}

// Amend changes when an order runs, as far as anything was said of it. What never comes is refused as invalid_args.
// One that is only proposed stays as it was shown: another is proposed in its place, as anewID.
func (b *Book) Amend(ctx context.Context, id, anewID string, anew slot.Recurrence) (Order, error) {
	o, err := b.deps.Store.StandingOrder(ctx, id)
	if apperr.CodeOf(err) == apperr.NotFound && anewID != "" {
		return b.deps.Store.StandingOrder(ctx, anewID) // it was proposed before the program ended
	}
	if err != nil {
		return o, err
	}
	if o.Trigger != nil {
		return b.amendEnd(ctx, o, anewID, anew)
	}
	if o.State == Proposed && anewID != "" {
		r, err := amended(o.Rule, anew)
		if err != nil {
			return o, err
		}
		o.ID = anewID
		return b.Propose(ctx, o, r)
	}
	return b.change(ctx, id, func(o *Order) error {
		now := b.deps.Now()
		if err := o.amend(anew, now); err != nil {
			return err
		}
		if o.State == Ended {
			o.State = Active
		}
		if err := o.wait(now, now); err != nil {
			return err
		}
		if o.State == Ended {
			return never(*o)
		}
		return nil
	})
}

// amend changes the rule of an order as far as something was said of it. What was not said anew goes on: every other week keeps its
// weeks, and of three times those are left that did not pass yet.
func (o *Order) amend(anew slot.Recurrence, now time.Time) error {
	was, err := said(o.Rule)
	if err != nil {
		return err
	}
	r, err := amended(o.Rule, anew)
	if err != nil || r.Rule(now) == o.Rule {
		return err
	}
	old, err := parse(o.Rule, o.Start, now.Location())
	if err != nil {
		return err
	}
	next := old.After(now)
	if o.State == Active && o.Next.After(now) {
		next = o.Next
	}
	start := startOf(r, now)
	if !next.IsZero() && o.State != Ended {
		if r.Count > 0 && r.Count == was.Count {
			r.Count = old.left(next)
		}
		if r.Freq == was.Freq && r.Interval == was.Interval && r.Interval > 1 {
			start = laterOf(now.Truncate(time.Second), old.began(next))
		}
	}
	o.Rule, o.Start = r.Rule(now), start
	return nil
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// amendEnd changes how an order with a trigger ends, which is all that words about moments can say of it.
func (b *Book) amendEnd(ctx context.Context, o Order, anewID string, anew slot.Recurrence) (Order, error) {
	if anew.Repeats() || anew.Timed() {
		return o, apperr.New(apperr.InvalidArgs, "detail", bilingual.Say(o.Lang, "이 주문은 때가 아니라 일어나는 일을 기다려요", "this order waits for something to happen, not for a time"))
	}
	if o.State == Proposed && anewID != "" {
		o.ID = anewID
		return b.Propose(ctx, o, anew)
	}
	_, known, err := b.knows(ctx, o.ID)
	if err != nil {
		return o, err
	}
	return b.change(ctx, o.ID, func(o *Order) error {
		o.Rule = endsRule(anew)
		if o.State == Ended {
			o.State, o.Known = Active, known
		}
		return nil
	})
}

// Shift has an order that was agreed to run so much later, or, where by is zero, by a rule it had before. Errors: not_found, invalid_args.
func (b *Book) Shift(ctx context.Context, id string, by time.Duration, rule string) (Order, error) {
	o, err := b.Get(ctx, id)
	if err != nil {
		return o, err
	}
	if rule == "" {
		rule = o.Rule
	}
	anew, err := shifted(rule, by)
	if err != nil {
		return o, err
	}
	return b.Amend(ctx, id, "", anew)
}

// SetMissed says what becomes of moments of an order that pass while nobody is there.
func (b *Book) SetMissed(ctx context.Context, id string, rule Missed) (Order, error) {
	if rule != CatchUp && rule != Tell {
		return Order{}, apperr.New(apperr.InvalidArgs, "detail", "missed: "+string(CatchUp)+", "+string(Tell))
	}
	return b.change(ctx, id, func(o *Order) error { o.Missed = rule; return nil })
}

func (b *Book) runNow(ctx context.Context, d Command) (Order, error) {
	o, err := b.deps.Store.StandingOrder(ctx, d.Order)
	if err != nil {
		return o, err
	}
	going, err := b.deps.Store.StandingGoes(ctx, o.ID)
	switch {
	case err != nil:
		return o, err
	case going:
		return o, apperr.New(apperr.OrderGoing)
	}
	if d.Turn == "" {
		d.Turn = b.deps.NewID()
	}
	now := b.deps.Now()
	claimed, err := b.deps.Run(ctx, Claim{Order: o, Due: now, Next: o.Next, At: now, Outcome: Ran, Turn: d.Turn})
	if claimed {
		b.changed(o.ID)
	}
	return o, err
}

func (b *Book) skip(ctx context.Context, d Command) (Order, error) {
	o, err := b.deps.Store.StandingOrder(ctx, d.Order)
	switch {
	case err != nil:
		return o, err
	case o.Trigger != nil:
		return b.skipNext(ctx, o.ID)
	case o.State != Active || o.Next.IsZero():
		return o, apperr.New(apperr.OrderOver)
	case !d.Due.IsZero() && !d.Due.Equal(o.Next):
		return o, nil // it is skipped already
	}
	now := b.deps.Now()
	rule, err := parse(o.Rule, o.Start, now.Location())
	if err != nil {
		return o, err
	}
	c := Claim{Order: o, Was: o.Next, Due: o.Next, Next: rule.After(o.Next), At: now, Outcome: Skipped}
	if _, _, err := b.deps.Store.MissStanding(ctx, c, nil); err != nil {
		return o, err
	}
	b.changed(o.ID)
	return b.deps.Store.StandingOrder(ctx, d.Order)
}

// AmendSaid changes when an order runs, as words say it: at 7, on weekdays. invalid_args when they say nothing of it.
func (b *Book) AmendSaid(ctx context.Context, id, words string) (Order, error) {
	r := b.Read(words)
	if !r.Repeats() && !r.Timed() && !r.Ends() || r.Rest(words) != "" {
		o, err := b.Get(ctx, id)
		if err != nil {
			return o, err
		}
		return o, apperr.New(apperr.InvalidArgs, "detail", words)
	}
	return b.Amend(ctx, id, "", r)
}

// Runs are what became of an order's last moments, the newest first.
func (b *Book) Runs(ctx context.Context, id string) ([]Run, error) {
	return b.deps.Store.StandingRuns(ctx, id, mostRuns)
}
