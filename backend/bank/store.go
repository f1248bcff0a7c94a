package bank

import (
	"context"

	"agentchat/backend/event"
)

// Store keeps the books. Safe for concurrent use; errors are *apperr.Error, or what the given function returned.
type Store interface {
	// ChangeBooks runs change as one transaction that survives the loss of power once ChangeBooks returns nil; with an
	// error nothing of it happened. Changes run one after the other. The books must not be used after change returned.
	ChangeBooks(ctx context.Context, change func(Books) error) error
	// LookAtBooks runs look on the books as they are at one moment, while others change them.
	LookAtBooks(ctx context.Context, look func(Reader) error) error
}

// Reader reads the books within one transaction. Lists are never nil.
type Reader interface {
	// Accounts gives every account, the customer's own first, then in the order they were made.
	Accounts() ([]Account, error)
	// Account gives one account; not_found when there is none.
	Account(id string) (Account, error)
	// Payees gives the address book, favourites first, then in the order they were entered.
	Payees() ([]Payee, error)
	// PayeeNamed finds who goes by a name, given as its key; "" when nobody does.
	PayeeNamed(key string) (id, name string, err error)
	// Transfer gives one transfer; not_found when there is none.
	Transfer(id string) (Transfer, error)
	// Ordered gives the transfer that a key stands for; false when there is none.
	Ordered(key string) (Transfer, bool, error)
	// Sent is what left the customer's account on a day.
	Sent(day string) (int64, error)
	// Planned is what is scheduled to leave it on a day.
	Planned(day string) (int64, error)
	// Scheduled gives what waits for its day, the soonest first.
	Scheduled() ([]Transfer, error)
	// Statement gives up to limit transfers that are settled, newest first, before the one with the id before ("" for the
	// newest).
	Statement(before string, limit int) ([]Transfer, error)
	// Totals sums up what left the customer's account, by who received it, in the order they first did.
	Totals(over Span) ([]Total, error)
	// Audit counts everything anew.
	Audit() (Audit, error)
}

// Books are the books within a transaction that may change them.
type Books interface {
	Reader
	// AddAccount opens an account. Its balance is 0.
	AddAccount(a Account) error
	// PutPayee writes an address book entry, new or changed, with all names the payee goes by. The account is there.
	PutPayee(p Payee, names []Name) error
	// DropPayee takes an entry out of the address book; the account stays. not_found when there is none.
	DropPayee(id string) error
	// AddTransfer writes a scheduled transfer down; nothing moves.
	AddTransfer(t Transfer) error
	// FinishTransfer gives a transfer its last state, with Code, Reason, Settled, Day and Balance, and its line in the statement.
	// False: it was settled before, and nothing was changed.
	FinishTransfer(t Transfer) (bool, error)
	// Enter writes a transfer's entries and gives the sum of all entries it has. It refuses a second entry of the same
	// account, and one that would bring any account but the outside below zero.
	Enter(transfer string, entries ...Entry) (sum int64, err error)
	// Tell puts a message into a chat and tells whether it did: not when the chat is gone.
	Tell(chat string, msg event.ChatMessage) (bool, error)
}

// Span chooses transfers that were done: since a day and before another, in a chat, to an account. "" in any of them chooses all.
type Span struct {
	Since string // YYYY-MM-DD
	Until string // likewise
	Chat  string
	To    string
}

// Total is what one payee received.
type Total struct {
	Account string
	Name    string
	Amount  int64
	Count   int
}

// Audit is what counting the books anew found. Sound books have no Unbalanced, Stray and Off, and a Total of 0.
type Audit struct {
	Transfers  int      // all there are
	Unbalanced []string // transfers whose entries do not sum to zero
	Stray      []string // transfers that are done without exactly two entries, or not done with any
	Off        []string // accounts whose balance is not the sum of their entries, or that owe money they may not owe
	Total      int64    // sum over all accounts
}
