package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/bank"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/store"
	"agentchat/backend/store/storetest"
)

// The file itself refuses what would make the books lie, and an audit finds what somebody did to it all the same.
func TestTheFileGuardsTheBooks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	storetest.OpenBooks(t, s)
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
	if a, _ := storetest.AuditBooks(t, s); a.Total != 0 || len(a.Off) > 0 {
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
	a, _ := storetest.AuditBooks(t, s)
	if !slices.Equal(a.Off, []string{"own"}) || !slices.Equal(a.Unbalanced, []string{"opening"}) || !slices.Equal(a.Stray, []string{"opening"}) || a.Total != 1007 {
		t.Errorf("%+v", a)
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
	if books, _ := storetest.AuditBooks(b, s); len(books.Unbalanced)+len(books.Stray)+len(books.Off) > 0 || books.Total != 0 {
		b.Fatalf("the books are not sound: %+v", books)
	}
}
