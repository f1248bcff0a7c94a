package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/store/storetest"
)

// stock fills a ledger with jobs, as they are written.
func stock(t testing.TB, s *Store, n int) { t.Helper(); stockFrom(t, s, 0, n) }

// No filter looks through the jobs themselves, and none has to sort what it found.
func TestTicketsAreFoundByTheirIndex(t *testing.T) {
	s := openWith(t, t.TempDir(), known(t))
	stock(t, s, 200)
	for name, c := range storetest.Wanted {
		q, err := ticketsOf(c.Filter, 100)
		if err != nil {
			t.Fatal(err)
		}
		query, args := q.numbers(10)
		rows, err := s.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		if err := each(rows, err, func(r row) error {
			var id, parent, free int
			var step string
			err := r.Scan(&id, &parent, &free, &step)
			plan = append(plan, step)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(plan, "\n")
		t.Logf("%s:\n%s", name, text)
		if strings.Contains(text, "SCAN jobs") || c.Filter.IDs == nil && strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", name, text)
		}
		if over := c.Filter.State == "" || c.Filter.State.Ended(); c.Filter.IDs == nil && over != strings.Contains(text, "SEARCH jobs USING COVERING INDEX jobs_list (number<?)") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A ledger from before the list has the columns of its jobs filled, as far as their records can be read.
func TestALedgerFromBeforeTheTicketList(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	before := slices.IndexFunc(list, func(m migration) bool { return strings.Contains(m.sql, "INDEX jobs_list") })
	old := openWith(t, dir, list[:before])
	if _, err := old.conn.ExecContext(t.Context(), `INSERT INTO jobs (number, id, chat, title, state, data, created, ended) VALUES
		(1,'a','main','a','succeeded','{"job":{"standing":{"order":"o1","run":"r"},"todos":[{"tool":"song","used":["nav","song"]},{"tool":"song"},{}]}}',1,2),
		(2,'torn','main','b','failed','{"job":',1,2), (3,'none','main','c','running','{"job":{"todos":null}}',1,0)`); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s := openWith(t, dir, list)
	for want, f := range map[int]job.TicketFilter{3: {}, 1: {Standing: "o1", Tool: "nav"}, 0: {Tool: "o1"}} {
		if n, err := s.CountTickets(t.Context(), f); err != nil || n != want {
			t.Errorf("%+v: %d, %v, want %d", f, n, err, want)
		}
	}
	if n, err := s.CountTickets(t.Context(), job.TicketFilter{Tool: "song"}); err != nil || n != 1 {
		t.Errorf("a tool: %d, %v", n, err)
	}
}

// BenchmarkTickets is the first page of the list of all jobs, and how many there are, with as many jobs as the housekeeping keeps.
func BenchmarkTickets(b *testing.B) {
	s, err := open(b.Context(), b.TempDir(), time.Now, must(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	stock(b, s, 20000)
	for name, f := range map[string]job.TicketFilter{
		"all": {}, "failed": {State: job.Failed}, "chat": {Chat: "chat3"}, "order": {Standing: "o1"}, "tool": {Tool: "calculator"}, "oldest_day": {From: "2026-03-01", To: "2026-03-01"},
		"words": {Words: "날씨 1999"}, "nothing": {Words: "nowhere"}, "running": {State: job.Running},
	} {
		b.Run("page/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Tickets(b.Context(), f, 0, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("count/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.CountTickets(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func must(b *testing.B) []migration {
	b.Helper()
	list, err := loadMigrations()
	if err != nil {
		b.Fatal(err)
	}
	return list
}
