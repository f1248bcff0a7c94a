// Package bank is the shop's practice bank: it works offline, its money is not real, and its books are kept as if it were.
//
// Every movement is a transfer with two entries that sum to zero, so the sum over all accounts never changes: even the
// money an account opens with comes from an account that stands for the world outside. Whatever changes the books is one
// transaction that survives the loss of power. An order carries a key, and the same key moves money once.
package bank

import (
	"context"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/background"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// Kind says whose an account is.
type Kind string

// The kinds of accounts.
const (
	KindOwn     Kind = "own"     // the customer's
	KindPayee   Kind = "payee"   // somebody in the address book, or who once was
	KindOutside Kind = "outside" // the world the money comes from; the only account that may be below zero
)

// Account is one account of the books. Balance is in won.
type Account struct {
	ID      string
	Title   string
	Kind    Kind
	Balance int64
	Created time.Time
}

// State is where a transfer stands.
type State string

// The states of a transfer. Only a scheduled one ever changes its state, and only once.
const (
	StateScheduled State = "scheduled" // nothing has moved yet
	StateDone      State = "done"
	StateCanceled  State = "canceled" // a person called it off in time
	StateFailed    State = "failed"   // the day came and it could not be done
)

// Transfer is one movement of money, done or still to come. Amounts are in won.
type Transfer struct {
	ID     string
	Key    string // see Order
	Digest string // of the order
	From   string // account
	To     string // account
	Target string // what the other side was called when it was ordered
	Amount int64
	Memo   string
	Due    string // the day it waits for as YYYY-MM-DD; "": it was done at once
	State  State
	Code   apperr.Code // why it failed
	Reason string      // the same as a sentence

	Chat    string
	JobID   string
	Lang    bilingual.Lang
	Created time.Time
	Known   int64 // own balance the customer was told when it was ordered

	Settled time.Time // when it left the state scheduled
	Day     string    // the customer's own day of that moment
	Balance int64     // own balance after it
}

// Entry is one side of a transfer: what comes in is positive.
type Entry struct {
	Account string
	Amount  int64
}

// Limits bound what may leave the customer's account, in won.
type Limits struct {
	PerTransfer int64
	PerDay      int64
}

// Deps are the parts a Bank works with. All are required except Done and Log.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	Limits    func() Limits
	Lang      func() bilingual.Lang
	Now       func() time.Time // the clock; its location is the customer's time zone
	NewID     func() string
	// Done hears of every transfer that took money out of the customer's account, after it was committed. It may hear of
	// one again after a restart.
	Done func(Transfer)
	Log  zerolog.Logger
}

// Bank is the practice bank. Safe for concurrent use.
type Bank struct {
	deps     Deps
	schedule *background.Loop
}

// New makes a bank; Start opens it.
func New(deps Deps) *Bank {
	if deps.Done == nil {
		deps.Done = func(Transfer) {}
	}
	b := &Bank{deps: deps}
	b.schedule = background.New(deps.Now, pollInterval, b.catchUp)
	return b
}

// Start opens the bank: the first time it makes the customer's account and address book, and then it sees to the schedule
// until Stop. Errors: storage errors.
func (b *Bank) Start(ctx context.Context) error {
	if err := b.createAccounts(ctx); err != nil {
		return err
	}
	if err := b.recall(ctx); err != nil {
		return err
	}
	b.schedule.Start(ctx)
	return nil
}

// Stop ends the bank's own work. What is scheduled stays in the books. Stopping twice is fine.
func (b *Bank) Stop() { b.schedule.Stop() }

// recalled is how many of the newest transfers Done hears of at the start.
const recalled = 16

// recall tells Done what it may have missed when the program ended between a commit and its call.
func (b *Bank) recall(ctx context.Context) error {
	var list []Transfer
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		list, err = books.Statement("", recalled)
		return err
	})
	for _, l := range slices.Backward(list) {
		b.tellDone(l)
	}
	return err
}

func (b *Bank) tellDone(t Transfer) {
	if t.State == StateDone && t.From == ownAccount {
		b.deps.Done(t)
	}
}

// changed says that whoever shows the bank should look again.
func (b *Bank) changed() { b.deps.Publisher.Publish(event.Of("", "", event.BankChanged{})) }

// day is the customer's own day of a moment, as YYYY-MM-DD: days compare as text.
func day(t time.Time) string { return t.Format(time.DateOnly) }
