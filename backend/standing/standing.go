// Package standing keeps standing orders: what shall be done again and again, at moments that a rule of RFC 5545 says, or whenever
// something happens: a file arrives or changes, a ticket ends. A moment that has come is claimed in the transaction that opens the turn which does it, so it is run once or told as missed, whatever ends
// the program meanwhile. What is to be done is said in the customer's own words and planned anew at each run, as any request is.
package standing

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

const (
	// pollInterval is how long the clock is trusted while something waits.
	pollInterval = 30 * time.Second
	// lateAfter is how long after its moment a run counts as late.
	lateAfter = 2 * time.Minute
	// mostMissed is how far missed moments are counted.
	mostMissed = 999
	// mostRuns is how many runs of an order are shown.
	mostRuns = 20
	// Upcoming is how many of the next moments are shown.
	Upcoming = 3
)

// State is where an order is in its life.
type State string

// An order is proposed, then kept as active; it may be paused, and ends by its rule.
const (
	Proposed State = "proposed"
	Active   State = "active"
	Paused   State = "paused"
	Ended    State = "ended"
)

// Missed says what becomes of moments that passed while nobody was there.
type Missed string

// All of them are made up for by one run, or they are only told.
const (
	CatchUp Missed = "once"
	Tell    Missed = "tell"
)

// Order is one standing order.
type Order struct {
	ID     string
	Chat   string // where it was said, and where its runs are told
	Text   string // the customer's whole sentence
	What   string // what is to be done, in their words: what is left of it without the rule
	Lang   bilingual.Lang
	Rule   string    // RFC 5545, without DTSTART; of one with a trigger only how it ends, if it does
	Start  time.Time // where the rule begins to count
	State  State
	Missed Missed
	Next   time.Time // the next moment; zero: there is none
	Last   time.Time // the last moment that was run; zero: none was

	Trigger *Trigger  // what it waits for instead of moments; nil: moments
	Skips   bool      // with a trigger: the next time is left out
	Held    time.Time // and until when it rests, having run too often; zero: it does not

	Known []File // what a change has it know of its folder from then on; nil: as before
}

// Outcome is what became of a moment.
type Outcome string

// A moment was run, told as missed, left out because the run before was still going, or skipped by the customer; what set an order off
// was left out because it came of that very order.
const (
	Ran     Outcome = "run"
	Late    Outcome = "missed"
	Busy    Outcome = "busy"
	Skipped Outcome = "skipped"
	Looped  Outcome = "looped"
)

// RunState is how far a run is.
type RunState string

// A run is going, has a question open, or is over; failed when a ticket of it was not done.
const (
	RunGoing   RunState = "running"
	RunWaiting RunState = "waiting"
	RunDone    RunState = "done"
	RunFailed  RunState = "failed"
)

// Run is what became of one moment of an order. Turn is the message its run began with, Jobs the tickets it handed out.
type Run struct {
	Due     time.Time
	At      time.Time
	Outcome Outcome
	Missed  int    // how many moments before this one passed unseen
	Because string // what set it off: other people's words
	Turn    string
	State   RunState // of a run
	Text    string   // what came of it
	Jobs    []string
}

// Claim takes a moment of an order. It holds only if the order still waits for the moment Was; a zero Was takes no moment, it is run
// besides.
type Claim struct {
	Order   Order
	Was     time.Time
	Next    time.Time // the moment the order waits for from now on
	Due     time.Time // the moment that is claimed
	At      time.Time
	Outcome Outcome
	Missed  int
	Turn    string  // of a run: the message it begins with
	Events  []Event // what set it off, the oldest first; it holds only if none of that was dealt with
}

// Late tells whether a run comes later than it should have.
func (c Claim) Late() bool { return !c.Was.IsZero() && c.At.Sub(c.Due) > lateAfter }

// Store keeps standing orders. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// StandingOrders gives all that are kept, the oldest first; StandingOrder one of them, or one that is proposed.
	StandingOrders(ctx context.Context) ([]Order, error)
	StandingOrder(ctx context.Context, id string) (Order, error)
	// ProposeStanding writes an order down that was not agreed to yet, in the place of others of its chat. Twice is once.
	ProposeStanding(ctx context.Context, o Order) error
	// ChangeStanding changes an order in one transaction; what change refuses changes nothing.
	ChangeStanding(ctx context.Context, id string, change func(*Order) error) (Order, error)
	DeleteStanding(ctx context.Context, id string) error
	// NextStanding gives the active order whose moment comes first; ok is false when none waits.
	NextStanding(ctx context.Context) (o Order, ok bool, err error)
	// StandingGoes tells whether a run of an order is not over: it is being answered, or a ticket or a question of it is open.
	StandingGoes(ctx context.Context, id string) (bool, error)
	// StandingTriggers gives the active orders that wait for something other than moments, StandingEvents what happened of that and was
	// not dealt with, order by order, the oldest first.
	StandingTriggers(ctx context.Context) ([]Order, error)
	StandingEvents(ctx context.Context) ([]Event, error)
	// StandingSeen is when an order was last run, or a moment of one left out; zero: never.
	StandingSeen(ctx context.Context) (time.Time, error)
	// StandingTimes are the moments since at which an order was set off, the oldest first.
	StandingTimes(ctx context.Context, id string, since time.Time) ([]time.Time, error)
	// HoldStanding has an order rest, and says so in its chat; held is false when it rests until then already.
	HoldStanding(ctx context.Context, id string, until time.Time, msg *event.ChatMessage) (chat string, held bool, err error)
	// StandingFiles is what an order knows of its folder, by path; NoteFiles changes that, in one transaction with what it sets off.
	StandingFiles(ctx context.Context, id string) (map[string]File, error)
	NoteFiles(ctx context.Context, id string, files []File, events []Event) error
	// NoteMade notes that the ticket of an order's run is about to put a file in place; of other tickets it notes nothing. MadeBy gives
	// the orders whose runs made a file as it is, the last at the end; none: nobody's did.
	NoteMade(ctx context.Context, job string, f File) error
	MadeBy(ctx context.Context, f File) (chain []string, err error)
	// MissStanding claims a moment without running it, and says so in the order's chat when msg is not nil, or in the main one when
	// that is gone; it gives that chat. claimed is false when somebody was quicker.
	MissStanding(ctx context.Context, c Claim, msg *event.ChatMessage) (chat string, claimed bool, err error)
	// StandingRuns gives up to limit of what became of an order's moments, the newest first.
	StandingRuns(ctx context.Context, id string, limit int) ([]Run, error)
}

// Deps are the parts a Book works with. All are required except Log.
type Deps struct {
	Store Store
	// Run opens the turn that does what an order says, in the transaction that claims its moment.
	Run func(ctx context.Context, c Claim) (claimed bool, err error)
	// Asks tells whether a tool may ask before it does something.
	Asks func(tool string) bool
	// Ticket finds the tool whose tickets people call so, and how they say that one of them ended.
	Ticket  func(noun string) (tool string, called, ends bilingual.Text, ok bool)
	Folders Folders
	// Follow has these folders watched from now on, and no others; Look is called when something may have changed in one.
	Follow    func(folders []string)
	Publisher event.Publisher
	Now       func() time.Time // in the customer's zone
	NewID     func() string
	Log       zerolog.Logger
}

// Book keeps the standing orders and runs them in time. Safe for concurrent use.
type Book struct {
	*background.Loop // one timer for all orders

	deps       Deps
	began      time.Time    // when it first looked
	looked     time.Time    // and when it last did
	misaligned []misaligned // orders that are still to be aligned; the loop alone touches it
	listens    atomic.Bool  // some order waits for something other than moments
	looking    sync.Mutex   // held while a folder is compared with what is known of it
}

// New makes a book; Start begins to run what is due.
func New(deps Deps) *Book {
	b := &Book{deps: deps}
	b.Loop = background.New(deps.Now, pollInterval, b.runDue)
	return b
}

// runDue deals with everything that has come, and gives the next moment at which something will.
func (b *Book) runDue(ctx context.Context) (next time.Time) {
	if b.began.IsZero() {
		b.began = b.deps.Now()
	}
	more, err := b.align(ctx)
	if err != nil && ctx.Err() == nil {
		b.deps.Log.Error().Err(err).Msg("standing orders could not be looked through; it is tried again")
		return b.deps.Now()
	}
	if err := b.follow(ctx); err != nil && ctx.Err() == nil {
		b.deps.Log.Error().Err(err).Msg("what standing orders wait for could not be read; it is tried again")
		return b.deps.Now()
	}
	next = b.runMoments(ctx)
	if b.listens.Load() {
		if at := b.runEvents(ctx); next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	if more && ctx.Err() == nil {
		return b.deps.Now()
	}
	return next
}

// runMoments claims every moment that has come, and gives the next.
func (b *Book) runMoments(ctx context.Context) (next time.Time) {
	for {
		o, ok, err := b.deps.Store.NextStanding(ctx)
		if ctx.Err() != nil || err == nil && !ok {
			return time.Time{}
		}
		now := b.deps.Now()
		if err == nil && o.Next.After(now) {
			return o.Next
		}
		if err == nil {
			err = b.meet(ctx, o, now)
		}
		if err != nil && ctx.Err() == nil {
			b.deps.Log.Error().Err(err).Str("order", o.ID).Msg("a standing order could not be run now; it is tried again")
			return now
		}
	}
}

// meet deals with all moments of an order that have come: the last of them is run, or all are told as missed. One that comes while
// the run before is still going is left out.
func (b *Book) meet(ctx context.Context, o Order, now time.Time) error {
	rule, err := parse(o.Rule, o.Start, now.Location())
	if err != nil {
		return err
	}
	due, passed := rule.latest(o.Next, now)
	c := Claim{Order: o, Was: o.Next, Due: due, Next: rule.After(due), At: now, Outcome: Ran, Missed: passed}
	going, err := b.deps.Store.StandingGoes(ctx, o.ID)
	if err != nil {
		return err
	}
	switch {
	case going:
		c.Outcome = Busy
	case o.Missed == Tell && c.Late():
		c.Outcome, c.Missed = Late, passed+1
	}
	if c.Outcome == Ran {
		c.Turn = b.deps.NewID()
		claimed, err := b.deps.Run(ctx, c)
		if claimed {
			b.changed(o.ID)
		}
		return err
	}
	return b.miss(ctx, c, c.Late())
}

// miss notes that what a claim is about was not run, and tells the customer where tell says so.
func (b *Book) miss(ctx context.Context, c Claim, tell bool) error {
	var msg *event.ChatMessage
	if tell {
		msg = b.message(c.Order, missedWords(c), c.At)
	}
	chat, claimed, err := b.deps.Store.MissStanding(ctx, c, msg)
	if err != nil || !claimed {
		return err
	}
	if msg != nil {
		b.deps.Publisher.Publish(event.Of(chat, "", *msg))
	}
	b.changed(c.Order.ID)
	return nil
}

// Ref names the order in what is said of it.
func (o Order) Ref() *event.StandingRef { return &event.StandingRef{ID: o.ID, Title: o.What} }

func (b *Book) changed(id string) {
	b.deps.Publisher.Publish(event.Of("", "", event.StandingChanged{ID: id}))
	b.Wake()
}

// Propose makes an order of what was said, and writes it down until it is agreed to. invalid_args when its rule has no moment.
func (b *Book) Propose(ctx context.Context, o Order, said slot.Recurrence) (Order, error) {
	if o.Trigger != nil {
		o.Start, o.Rule, o.State, o.Missed = b.deps.Now(), endsRule(said), Proposed, CatchUp
		return o, b.deps.Store.ProposeStanding(ctx, o)
	}
	o.Start = startOf(said, b.deps.Now())
	o.Rule, o.State, o.Missed = said.Rule(b.deps.Now()), Proposed, CatchUp
	moments, err := b.Moments(o, 1)
	if err != nil {
		return o, err
	}
	if len(moments) == 0 {
		return o, never(o)
	}
	o.Next = moments[0]
	return o, b.deps.Store.ProposeStanding(ctx, o)
}

func never(o Order) error {
	return apperr.New(apperr.InvalidArgs, "detail", bilingual.Say(o.Lang, "그런 때는 오지 않아요", "that moment never comes"))
}

// startOf is where a rule begins to count: every two hours from nine begins at nine.
func startOf(said slot.Recurrence, now time.Time) time.Time {
	start := now.Truncate(time.Second)
	if (said.Freq == "HOURLY" || said.Freq == "MINUTELY") && said.Timed() {
		start = time.Date(now.Year(), now.Month(), now.Day(), said.Hours[0], said.Minute, 0, 0, now.Location())
		if start.After(now) {
			return start.Add(-time.Second) // the first moment is the start itself
		}
	}
	return start
}

// Moments are the next n of an order's moments.
func (b *Book) Moments(o Order, n int) (list []time.Time, err error) {
	if o.Trigger != nil {
		return nil, nil
	}
	now := b.deps.Now()
	rule, err := parse(o.Rule, o.Start, now.Location())
	if err != nil {
		return nil, err
	}
	at := now
	if o.State == Active && o.Next.After(now) {
		list, at = append(list, o.Next.In(now.Location())), o.Next
	}
	for len(list) < n {
		if at = rule.After(at); at.IsZero() {
			break
		}
		list = append(list, at)
	}
	return list, nil
}

// Read reads what a text says of when something happens again and again.
func (b *Book) Read(text string) slot.Recurrence { return slot.Recur(text, b.deps.Now()) }

// Asks tells whether a tool may ask before it does something.
func (b *Book) Asks(tool string) bool { return b.deps.Asks(tool) }

// List gives all orders that are kept, Get one, also one that is only proposed.
func (b *Book) List(ctx context.Context) ([]Order, error) { return b.deps.Store.StandingOrders(ctx) }

// Get gives one order; not_found when there is none.
func (b *Book) Get(ctx context.Context, id string) (Order, error) {
	return b.deps.Store.StandingOrder(ctx, id)
}
