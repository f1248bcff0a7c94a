package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A restore that is broken off between any two of its steps is finished at the next start, and the log of the old ledger
// never meets the new one.
func TestARestoreThatWasBrokenOff(t *testing.T) {
	for name, step := range map[string]func(path, kept string) error{
		"before the first": func(string, string) error { return nil },
		"the ledger was moved, its log not": func(path, kept string) error {
			return errors.Join(os.MkdirAll(filepath.Dir(kept), 0o700), os.Rename(path, kept))
		},
		"both were moved": func(path, kept string) error {
			return errors.Join(os.MkdirAll(filepath.Dir(kept), 0o700), os.Rename(path, kept), os.Rename(path+"-wal", kept+"-wal"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openWith(t, dir, known(t))
			if err := s.AddChat(t.Context(), "old", "old"); err != nil {
				t.Fatal(err)
			}
			c, err := s.BackUp(t.Context(), ReasonAsked)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.AddChat(t.Context(), "new", "new"); err != nil {
				t.Fatal(err)
			}
			if err := s.Restore(t.Context(), c.Name); err != nil {
				t.Fatal(err)
			}
			killed := t.TempDir() // what the process leaves that is killed now, its log included
			if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(killed, FileName)
			at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			if err := os.Chtimes(path+stagedSuffix, at, at); err != nil {
				t.Fatal(err)
			}
			if err := step(path, filepath.Join(killed, backupsFolder, "agentchat-20260102-030405-replaced.db")); err != nil {
				t.Fatal(err)
			}
			chats, err := openWith(t, killed, known(t)).Chats(t.Context())
			if err != nil || len(chats) != 1 || chats[0].ID != "old" {
				t.Fatalf("%+v, %v", chats, err)
			}
			replaced := filepath.Join(killed, backupsFolder, "agentchat-20260102-030405-replaced.db")
			if err := stage(t.Context(), killed, filepath.Base(replaced)); err != nil {
				t.Fatal(err)
			}
			back := t.TempDir()
			if err := os.Rename(path+stagedSuffix, filepath.Join(back, FileName)); err != nil {
				t.Fatal(err)
			}
			if chats, err = openWith(t, back, known(t)).Chats(t.Context()); err != nil || len(chats) != 2 {
				t.Errorf("what was replaced holds %+v, %v", chats, err)
			}
		})
	}
}
