package standing_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// looked counts how often somebody asks for the next moment.
type looked struct {
	*store.Store

	times atomic.Int64
}

func (l *looked) NextStanding(ctx context.Context) (standing.Order, bool, error) {
	l.times.Add(1)
	return l.Store.NextStanding(ctx)
}

// worked is the processor time of this program so far.
func worked(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// BenchmarkTenThousandOrders is what 10,000 standing orders cost while none is due (looks at the ledger, processor), and how long after
// its moment the next one starts.
func BenchmarkTenThousandOrders(b *testing.B) {
	dir := b.TempDir()
	open := func() *store.Store {
		ledger, err := store.Open(b.Context(), ledgertest.In(dir), time.Now)
		if err != nil {
			b.Fatal(err)
		}
		return ledger
	}
	if err := open().Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	const many = 10_000
	y, m, d := time.Now().AddDate(0, 0, 1).Date()
	tomorrow := time.Date(y, m, d, 8, 0, 0, 0, time.Local)
	if _, err := db.ExecContext(b.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<?)
		INSERT INTO standing_orders (id, chat, text, what, lang, rule, start, state, next, created)
		SELECT 'o'||i, 'main', 'x', 'x', 'ko', 'FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0', 1, 'active', ?+i, 1 FROM n`, many, tomorrow.UnixMicro()); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	ledger := &looked{Store: open()}
	defer func() { _ = ledger.Close() }()
	ran, id := make(chan time.Time, 1), 0
	book := standing.New(standing.Deps{
		Store: ledger, Publisher: nobody{}, Now: time.Now, Follow: func([]string) {}, NewID: func() string { id++; return fmt.Sprint("m", id) },
		Run: func(ctx context.Context, c standing.Claim) (bool, error) {
			turn := manager.Turn{ID: c.Turn, Chat: c.Order.Chat, Text: c.Order.What}
			claimed, err := ledger.AddRun(ctx, c, &turn, event.ChatMessage{ID: c.Turn, Role: event.RoleCustomer, Text: turn.Text})
			ran <- time.Now()
			return claimed, err
		},
	})
	book.Start(b.Context())
	defer book.Stop()
	const idle = 2 * time.Second
	<-time.After(100 * time.Millisecond) // its first look
	looks, work := ledger.times.Load(), worked(b)
	<-time.After(idle)
	work, looks = worked(b)-work, ledger.times.Load()-looks
	var worst time.Duration
	n := 0
	for b.Loop() {
		n++
		due := time.Now().Add(200 * time.Millisecond).Truncate(time.Microsecond)
		if _, err := ledger.ChangeStanding(b.Context(), fmt.Sprint("o", n%many), func(o *standing.Order) error { o.Next = due; return nil }); err != nil {
			b.Fatal(err)
		}
		book.Wake()
		worst = max(worst, (<-ran).Sub(due))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(looks), "idle-looks")
	b.ReportMetric(float64(work.Microseconds())/idle.Seconds(), "idle-cpu-µs/s")
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-start-ms")
}
