package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
)

// change is one transaction of the books that must succeed.
func change(t testing.TB, l bank.Store, do func(bank.Books) error) {
	t.Helper()
	if err := l.ChangeBooks(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

// OpenBooks are the smallest books there are: 1,000 won, and somebody to send them to.
func OpenBooks(t testing.TB, l bank.Store) {
	t.Helper()
	change(t, l, func(b bank.Books) error {
		return errors.Join(
			b.AddAccount(bank.Account{ID: "outside", Kind: bank.KindOutside}), b.AddAccount(bank.Account{ID: "own", Kind: bank.KindOwn}),
			b.AddAccount(bank.Account{ID: "mom", Kind: bank.KindPayee}),
			b.PutPayee(bank.Payee{ID: "mom", Name: "엄마", Aliases: []string{"Mom"}}, []bank.Name{{Key: "엄마", Written: "엄마"}, {Key: "mom", Written: "Mom"}}),
			move(b, "opening", "outside", "own", 1000),
		)
	})
}

// move writes a transfer down and settles it.
func move(b bank.Books, id, from, to string, amount int64) error {
	t := bank.Transfer{ID: id, Key: "key " + id, From: from, To: to, Amount: amount, State: bank.StateDone, Day: "2026-01-01", Settled: time.Unix(1, 0)}
	if err := b.AddTransfer(t); err != nil {
		return err
	}
	sum, err := b.Enter(id, bank.Entry{Account: from, Amount: -amount}, bank.Entry{Account: to, Amount: amount})
	if err != nil || sum != 0 {
		return errors.Join(err, fmt.Errorf("the sum is %d", sum))
	}
	own, err := b.Account("own")
	if err != nil {
		return err
	}
	t.Balance = own.Balance
	_, err = b.FinishTransfer(t)
	return err
}

// AuditBooks counts the books anew.
func AuditBooks(t testing.TB, l bank.Store) (a bank.Audit, accounts []bank.Account) {
	t.Helper()
	if err := l.LookAtBooks(context.Background(), func(b bank.Reader) (err error) {
		if a, err = b.Audit(); err != nil {
			return err
		}
		accounts, err = b.Accounts()
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return a, accounts
}

func booksWhole(t *testing.T, h House) {
	l := open(t, h)
	OpenBooks(t, l)
	boom := errors.New("boom")
	for name, do := range map[string]func(bank.Books) error{
		"it fails in the end": func(b bank.Books) error { return errors.Join(move(b, "x", "own", "mom", 10), boom) },
		"more than there is":  func(b bank.Books) error { return move(b, "x", "own", "mom", 1001) },
		"no such account":     func(b bank.Books) error { return move(b, "x", "own", "dad", 10) },
		"the key is taken": func(b bank.Books) error {
			return errors.Join(move(b, "x", "own", "mom", 10), move(b, "x", "own", "mom", 10))
		},
		"entered twice": func(b bank.Books) error {
			_, err := b.Enter("opening", bank.Entry{Account: "own", Amount: 5})
			return err
		},
		"no such transfer": func(b bank.Books) error { _, err := b.Enter("x", bank.Entry{Account: "own", Amount: 5}); return err },
		"a name that is taken": func(b bank.Books) error {
			return errors.Join(b.AddAccount(bank.Account{ID: "dad", Kind: bank.KindPayee}),
				b.PutPayee(bank.Payee{ID: "dad", Name: "아빠"}, []bank.Name{{Key: "mom", Written: "아빠"}}))
		},
	} {
		if err := l.ChangeBooks(t.Context(), do); err == nil {
			t.Errorf("%s: it went through", name)
		}
		a, accounts := AuditBooks(t, l)
		if a.Transfers != 1 || a.Total != 0 || len(a.Off)+len(a.Stray)+len(a.Unbalanced) > 0 || len(accounts) != 3 || accounts[0].Balance != 1000 {
			t.Errorf("%s: %+v, %+v", name, a, accounts)
		}
	}
}

func booksSettled(t *testing.T, h House) {
	l := open(t, h)
	OpenBooks(t, l)
	change(t, l, func(b bank.Books) error {
		first, err := b.FinishTransfer(bank.Transfer{ID: "opening", State: bank.StateCanceled})
		if first {
			t.Error("it was settled again")
		}
		return err
	})
	if err := l.LookAtBooks(t.Context(), func(b bank.Reader) error {
		got, err := b.Transfer("opening")
		if got.State != bank.StateDone || got.Balance != 1000 || !got.Settled.Equal(time.Unix(1, 0)) {
			t.Errorf("%+v", got)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// Who looks at the books sees them as they were at one moment, and nobody waits for that.
func booksLooked(t *testing.T, h House) {
	l := open(t, h)
	OpenBooks(t, l)
	err := l.LookAtBooks(t.Context(), func(b bank.Reader) error {
		before, err := b.Account("own")
		if err != nil {
			return err
		}
		change(t, l, func(b bank.Books) error { return move(b, "x", "own", "mom", 10) }) // nobody waits for a reader
		after, err := b.Account("own")
		if before.Balance != 1000 || after.Balance != 1000 {
			t.Errorf("the books changed while they were looked at: %d, %d", before.Balance, after.Balance)
		}
		if _, err := b.Account("nobody"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("%v", err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, accounts := AuditBooks(t, l); accounts[0].Balance != 990 {
		t.Errorf("%+v", accounts)
	}
}

func booksTell(t *testing.T, h House) {
	l := open(t, h)
	if err := l.AddChat(t.Context(), "main", ""); err != nil {
		t.Fatal(err)
	}
	for _, chat := range []string{"main", "gone"} {
		change(t, l, func(b bank.Books) error {
			told, err := b.Tell(chat, event.ChatMessage{ID: "m " + chat, Role: event.RoleShop, Text: "보냈어요"})
			if told != (chat == "main") {
				t.Errorf("%s was told: %v", chat, told)
			}
			return err
		})
	}
	list, err := l.History(t.Context(), "main", "", 10)
	if err != nil || len(list) != 1 || list[0].Text != "보냈어요" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := l.History(t.Context(), "gone", "", 10); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// Whoever orders at the same moment, no more is spent than there is, and the books are sound.
func booksCrowd(t *testing.T, h House) {
	l := open(t, h)
	OpenBooks(t, l)
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			_ = l.ChangeBooks(t.Context(), func(b bank.Books) error { return move(b, fmt.Sprint("x", w), "own", "mom", 200) })
		})
	}
	group.Wait()
	h.Cut(t)
	l = open(t, h)
	if a, accounts := AuditBooks(t, l); a.Transfers != 6 || a.Total != 0 || len(a.Off)+len(a.Stray)+len(a.Unbalanced) > 0 || accounts[0].Balance != 0 {
		t.Errorf("%+v, %+v", a, accounts)
	}
}
