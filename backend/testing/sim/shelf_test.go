package sim

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// ownEvery is how often a seed gets a file of its own, which is opened anew after every kill. The others write into one
// ledger that stays open and is wiped before each: opening SQLite costs as much as a third of a seed.
const ownEvery = 16

// shelf keeps the ledgers of the simulation.
type shelf struct {
	template string // an empty ledger of today's schema
	dir      string // of the common ledger
	common   *store.Store
	wipe     []*sql.Stmt // brings the common ledger back to the template
}

func newShelf(t testing.TB) *shelf {
	t.Helper()
	s := &shelf{}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	open := func(dir string) *store.Store {
		t.Helper()
		disk, err := store.Open(context.Background(), ledgertest.In(dir), time.Now)
		must(err)
		return disk
	}
	dir := folder(t)
	must(open(dir).Close())
	s.template = filepath.Join(dir, store.FileName)

	dir = folder(t)
	s.dir = dir
	file := filepath.Join(dir, store.FileName)
	must(copyFile(s.template, file))
	db, err := sql.Open("sqlite", file)
	must(err)
	t.Cleanup(func() { _ = db.Close() })
	s.wipe, err = wiping(t.Context(), db, s.template)
	must(err)
	s.common = open(dir)
	t.Cleanup(func() { _ = s.common.Close() })
	return s
}

// clear brings the common ledger back to the template, and opens it anew: a program that has it open knows nothing of what others write.
func (s *shelf) clear(t testing.TB) {
	t.Helper()
	err := s.common.Close()
	for _, stmt := range s.wipe {
		if err == nil {
			_, err = stmt.ExecContext(context.Background())
		}
	}
	if err == nil {
		s.common, err = store.Open(context.Background(), ledgertest.In(s.dir), time.Now)
	}
	if err == nil && s.common.Distrusted() {
		err = s.common.Trust()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wiping makes db ready to be wiped, and returns what brings it back to what the template holds.
func wiping(ctx context.Context, db *sql.DB, template string) (wipe []*sql.Stmt, err error) {
	db.SetMaxOpenConns(1)
	// What was booked is never deleted, says the schema; between two seeds it is.
	if _, err := db.ExecContext(ctx, "DROP TRIGGER bank_entries_keep; PRAGMA busy_timeout = 5000; ATTACH ? AS template", template); err != nil {
		return nil, err
	}
	tables, err := names(ctx, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'passages_%' OR name = 'passages_fts'")
	if err != nil {
		return nil, err
	}
	script := []string{"BEGIN IMMEDIATE"}
	// With a condition, rows are deleted one by one: a table that holds none is not written at all.
	for _, table := range tables {
		script = append(script, "DELETE FROM main."+table+" WHERE true")
		filled, err := names(ctx, db, "SELECT 'filled' FROM template."+table+" LIMIT 1")
		if err != nil {
			return nil, err
		}
		if len(filled) > 0 {
			script = append(script, fmt.Sprintf("INSERT INTO main.%s SELECT * FROM template.%[1]s", table))
		}
	}
	for _, line := range append(script, "COMMIT") {
		stmt, err := db.PrepareContext(ctx, line) //nolint:sqlclosecheck // closed with its connection
		if err != nil {
			return nil, err
		}
		wipe = append(wipe, stmt)
	}
	return wipe, nil
}

func names(ctx context.Context, db *sql.DB, query string) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, rows.Err()
}

// disk is the ledger of one run of the program.
func (w *world) disk() (*store.Store, error) {
	if w.dir == "" {
		return w.shelf.common, nil
	}
	if w.boot == 1 {
		if err := copyFile(w.shelf.template, filepath.Join(w.dir, store.FileName)); err != nil {
			return nil, err
		}
	}
	return store.Open(context.Background(), ledgertest.In(w.dir), time.Now)
}

// folder is a place for a ledger, in memory where the system has such a place: a simulation loses no power.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "agentchat-sim-") //nolint:usetesting // t.TempDir would be on the disk
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
