package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
)

// change is one transaction of the books that must succeed.
func change(t testing.TB, s *store.Store, do func(bank.Books) error) {
	t.Helper()
	if err := s.ChangeBooks(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

// books are the smallest books there are: 1,000 won, and somebody to send them to.
func books(t testing.TB, s *store.Store) {
	t.Helper()
	change(t, s, func(b bank.Books) error {
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

func audit(t testing.TB, s *store.Store) (a bank.Audit, accounts []bank.Account) {
	t.Helper()
	if err := s.LookAtBooks(context.Background(), func(b bank.Reader) (err error) {
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

func TestAChangeOfTheBooksIsWholeOrNothing(t *testing.T) {
	s := open(t, t.TempDir())
	books(t, s)
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
		if err := s.ChangeBooks(t.Context(), do); err == nil {
			t.Errorf("%s: it went through", name)
		}
		a, accounts := audit(t, s)
		if a.Transfers != 1 || a.Total != 0 || len(a.Off)+len(a.Stray)+len(a.Unbalanced) > 0 || len(accounts) != 3 || accounts[0].Balance != 1000 {
			t.Errorf("%s: %+v, %+v", name, a, accounts)
		}
	}
}

func TestWhatIsSettledStaysSettled(t *testing.T) {
	s := open(t, t.TempDir())
	books(t, s)
	change(t, s, func(b bank.Books) error {
		first, err := b.FinishTransfer(bank.Transfer{ID: "opening", State: bank.StateCanceled})
		if first {
			t.Error("it was settled again")
		}
		return err
	})
	if err := s.LookAtBooks(t.Context(), func(b bank.Reader) error {
		got, err := b.Transfer("opening")
		if got.State != bank.StateDone || got.Balance != 1000 || !got.Settled.Equal(time.Unix(1, 0)) {
			t.Errorf("%+v", got)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// The file itself refuses what would make the books lie, and an audit finds what somebody did to it all the same.
func TestTheFileGuardsTheBooks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	books(t, s)
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName)+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, wrong := range []string{
		`UPDATE bank_entries SET amount=amount+1`, `DELETE FROM bank_entries`, `UPDATE bank_accounts SET balance=-1 WHERE id='own'`,
		`DELETE FROM bank_transfers`, `DELETE FROM bank_accounts`, `UPDATE bank_transfers SET state='lost'`,
		`INSERT INTO bank_entries VALUES ('opening', 'mom', 0)`,
	} {
		if _, err := db.ExecContext(t.Context(), wrong); err == nil {
			t.Errorf("it let through: %s", wrong)
		}
	}
	if a, _ := audit(t, s); a.Total != 0 || len(a.Off) > 0 {
		t.Errorf("%+v", a)
	}
	for _, forged := range []string{
		`UPDATE bank_accounts SET balance=2000 WHERE id='own'`, `INSERT INTO bank_entries VALUES ('opening', 'mom', 7)`,
		`UPDATE bank_transfers SET amount=1`,
	} {
		if _, err := db.ExecContext(t.Context(), forged); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := audit(t, s)
	if !slices.Equal(a.Off, []string{"own"}) || !slices.Equal(a.Unbalanced, []string{"opening"}) || !slices.Equal(a.Stray, []string{"opening"}) || a.Total != 1007 {
		t.Errorf("%+v", a)
	}
}

func TestLookingAtTheBooks(t *testing.T) {
	s := open(t, t.TempDir())
	books(t, s)
	err := s.LookAtBooks(t.Context(), func(b bank.Reader) error {
		before, err := b.Account("own")
		if err != nil {
			return err
		}
		change(t, s, func(b bank.Books) error { return move(b, "x", "own", "mom", 10) }) // nobody waits for a reader
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
	if _, accounts := audit(t, s); accounts[0].Balance != 990 {
		t.Errorf("%+v", accounts)
	}
}

func TestTellingAChat(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.AddChat(t.Context(), "main", ""); err != nil {
		t.Fatal(err)
	}
	for _, chat := range []string{"main", "gone"} {
		change(t, s, func(b bank.Books) error {
			told, err := b.Tell(chat, event.ChatMessage{ID: "m " + chat, Role: event.RoleShop, Text: "보냈어요"})
			if told != (chat == "main") {
				t.Errorf("%s was told: %v", chat, told)
			}
			return err
		})
	}
	list, err := s.History(t.Context(), "main", "", 10)
	if err != nil || len(list) != 1 || list[0].Text != "보냈어요" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := s.History(t.Context(), "gone", "", 10); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// BenchmarkTransfer is one transfer as the bank makes it: looked up, checked, entered and committed to survive the loss
// of power, in books of many.
func BenchmarkTransfer(b *testing.B) {
	s := open(b, b.TempDir())
	n := 0
	practice := bank.New(bank.Deps{
		Store: s, Publisher: event.NewBus(0, time.Now), Now: time.Now, Lang: func() bilingual.Lang { return bilingual.KO },
		Limits: func() bank.Limits { return bank.Limits{PerTransfer: 1 << 40, PerDay: 1 << 40} },
		NewID:  func() string { n++; return fmt.Sprint("id-", n) },
	})
	if err := practice.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer practice.Stop()
	took := make([]time.Duration, 0, 1<<16)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		_, err := practice.Transfer(b.Context(), bank.Order{Key: fmt.Sprint("k", i), Target: "엄마", Amount: 1, Chat: "main", JobID: strings.Repeat("j", 36), Lang: bilingual.KO})
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	at := func(part float64) float64 { return float64(took[int(float64(len(took)-1)*part)].Microseconds()) }
	b.ReportMetric(at(0.50), "p50-µs")
	b.ReportMetric(at(0.99), "p99-µs")
	if books, _ := audit(b, s); len(books.Unbalanced)+len(books.Stray)+len(books.Off) > 0 || books.Total != 0 {
		b.Fatalf("the books are not sound: %+v", books)
	}
}
