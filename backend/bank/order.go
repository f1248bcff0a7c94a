package bank

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
)

// maxMemo is how many characters a memo has at most.
const maxMemo = 40

// Order is what a customer confirmed. Key names the very confirmation: it happens once, however often it is ordered.
type Order struct {
	Key    string
	Target string // a name in the address book
	Amount int64  // won, at least 1
	Memo   string
	Date   string // YYYY-MM-DD; "" or today: at once

	Chat  string
	JobID string
	Lang  bilingual.Lang
}

// Transfer carries an order out: at once, or on its day when that is still to come. An order whose key was carried out
// before gives what came of it then, and nothing moves. Errors, after which nothing has moved either: unknown_payee,
// insufficient_balance, limit_exceeded, past_date, invalid_args; digest_mismatch when the key stands for another order;
// storage errors.
func (b *Bank) Transfer(ctx context.Context, o Order) (Transfer, error) {
	o, err := o.tidy()
	if err != nil {
		return Transfer{}, err
	}
	var t Transfer
	again := false
	err = b.deps.Store.ChangeBooks(ctx, func(books Books) (err error) {
		t, again, err = books.Ordered(o.Key)
		switch {
		case err != nil:
			return err
		case again && t.Digest != o.digest():
			return apperr.New(apperr.DigestMismatch)
		case again:
			return nil
		}
		t, err = b.carryOut(books, o)
		return err
	})
	if err != nil {
		return Transfer{}, err
	}
	if !again {
		b.after(t)
	}
	return t, nil
}

// carryOut writes an order down and, unless its day is still to come, settles it.
func (b *Bank) carryOut(books Books, o Order) (Transfer, error) {
	now := b.deps.Now()
	today := day(now)
	if o.Date != "" && o.Date < today {
		return Transfer{}, apperr.New(apperr.PastDate, "date", o.Date)
	}
	payee, name, err := find(books, o.Target)
	if err != nil {
		return Transfer{}, err
	}
	own, err := books.Account(ownAccount)
	if err != nil {
		return Transfer{}, err
	}
	t := Transfer{
		ID: b.deps.NewID(), Key: o.Key, Digest: o.digest(), From: own.ID, To: payee, Target: name, Amount: o.Amount, Memo: o.Memo,
		State: StateScheduled, Chat: o.Chat, JobID: o.JobID, Lang: o.Lang, Created: now, Known: own.Balance,
	}
	if o.Date > today {
		t.Due = o.Date
		if err := b.within(books, t.Amount, t.Due, today); err != nil {
			return t, err
		}
		return t, books.AddTransfer(t)
	}
	if err := b.allow(books, t.Amount, today); err != nil {
		return t, err
	}
	t.Known -= t.Amount
	if err := books.AddTransfer(t); err != nil {
		return t, err
	}
	return t, b.post(books, &t, now)
}

// allow tells why an amount may not leave the customer's account today; nil when it may.
func (b *Bank) allow(books Reader, amount int64, today string) error {
	if err := b.within(books, amount, today, today); err != nil {
		return err
	}
	own, err := books.Account(ownAccount)
	if err != nil {
		return err
	}
	if own.Balance < amount {
		return apperr.New(apperr.InsufficientBalance, "balance", Won(own.Balance), "needed", Won(amount))
	}
	return nil
}

// Examine says by argument (target, amount) why a transfer would not be carried out as far as it is known: "" and 0 stand for
// what is not. Books that cannot be read refuse nothing; the transfer itself will.
func (b *Bank) Examine(ctx context.Context, target string, amount int64, date string) map[string]error {
	wrong := map[string]error{}
	note := func(arg string, err error) {
		switch apperr.CodeOf(err) {
		case apperr.UnknownPayee, apperr.InsufficientBalance, apperr.LimitExceeded:
			wrong[arg] = err
		default: // nothing that this value is to blame for
		}
	}
	today := day(b.deps.Now())
	_ = b.deps.Store.LookAtBooks(ctx, func(books Reader) error {
		if target != "" {
			_, _, err := find(books, target)
			note("target", err)
		}
		switch {
		case amount < 1:
		case date > today:
			note("amount", b.within(books, amount, date, today))
		default:
			note("amount", b.allow(books, amount, today))
		}
		return nil
	})
	return wrong
}

// Foretell says what will be left of the balance after a transfer of today; "" for one of another day, and when the books cannot
// be read.
func (b *Bank) Foretell(ctx context.Context, amount int64, date string, lang bilingual.Lang) string {
	if date > day(b.deps.Now()) {
		return ""
	}
	said := ""
	_ = b.deps.Store.LookAtBooks(ctx, func(books Reader) error {
		own, err := books.Account(ownAccount)
		if err == nil && own.Balance >= amount {
			left := own.Balance - amount
			said = bilingual.Say(lang, "보내면 잔액이 "+Won(left).In(bilingual.KO)+" 남아요.", Won(left).In(bilingual.EN)+" will be left.")
		}
		return err
	})
	return said
}

// within is the error limit_exceeded when an amount is over the limits of a day; what is already scheduled for a day to
// come counts as sent on it.
func (b *Bank) within(books Reader, amount int64, on, today string) error {
	limits := b.deps.Limits()
	spent := books.Sent
	when := bilingual.Of("오늘", "today")
	if on > today {
		spent = books.Planned
		when = bilingual.Of("그날("+on+")", "on "+on)
	}
	sent, err := spent(on)
	if err != nil {
		return err
	}
	left := max(limits.PerDay-sent, 0)
	switch {
	case amount > limits.PerTransfer:
		return apperr.New(apperr.LimitExceeded, "which", bilingual.Of("한 번 이체 한도", "limit per transfer"),
			"limit", Won(limits.PerTransfer), "left", Won(left), "when", when)
	case amount > left:
		return apperr.New(apperr.LimitExceeded, "which", bilingual.Of("하루 이체 한도", "limit per day"),
			"limit", Won(limits.PerDay), "left", Won(left), "when", when)
	}
	return nil
}

// post moves the money of a transfer that is written down and not settled. That its entries sum to zero is checked
// within the same transaction.
func (b *Bank) post(books Books, t *Transfer, now time.Time) error {
	sum, err := books.Enter(t.ID, Entry{t.From, -t.Amount}, Entry{t.To, t.Amount})
	if err != nil {
		return err
	}
	if sum != 0 {
		return apperr.Wrap(fmt.Errorf("bank: the entries of transfer %s sum to %d", t.ID, sum), apperr.Internal)
	}
	return b.finish(books, t, StateDone, now)
}

// finish gives a transfer its last state. One that has it already is a fault of this package, and nothing is changed.
func (b *Bank) finish(books Books, t *Transfer, state State, now time.Time) error {
	own, err := books.Account(ownAccount)
	if err != nil {
		return err
	}
	t.State, t.Settled, t.Day, t.Balance = state, now, day(now), own.Balance
	first, err := books.FinishTransfer(*t)
	if err == nil && !first {
		err = apperr.Wrap(fmt.Errorf("bank: transfer %s is settled already", t.ID), apperr.Internal)
	}
	return err
}

// after is what follows a committed transfer.
func (b *Bank) after(t Transfer) {
	b.tellDone(t)
	b.changed()
	if t.State == StateScheduled {
		b.schedule.Wake()
	}
}

// tidy brings an order into the form in which it is compared.
func (o Order) tidy() (Order, error) {
	wrong := func(what string) (Order, error) { return o, apperr.New(apperr.InvalidArgs, "detail", what) }
	if o.Key == "" {
		return wrong("key")
	}
	if o.Amount < 1 { // how much is too much, the limits say
		return wrong("amount ≥ 1")
	}
	var ok bool
	if o.Memo, ok = oneLine(o.Memo, maxMemo); !ok {
		return wrong("memo: 0…40")
	}
	if o.Target, ok = oneLine(o.Target, maxName); !ok {
		return wrong("target: 1…40")
	}
	if o.Date = strings.TrimSpace(o.Date); o.Date != "" {
		if _, err := time.Parse(time.DateOnly, o.Date); err != nil {
			return wrong("date: YYYY-MM-DD")
		}
	}
	return o, nil
}

// digest tells orders apart by what they would do.
func (o Order) digest() string {
	raw, err := json.Marshal(map[string]any{"target": o.Target, "amount": o.Amount, "memo": o.Memo, "date": o.Date})
	if err == nil {
		raw, err = strictjson.Canonical(raw)
	}
	if err != nil {
		panic("bank: " + err.Error()) // strings and a number always encode
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
