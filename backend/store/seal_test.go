//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/testing/baddisk"
)

// bulky makes a ledger of some thousand pages and closes it.
func bulky(t *testing.T, dir string) {
	t.Helper()
	s := open(t, dir)
	for i := range 40 {
		id := strings.Repeat("x", i+1)
		if _, err := s.AddTurn(t.Context(), manager.Turn{ID: id, Chat: "main"}, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: strings.Repeat("long words ", 8000)}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func reads(t *testing.T, disk *baddisk.Disk) int {
	t.Helper()
	before := disk.Reads()
	if err := open(t, disk.Dir()).Close(); err != nil {
		t.Fatal(err)
	}
	return disk.Reads() - before
}

// A ledger that is as it was when it was closed is not gone through page by page at the next start; one that has no seal, or another's, is.
func TestALedgerAsItWasLeft(t *testing.T) {
	disk := baddisk.Under(t, t.TempDir())
	bulky(t, disk.Dir())
	seal := filepath.Join(disk.Dir(), store.FileName+".seal")
	if n := reads(t, disk); n > 500 {
		t.Errorf("%d pages were read of a ledger that nobody touched", n)
	}
	if err := os.WriteFile(seal, []byte("1 00000000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := reads(t, disk); n < 2000 {
		t.Errorf("only %d pages were read of a ledger with another seal", n)
	}
	if n := reads(t, disk); n > 500 {
		t.Errorf("%d pages were read, once it was examined", n)
	}
	if err := os.WriteFile(filepath.Join(disk.Dir(), store.FileName+"-wal"), []byte("a log that somebody left"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := reads(t, disk); n < 2000 {
		t.Errorf("only %d pages were read of a ledger with a log", n)
	}
}

// What was damaged while the program was ended is found at the start, seal or not; what met damage while it was open gets no seal.
func TestNoSealHidesDamage(t *testing.T) {
	dir := t.TempDir()
	bulky(t, dir)
	spoil(t, dir)
	for range 2 {
		s, err := store.Open(t.Context(), dir, nil)
		if apperr.CodeOf(err) != apperr.StorageCorrupt {
			t.Errorf("a damaged ledger: %v", err)
		}
		if s != nil {
			_ = s.Close()
		}
	}
}

// Damage that comes while the ledger is in use, and is met, is looked for by the next start.
func TestDamageThatWasMet(t *testing.T) {
	dir := t.TempDir()
	bulky(t, dir)
	s := open(t, dir)
	path := filepath.Join(dir, store.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at+1024 <= len(data); at += 1024 {
		copy(data[at:], strings.Repeat("x", 64))
	}
	write(t, path, data)
	if _, err := s.History(t.Context(), "main", "", 1000); err == nil {
		t.Fatal("nobody met it")
	}
	_ = s.Close()
	if after, err := store.Open(t.Context(), dir, nil); apperr.CodeOf(err) != apperr.StorageCorrupt {
		t.Errorf("the next start: %v", err)
		if after != nil {
			_ = after.Close()
		}
	}
}
