package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
)

func version(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func openWith(t *testing.T, dir string, list []migration) *Store {
	t.Helper()
	s, err := open(context.Background(), dir, time.Now, list)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func known(t *testing.T) []migration {
	t.Helper()
	list, err := loadMigrations()
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	return list
}

func TestMigrationsGoForwardOneByOne(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	s := openWith(t, dir, list)
	if have := version(t, s); have != len(list) {
		t.Fatalf("an empty folder came to schema %d, want %d", have, len(list))
	}
	if err := s.AddChat(t.Context(), "kept", "kept"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	next := append(list, migration{len(list) + 1, "ALTER TABLE chats ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'; CREATE TABLE later (x INTEGER) STRICT"})
	s = openWith(t, dir, next)
	if have := version(t, s); have != len(next) {
		t.Fatalf("schema %d after the upgrade", have)
	}
	if chats, err := s.Chats(t.Context()); err != nil || len(chats) != 1 {
		t.Fatalf("after the upgrade: %+v, %v", chats, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backups, err := filepath.Glob(filepath.Join(dir, backupsFolder, "*.db"))
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups: %v, %v", backups, err)
	}
	info, err := os.Stat(backups[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v", info.Mode(), err)
	}
	// The backup is a whole ledger of the schema before.
	restored := t.TempDir()
	data, err := os.ReadFile(backups[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(restored, FileName), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if chats, err := openWith(t, restored, list).Chats(t.Context()); err != nil || len(chats) != 1 {
		t.Errorf("the backup holds %+v, %v", chats, err)
	}
}

func TestAMigrationThatBreaksChangesNothing(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	s := openWith(t, dir, list)
	if err := s.AddChat(t.Context(), "kept", "kept"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	broken := append(list, migration{len(list) + 1, "CREATE TABLE half (x); ALTER TABLE nothing ADD COLUMN x"})
	if _, err := open(t.Context(), dir, time.Now, broken); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Fatalf("%v", err)
	}
	s = openWith(t, dir, list)
	if have := version(t, s); have != len(list) {
		t.Errorf("schema %d", have)
	}
	var half int
	if err := s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_master WHERE name='half'").Scan(&half); err != nil || half != 0 {
		t.Errorf("half of the migration stayed: %d, %v", half, err)
	}
	if chats, err := s.Chats(t.Context()); err != nil || len(chats) != 1 {
		t.Errorf("%+v, %v", chats, err)
	}
}

func TestALedgerOfANewerProgramIsRefusedAndKept(t *testing.T) {
	dir, list := t.TempDir(), known(t)
	newer := append(list, migration{len(list) + 1, "CREATE TABLE later (x INTEGER) STRICT"})
	if err := openWith(t, dir, newer).Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), dir, time.Now)
	if apperr.CodeOf(err) != apperr.StorageNewer || !strings.Contains(err.Error(), "newer") {
		t.Fatalf("%v", err)
	}
	after, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
}

// A small ledger of an older program gets pages of today's size when it is opened, and keeps what it holds; so does one whose
// rebuilding was broken off.
func TestALedgerGetsTodaysPages(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA page_size=4096; PRAGMA journal_mode=WAL; "+known(t)[0].sql+"; PRAGMA user_version=1; INSERT INTO chats (id, title, created, updated) VALUES ('kept', 'kept', 1, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := openWith(t, dir, known(t))
		var size int
		var mode string
		if err := s.conn.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size); err != nil || size != pageSize {
			t.Errorf("pages of %d bytes, %v", size, err)
		}
		if err := s.conn.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
			t.Errorf("the journal is %s, %v", mode, err)
		}
		if chats, err := s.Chats(t.Context()); err != nil || len(chats) != 1 {
			t.Errorf("%+v, %v", chats, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
