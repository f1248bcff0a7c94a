package bank_test

import (
	"context"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
)

// What mutation showed that no other test would notice.

// rich is a ledger in which the customer's account has so much.
type rich struct {
	bank.Store
	balance int64
}

type richBooks struct {
	bank.Books
	balance int64
}

func (r rich) ChangeBooks(ctx context.Context, change func(bank.Books) error) error {
	return r.Store.ChangeBooks(ctx, func(b bank.Books) error { return change(richBooks{b, r.balance}) })
}

func (r richBooks) Account(id string) (bank.Account, error) {
	a, err := r.Books.Account(id)
	a.Balance = r.balance
	return a, err
}

func TestAnAccountHoldsNoMoreThanItsMost(t *testing.T) {
	b := open(t)
	for balance, ok := range map[int64]bool{1_000_000_000_000 - 1: true, 1_000_000_000_000: false} {
		full := bank.New(bank.Deps{Store: rich{b.store, balance}, Publisher: b.bus, Now: b.now, NewID: b.newID, Lang: func() bilingual.Lang { return bilingual.EN }, Limits: func() bank.Limits { return b.limits }})
		if _, err := full.Deposit(t.Context(), 1); (err == nil) != ok || !ok && apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Errorf("an account with %d won and one more: %v", balance, err)
		}
	}
}

// watched is a ledger that tells how many lines were asked for.
type watched struct {
	bank.Store
	asked *int
}

type watchedBooks struct {
	bank.Reader
	asked *int
}

func (w watched) LookAtBooks(ctx context.Context, look func(bank.Reader) error) error {
	return w.Store.LookAtBooks(ctx, func(r bank.Reader) error { return look(watchedBooks{r, w.asked}) })
}

func (w watchedBooks) Statement(before string, limit int) ([]bank.Transfer, error) {
	*w.asked = limit
	return w.Reader.Statement(before, limit)
}

func TestAPageOfTheStatementIsAsLongAsItIsWanted(t *testing.T) {
	b := open(t)
	var asked int
	front := bank.New(bank.Deps{Store: watched{b.store, &asked}, Publisher: b.bus, Now: b.now, NewID: b.newID, Lang: func() bilingual.Lang { return bilingual.EN }, Limits: func() bank.Limits { return b.limits }})
	for limit, want := range map[int]int{500: 500, 501: 50, 0: 50, -1: 50, 1: 1} {
		if _, err := front.Statement(t.Context(), "", limit); err != nil || asked != want {
			t.Errorf("for a page of %d lines %d were asked for, not %d (%v)", limit, asked, want, err)
		}
	}
}

func TestASummaryNamesTheNewestTransfer(t *testing.T) {
	b := open(t)
	if s, err := b.Sum(t.Context(), bank.Question{Period: bank.PeriodAll}); err != nil || s.Last != nil {
		t.Fatalf("nothing was sent: %+v, %v", s.Last, err)
	}
	b.send(order("one", "엄마", 1000))
	sent := b.send(order("two", "엄마", 2000))
	if _, err := b.Deposit(t.Context(), 500); err != nil { // money that came in was not sent
		t.Fatal(err)
	}
	s, err := b.Sum(t.Context(), bank.Question{Period: bank.PeriodAll})
	if err != nil || s.Last == nil || s.Last.ID != sent.ID {
		t.Errorf("the newest transfer is %+v, %v", s.Last, err)
	}
}

func TestATransferOfTheSameDayIsTold(t *testing.T) {
	sent := bank.Transfer{Lang: bilingual.EN, Target: "mom", Amount: 1000, Day: "2026-11-24", Due: "2026-11-24"}
	planned := sent
	planned.Due = "2026-11-25"
	if sent.Text() == planned.Text() || sent.Text() != (bank.Transfer{Lang: bilingual.EN, Target: "mom", Amount: 1000, Day: "2026-11-24"}).Text() {
		t.Errorf("%q, %q", sent.Text(), planned.Text())
	}
}

func TestADepositIsNoLargerThanAMovementMayBe(t *testing.T) {
	b := open(t)
	for amount, ok := range map[int64]bool{0: false, 1: true, 100_000_000: true, 100_000_001: false} {
		before, err := b.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		in, err := b.Deposit(t.Context(), amount)
		if (err == nil) != ok {
			t.Errorf("a deposit of %d: %v", amount, err)
		}
		if ok && in.Known != before.Accounts[0].Balance+amount {
			t.Errorf("after a deposit of %d the customer is told of %d", amount, in.Known)
		}
	}
}

func TestAPayeeHasTenAliasesAtMost(t *testing.T) {
	b := open(t)
	aliases := strings.Split("abcdefghijk", "")
	if _, err := b.SavePayee(t.Context(), bank.Payee{Name: "Nobody", Bank: "A", Number: "110-123-456789", Aliases: aliases[:10]}); err != nil {
		t.Error(err)
	}
	if _, err := b.SavePayee(t.Context(), bank.Payee{Name: "Somebody", Bank: "A", Number: "110-123-456780", Aliases: aliases}); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("eleven aliases: %v", err)
	}
}

func TestANameOfTwoSyllablesKeepsBoth(t *testing.T) {
	for name, like := range map[string]string{"용걸이": "용걸", "용걸 씨": "용걸", "용걸님": "용걸"} {
		if bank.NameKey(name) != bank.NameKey(like) {
			t.Errorf("%s is not %s", name, like)
		}
	}
	for name, unlike := range map[string]string{"김씨": "김", "박님": "박", "금이": "금", "나라이": "나라"} {
		if bank.NameKey(name) == bank.NameKey(unlike) {
			t.Errorf("%s is taken for %s", name, unlike)
		}
	}
	longest := strings.Repeat("가", 40)
	b := open(t)
	for name, ok := range map[string]bool{longest: true, longest + "가": false} {
		if _, err := b.SavePayee(t.Context(), bank.Payee{Name: name}); (err == nil) != ok {
			t.Errorf("a name of %d syllables: %v", len([]rune(name)), err)
		}
	}
}

func TestWhoeverShowsTheBankIsToldOfAPayeeThatWent(t *testing.T) {
	b := open(t)
	p, err := b.SavePayee(t.Context(), bank.Payee{Name: "Nobody"})
	if err != nil {
		t.Fatal(err)
	}
	before := b.bus.Seq()
	if err := b.DeletePayee(t.Context(), "nobody-of-that-id"); apperr.CodeOf(err) != apperr.NotFound || b.bus.Seq() != before {
		t.Errorf("%v, and %d events", err, b.bus.Seq()-before)
	}
	if err := b.DeletePayee(t.Context(), p.ID); err != nil || b.bus.Seq() == before {
		t.Errorf("%v, and %d events", err, b.bus.Seq()-before)
	}
}
