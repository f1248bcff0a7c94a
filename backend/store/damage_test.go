//go:build unix

package store_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/store"
)

// grab copies an open ledger as a killed process leaves it: the file and what stands in the log.
func grab(t *testing.T, from string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(filepath.Join(from, store.FileName+part))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, store.FileName+part), data)
	}
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// prefix wants the first of the messages, and none that comes after one that is missing.
func prefix(t *testing.T, dir string, taken []string) int {
	t.Helper()
	sound(t, dir)
	s, err := store.Open(t.Context(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	msgs, err := s.History(t.Context(), "main", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range msgs {
		if m.ID != taken[i] {
			t.Fatalf("message %d is %s, want %s", i, m.ID, taken[i])
		}
	}
	if _, refusal := acknowledged(t, s, 100, 1); refusal != nil {
		t.Fatal(refusal)
	}
	return len(msgs)
}

// The log is cut off at every frame and in the middle of every frame, is garbage, or its index is gone: what is whole of it
// counts, what comes after does not, and work goes on.
func TestALogThatWasCutOff(t *testing.T) {
	const frame, head, page = 24, 32, 1024
	from := t.TempDir()
	s := open(t, from)
	taken, refusal := acknowledged(t, s, 0, 5)
	if refusal != nil {
		t.Fatal(refusal)
	}
	left := grab(t, from)
	wal, err := os.ReadFile(filepath.Join(left, store.FileName+"-wal"))
	if err != nil || binary.BigEndian.Uint32(wal[8:]) != page {
		t.Fatal(err)
	}
	if n := prefix(t, grab(t, from), taken); n != len(taken) {
		t.Errorf("without an index of the log %d of %d messages are there", n, len(taken))
	}
	most := -1
	for end := len(wal) - 40*(frame+page); end <= len(wal); end += (frame + page) / 2 {
		if end < head {
			continue
		}
		dir := grab(t, from)
		write(t, filepath.Join(dir, store.FileName+"-wal"), wal[:end])
		n := prefix(t, dir, taken)
		if n < most {
			t.Errorf("%d bytes of the log hold %d messages, fewer than a shorter one", end, n)
		}
		most = n
	}
	if most != len(taken) {
		t.Errorf("the whole log holds %d messages", most)
	}
	for name, garbage := range map[string][]byte{
		"of nothing": make([]byte, 3*(frame+page)), "of words": []byte(strings.Repeat("nonsense", 2000)),
		"behind": append(append([]byte{}, wal...), []byte(strings.Repeat("nonsense", 2000))...),
	} {
		dir := grab(t, from)
		write(t, filepath.Join(dir, store.FileName+"-wal"), garbage)
		if n := prefix(t, dir, taken); name == "behind" && n != len(taken) {
			t.Errorf("garbage %s the log: %d messages", name, n)
		}
	}
}

// spoil writes over the middle of a ledger's file.
func spoil(t *testing.T, dir string) (spoilt []byte) {
	t.Helper()
	path := filepath.Join(dir, store.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at+4096 <= len(data); at += 4096 { // every page but the first
		copy(data[at:], strings.Repeat("x", 512))
	}
	write(t, path, data)
	return data
}

func filled(t *testing.T, backup bool) (dir string, taken []string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir)
	taken, refusal := acknowledged(t, s, 0, 20)
	if refusal != nil {
		t.Fatal(refusal)
	}
	if backup {
		if _, err := s.BackUp(t.Context(), store.ReasonDaily); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, taken
}

// kept wants exactly one file beside the ledger that holds these bytes under a name with the date.
func kept(t *testing.T, dir string, data []byte) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, store.FileName+".damaged-20*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("put aside: %v, %v", found, err)
	}
	if now, err := os.ReadFile(found[0]); err != nil || string(now) != string(data) {
		t.Errorf("what was put aside is not what was there: %d bytes, %v", len(now), err)
	}
}

// A damaged ledger is found when it is opened and left as it is; the newest sound backup takes its place only when a person
// says so, and the damaged one is kept.
func TestADamagedLedger(t *testing.T) {
	for name, spoilIt := range map[string]func(t *testing.T, dir string) []byte{
		"pages": spoil,
		"head": func(t *testing.T, dir string) []byte {
			write(t, filepath.Join(dir, store.FileName), []byte(strings.Repeat("not a ledger ", 1000)))
			return []byte(strings.Repeat("not a ledger ", 1000))
		},
		"emptied": func(t *testing.T, dir string) []byte {
			write(t, filepath.Join(dir, store.FileName), nil)
			return nil
		},
	} {
		for _, fresh := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, fresh %t", name, fresh), func(t *testing.T) {
				dir, taken := filled(t, true)
				data := spoilIt(t, dir)
				for range 2 {
					if _, err := store.Open(t.Context(), dir, time.Now); apperr.CodeOf(err) != apperr.StorageCorrupt {
						t.Fatalf("%v", err)
					}
				}
				if now, err := os.ReadFile(filepath.Join(dir, store.FileName)); err != nil || string(now) != string(data) {
					t.Fatalf("opening changed it: %v", err)
				}
				backup, err := store.StartOver(t.Context(), dir, fresh)
				if err != nil || (backup == "") != fresh {
					t.Fatalf("%q, %v", backup, err)
				}
				s := open(t, dir)
				if fresh {
					if chats, err := s.Chats(t.Context()); err != nil || len(chats) != 0 {
						t.Errorf("%+v, %v", chats, err)
					}
				} else {
					wantMessages(t, s, taken)
				}
				kept(t, dir, data)
			})
		}
	}
}

// Whoever does not wait for the examination of a ledger may read it, but writes nothing before it is known to be sound.
func TestADamagedLedgerTakesNothingIn(t *testing.T) {
	dir, _ := filled(t, false)
	path := filepath.Join(dir, store.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := rawDB(t, dir)
	var page int
	if err := errors.Join(db.QueryRowContext(t.Context(), `SELECT rootpage FROM sqlite_schema WHERE name='messages'`).Scan(&page), db.Close()); err != nil {
		t.Fatal(err)
	}
	copy(data[(page-1)*1024:], strings.Repeat("x", 512))
	write(t, path, data)
	s, err := store.Begin(t.Context(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddChat(t.Context(), "other", ""); apperr.CodeOf(err) != apperr.StorageCorrupt {
		t.Errorf("a write: %v", err)
	}
	if err := s.Sound(t.Context()); apperr.CodeOf(err) != apperr.StorageCorrupt {
		t.Errorf("found: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
		t.Errorf("it was touched: %v", err)
	}
}

// Without a sound backup nothing is touched unless the person wants to begin anew.
func TestADamagedLedgerWithoutABackup(t *testing.T) {
	dir, _ := filled(t, false)
	data := spoil(t, dir)
	if _, err := store.StartOver(t.Context(), dir, false); apperr.CodeOf(err) != apperr.NotFound {
		t.Fatalf("%v", err)
	}
	if now, err := os.ReadFile(filepath.Join(dir, store.FileName)); err != nil || string(now) != string(data) {
		t.Errorf("it was touched: %v", err)
	}
}

// A backup chosen in settings takes the ledger's place at the next start, and what was there becomes a backup itself.
func TestRestore(t *testing.T) {
	dir, taken := filled(t, true)
	s := open(t, dir)
	copies, err := s.Backups(t.Context())
	if err != nil || len(copies) != 1 || !copies[0].OK || copies[0].Bytes == 0 {
		t.Fatalf("%+v, %v", copies, err)
	}
	after, refusal := acknowledged(t, s, 200, 3)
	if refusal != nil {
		t.Fatal(refusal)
	}
	for _, name := range []string{"", "../agentchat.db", "agentchat-20200101-000000-daily.db", "agentchat-20200101-000000-/../../x.db"} {
		if err := s.Restore(t.Context(), name); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := s.Restore(t.Context(), copies[0].Name); err != nil {
		t.Fatal(err)
	}
	wantMessages(t, s, append(taken, after...)) // nothing changes before the next start
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	msgs, err := s.History(t.Context(), "main", "", 1000)
	if err != nil || len(msgs) != len(taken) {
		t.Fatalf("%d messages after the restore, %v", len(msgs), err)
	}
	copies, err = s.Backups(t.Context())
	if err != nil || len(copies) != 2 || !copies[0].OK || !strings.Contains(copies[0].Name, "replaced") {
		t.Fatalf("%+v, %v", copies, err)
	}
	if err := s.Restore(t.Context(), copies[0].Name); err != nil { // and back again
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantMessages(t, open(t, dir), append(taken, after...))
}

// A damaged backup never takes the place of anything.
func TestADamagedBackup(t *testing.T) {
	dir, taken := filled(t, true)
	s := open(t, dir)
	copies, err := s.Backups(t.Context())
	if err != nil || len(copies) != 1 {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "backups", copies[0].Name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data[:len(data)/2])
	if err := s.Restore(t.Context(), copies[0].Name); apperr.CodeOf(err) != apperr.StorageCorrupt {
		t.Fatalf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantMessages(t, open(t, dir), taken)
}

func TestTheNewestSevenBackupsAreKept(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), dir, func() time.Time { now = now.Add(time.Hour); return now })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var last string
	for range 9 {
		c, err := s.BackUp(t.Context(), store.ReasonDaily)
		if err != nil {
			t.Fatal(err)
		}
		last = c.Name
	}
	copies, err := s.Backups(t.Context())
	if err != nil || len(copies) != 7 || copies[0].Name != last || !copies[0].At.After(copies[6].At) {
		t.Errorf("%+v, %v", copies, err)
	}
	for _, c := range copies {
		if info, err := os.Stat(filepath.Join(dir, "backups", c.Name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", c.Name, info.Mode(), err)
		}
	}
}

// Another program holds the file: whoever writes is told after a while, and goes on when it is free.
// Backups that are asked for at the same time, by people and by the day, are made one after the other: each is there in the end.
func TestBackupsAtTheSameTime(t *testing.T) {
	dir, _ := filled(t, false)
	s, err := store.Open(t.Context(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			if c, err := s.BackUp(t.Context(), []store.Reason{store.ReasonAsked, store.ReasonDaily}[i%2]); err != nil || !c.OK {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
	all.Wait()
	if list, err := s.Backups(t.Context()); err != nil || len(list) != 6 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestALedgerAnotherProgramHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir)
		if _, refusal := acknowledged(t, s, 0, 1); refusal != nil {
			t.Fatal(refusal)
		}
		other := rawDB(t, dir)
		conn, err := other.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		if _, refusal := acknowledged(t, s, 1, 1); apperr.CodeOf(refusal) != apperr.StorageBusy {
			t.Errorf("%v", refusal)
		}
		if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(conn.Close(), other.Close()); err != nil {
			t.Fatal(err)
		}
		taken, refusal := acknowledged(t, s, 2, 1)
		if refusal != nil {
			t.Fatal(refusal)
		}
		wantMessages(t, s, taken)
	})
}

func rawDB(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return db
}
