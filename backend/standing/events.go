package standing

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// runEvents deals with what happened that orders wait for, and gives the moment at which more can be done; zero: when something happens.
// What is set off while the run before is going waits for its end.
func (b *Book) runEvents(ctx context.Context) (next time.Time) {
	for {
		events, err := b.deps.Store.StandingEvents(ctx)
		if ctx.Err() != nil {
			return time.Time{}
		}
		now, again := b.deps.Now(), false
		next = time.Time{}
		for len(events) > 0 && err == nil {
			id := events[0].Order
			other := slices.IndexFunc(events, func(e Event) bool { return e.Order != id })
			if other < 0 {
				other = len(events)
			}
			var at time.Time
			var more bool
			if at, more, err = b.happened(ctx, id, events[:other], now); !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
			again, events = again || more, events[other:]
		}
		if err != nil {
			if ctx.Err() == nil {
				b.deps.Log.Error().Err(err).Msg("a standing order could not be set off now; it is tried again")
			}
			return now
		}
		if !again {
			return next
		}
	}
}

// happened deals with events of one order, the oldest first. more is true when something came of it and the rest wants another look.
func (b *Book) happened(ctx context.Context, id string, events []Event, now time.Time) (at time.Time, more bool, err error) {
	o, err := b.deps.Store.StandingOrder(ctx, id)
	if err != nil || o.Trigger == nil {
		return at, false, err
	}
	if over, err := b.over(ctx, o, now); over || err != nil {
		return at, over, err
	}
	if round := slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return !e.rounds() }); len(round) > 0 {
		return at, true, b.leave(ctx, o, Claim{Outcome: Looped, Events: round}, now)
	}
	for i := range events { // what a kill left behind is as late as what a moment was
		events[i].Late = events[i].Late || events[i].At.Before(b.began) && now.Sub(events[i].At) > lateAfter
	}
	switch going, err := b.deps.Store.StandingGoes(ctx, o.ID); {
	case going || err != nil:
		return at, false, err
	case o.Held.After(now) && o.Held.Sub(now) <= setOffWithin: // a clock that was set back holds nobody for long
		return o.Held, false, nil
	}
	times, err := b.deps.Store.StandingTimes(ctx, o.ID, now.Add(-setOffWithin))
	if err != nil {
		return at, false, err
	}
	if len(times) >= mostSetOff {
		until := times[len(times)-mostSetOff].Add(setOffWithin)
		return until, false, b.hold(ctx, o, until, now)
	}
	c := o.claim(events)
	if c.Outcome != Ran {
		return at, true, b.leave(ctx, o, c, now)
	}
	c.Order, c.At, c.Turn = o, now, b.deps.NewID()
	claimed, err := b.deps.Run(ctx, c)
	if claimed {
		b.changed(o.ID)
	}
	return at, claimed, err
}

// rounds tells whether an event leads back to an order that led to it, or too far.
func (e Event) rounds() bool { return slices.Contains(e.Chain, e.Order) || len(e.Chain) >= mostDepth }

// claim says what becomes of the events that wait. What came while nobody was there is done once, or told; what speaks of the file that
// came is done for one file after the other, and everything else for all at once.
func (o Order) claim(events []Event) Claim {
	late := slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return !e.Late })
	c := Claim{Outcome: Ran, Events: events}
	switch {
	case o.Skips:
		c.Outcome = Skipped
		if o.Points() {
			c.Events = events[:1]
		}
	case len(late) > 0 && o.Missed == Tell:
		c.Outcome, c.Events, c.Missed = Late, late, len(late)
	case o.Points() && len(late) > 0:
		c.Events, c.Missed = late, len(late)-1
	case o.Points():
		c.Events = events[:1]
	}
	c.Due = c.Events[len(c.Events)-1].At
	return c
}

// named are the events of a claim that its run is about: all of them, or the file that it speaks of.
func (c Claim) named() []Event {
	if n := len(c.Events); n > 1 && c.Order.Points() && c.Outcome == Ran {
		return c.Events[n-1:]
	}
	return c.Events
}

// Because is what set a run off, as people call it, and of many things the first and how many more; "" when nothing did but a moment.
func (c Claim) Because() string { return c.listed(func(name string) string { return name }) }

// listed are the first names of what set a run off, each as it is to be written, and how many more there are.
func (c Claim) listed(written func(string) string) string {
	names, list := c.Names(), []string{}
	for _, name := range names[:min(len(names), mostNamed)] {
		list = append(list, written(name))
	}
	text := strings.Join(list, ", ")
	if more := len(names) - len(list); more > 0 {
		text += bilingual.Say(c.Order.Lang, " 외 %d개", " and %d more", more)
	}
	return text
}

// Names are what set a run off, one by one. They are other people's words.
func (c Claim) Names() (names []string) {
	for _, e := range c.named() {
		names = append(names, e.Name)
	}
	return names
}

// Chain are the orders whose runs led to a claim.
func (c Claim) Chain() (chain []string) {
	for _, e := range c.Events {
		for _, id := range e.Chain {
			if !slices.Contains(chain, id) {
				chain = append(chain, id)
			}
		}
	}
	return chain
}

// leave claims events without a run, and says so in the chat when that is worth a word.
func (b *Book) leave(ctx context.Context, o Order, c Claim, now time.Time) error {
	c.Order, c.At = o, now
	if c.Due.IsZero() {
		c.Due = c.Events[len(c.Events)-1].At
	}
	tell := c.Outcome == Late
	if c.Outcome == Looped {
		runs, err := b.deps.Store.StandingRuns(ctx, o.ID, 1)
		if err != nil {
			return err
		}
		tell = len(runs) == 0 || runs[0].Outcome != Looped // once, until it runs again
	}
	return b.miss(ctx, c, tell)
}

func (b *Book) message(o Order, text string, now time.Time) *event.ChatMessage {
	return &event.ChatMessage{ID: b.deps.NewID(), Role: event.RoleShop, Text: text, Time: event.Stamp(now), Standing: o.Ref()}
}

// hold has an order rest that was set off too often, and says so.
func (b *Book) hold(ctx context.Context, o Order, until, now time.Time) error {
	msg := b.message(o, heldWords(o, until), now)
	chat, held, err := b.deps.Store.HoldStanding(ctx, o.ID, until, msg)
	if held {
		b.deps.Publisher.Publish(event.Of(chat, "", *msg))
		b.deps.Publisher.Publish(event.Of("", "", event.StandingChanged{ID: o.ID}))
	}
	return err
}

// over ends an order whose last day is past, or that has run as often as it should.
func (b *Book) over(ctx context.Context, o Order, now time.Time) (bool, error) {
	r, err := saidEnds(o.Rule)
	if err != nil || !r.Ends() {
		return false, err
	}
	ended := r.Until != "" && now.Format(time.DateOnly) > r.Until
	if r.Count > 0 && !ended {
		times, err := b.deps.Store.StandingTimes(ctx, o.ID, time.Time{})
		if err != nil {
			return false, err
		}
		ended = len(times) >= r.Count
	}
	if ended {
		_, err = b.change(ctx, o.ID, func(o *Order) error { o.State = Ended; return nil })
	}
	return ended, err
}

// Times is how often an order with a trigger runs at most, of which its runs are the record; 0: no end is said.
func (o Order) Times() int {
	if o.Trigger == nil {
		return 0
	}
	r, err := saidEnds(o.Rule)
	if err != nil {
		return 0
	}
	return r.Count
}

// Happened has the book look at what happened, and at runs that have come to their end. It costs nothing while no order waits for that.
func (b *Book) Happened() {
	if b.listens.Load() {
		b.Wake()
	}
}

// skipNext leaves out the next time that an order is set off.
func (b *Book) skipNext(ctx context.Context, id string) (Order, error) {
	return b.change(ctx, id, func(o *Order) error {
		if o.State != Active {
			return apperr.New(apperr.OrderOver)
		}
		o.Skips = true
		return nil
	})
}
