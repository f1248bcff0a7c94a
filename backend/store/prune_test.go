package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/policy"
	"agentchat/backend/store"
)

// counts gives how many rows each table has.
func counts(t *testing.T, db *sql.DB) map[string]int {
	t.Helper()
	have := map[string]int{}
	for _, table := range []string{"jobs", "job_log", "asks", "effects", "turns", "messages", "bank_transfers", "bank_entries"} {
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		have[table] = n
	}
	return have
}

// What is over and old goes; what is open, new or money stays.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(context.Background(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	day := func(ago int) int64 { return now.AddDate(0, 0, -ago).UnixMicro() }
	number := 0
	add := func(id string, ended int64, cleared int) {
		number++
		do(`INSERT INTO jobs (id, number, chat, title, state, data, created, ended, cleared) VALUES (?,?,'main','t','x','{}',?,?,?)`, id, number, day(300), ended, cleared)
		do(`INSERT INTO job_log (n, level, line, at) VALUES ((?1<<32)+1,'info','one',1), ((?1<<32)+2,'info','two',1)`, number)
		do(`INSERT INTO asks (id, job, kind, state, data, opened) VALUES ('c'||?1,?1,'approval','consumed','{}',1), ('x'||?1,?1,'lock','closed','{}',1)`, id)
		do(`INSERT INTO effects (id, job, todo, tool, digest, args, state, created, settled) VALUES ('s'||?1,?1,'t','pay','d','{}','done',1,?2)`, id, max(ended, day(200)))
	}
	add("old", day(100), 0)
	add("open", 0, 0)         // since long ago
	add("doubt", day(120), 0) // nobody knows what became of its effect
	do(`INSERT INTO effects (id, job, todo, tool, digest, args, state, created) VALUES ('idoubt','doubt','t','pay','d','{}','intent',1)`)
	do(`INSERT INTO asks (id, job, kind, state, data, opened) VALUES ('odoubt','doubt','recovery','open','{}',1)`)
	add("cleared", day(10), 1)
	add("just cleared", day(1), 1)
	add("new", day(1), 0)
	do(`INSERT INTO turns (id, chat, data, created) VALUES ('pending','main','{}',?)`, day(200))
	do(`INSERT INTO bank_accounts (id, title, kind, created) VALUES ('a','a','own',1), ('b','b','outside',1)`)
	do(`INSERT INTO bank_transfers (id, key, digest, source, dest, target, amount, state, job, created, known) VALUES ('m','k','d','b','a','a',5,'done','old',1,0)`)
	do(`INSERT INTO bank_entries (transfer, account, amount) VALUES ('m','a',5), ('m','b',-5)`)

	keep := store.Keep{Jobs: 100, Records: 90 * 24 * time.Hour, Cleared: 7 * 24 * time.Hour, Batch: 1}
	gone, err := s.Prune(t.Context(), keep)
	if err != nil {
		t.Fatal(err)
	}
	have := counts(t, db)
	want := map[string]int{ // of 6 jobs
		"jobs": 6, "job_log": 2 * 3, "asks": 2*4 + 1, "effects": 5, "turns": 1, "messages": 0, "bank_transfers": 1, "bank_entries": 2,
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("after the first time %v, want %v (%d rows went)", have, want, gone)
	}
	if again, err := s.Prune(t.Context(), keep); err != nil || again != 0 {
		t.Errorf("the second time %d rows went: %v", again, err)
	}

	// Only the two newest ended jobs stay, and those that are not settled.
	keep.Jobs, keep.Batch = 2, 500
	if _, err := s.Prune(t.Context(), keep); err != nil {
		t.Fatal(err)
	}
	var left string
	if err := db.QueryRowContext(t.Context(), "SELECT group_concat(id, ', ') FROM (SELECT id FROM jobs ORDER BY number)").Scan(&left); err != nil {
		t.Fatal(err)
	}
	if left != "open, doubt, just cleared, new" {
		t.Errorf("left: %s", left)
	}
	have = counts(t, db)
	if have["bank_transfers"] != 1 || have["bank_entries"] != 2 {
		t.Errorf("money went: %v", have)
	}
	var orphans int
	if err := db.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM asks WHERE job NOT IN (SELECT id FROM jobs))
		+ (SELECT count(*) FROM job_log WHERE n>>32 NOT IN (SELECT number FROM jobs)) + (SELECT count(*) FROM effects WHERE job NOT IN (SELECT id FROM jobs))`).
		Scan(&orphans); err != nil || orphans != 0 {
		t.Errorf("%d rows belong to no job, %v", orphans, err)
	}
}

// Of the audit log the old goes and what is beyond the newest; what is under way stays however old it is.
func TestPruneAudit(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, e := range []struct {
		id, outcome string
		days        int
	}{
		{"under way, ancient", "started", 900},
		{"done, ancient", "done", 500},
		{"denied, just too old", "denied", 401},
		{"done, just young enough", "done", 399},
		{"under way", "started", 20},
		{"rejected", "rejected", 10},
		{"failed", "failed", 5},
		{"unknown", "unknown", 2},
		{"done", "done", 1},
	} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO audit (id, at, chat, job, todo, tool, args, digest, decided, basis, shown, outcome, result, code)
			VALUES (?,?,'main','j','t','pay','{}','d','person','','{}',?,'','')`, e.id, now.AddDate(0, 0, -e.days).UnixMicro(), e.outcome); err != nil {
			t.Fatal(err)
		}
	}
	left := func(keep store.Keep) string {
		t.Helper()
		keep.Jobs, keep.Records, keep.Cleared = 100, time.Hour, time.Hour
		if _, err := s.Prune(t.Context(), keep); err != nil {
			t.Fatal(err)
		}
		if gone, err := s.Prune(t.Context(), keep); err != nil || gone != 0 {
			t.Errorf("the second time %d rows went: %v", gone, err)
		}
		list, err := s.Audit(t.Context(), policy.Filter{}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range list {
			ids = append(ids, e.ID)
		}
		return strings.Join(ids, "; ")
	}
	const all = "done; unknown; failed; rejected; under way; done, just young enough; denied, just too old; done, ancient; under way, ancient"
	if got := left(store.Keep{Batch: 2}); got != all {
		t.Errorf("without a limit %s", got)
	}
	if got := left(store.Keep{Batch: 2, Audit: 400 * 24 * time.Hour, AuditRows: 100}); got != "done; unknown; failed; rejected; under way; done, just young enough; under way, ancient" {
		t.Errorf("by age: %s", got)
	}
	if got := left(store.Keep{Batch: 1, Audit: 400 * 24 * time.Hour, AuditRows: 3}); got != "done; unknown; failed; under way; under way, ancient" {
		t.Errorf("by number: %s", got)
	}
}
