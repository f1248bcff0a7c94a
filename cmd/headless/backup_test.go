package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/shop"
	"agentchat/backend/store"
)

// Backups over the headless front: made, listed, restored at the next start, and used when the data file is damaged.
func TestBackupsOfTheFront(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	s.must("say", map[string]any{"text": "엄마한테 만원 보내줘"}, nil)
	s.must("wait", map[string]any{"until": "idle"}, nil)
	var made shop.Backup
	s.must("backup", nil, &made)
	if !made.OK || made.Name == "" {
		t.Fatalf("%+v", made)
	}
	out := filepath.Join(t.TempDir(), "copy.db")
	s.must("backup", map[string]any{"path": out}, nil)
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if a := s.do("restore", map[string]any{"backup": "nothing"}); a.OK || a.Error.Code != "not_found" {
		t.Errorf("%+v", a)
	}
	nav := s.wish("목적지 A로 네비 켜줘")
	s.await("the way on the map, which is written down before", func(l line) bool {
		return l.Kind == event.KindMedia && strings.Contains(string(l.Data), nav)
	})
	s.must("restore", map[string]any{"backup": made.Name}, nil)
	s.quit()

	s = start(t, dir)
	if jobs := s.snapshot().Jobs; len(jobs) != 0 {
		t.Errorf("after the restore: %+v", jobs)
	}
	var list struct {
		Backups []shop.Backup `json:"backups"`
	}
	s.must("backups", nil, &list)
	replaced := slices.IndexFunc(list.Backups, func(b shop.Backup) bool { return b.Why == string(store.ReasonReplaced) })
	if replaced < 0 || !slices.ContainsFunc(list.Backups, func(b shop.Backup) bool { return b.Name == made.Name }) { // and the day's, where it took so long
		t.Fatalf("%+v", list)
	}
	s.must("restore", map[string]any{"backup": list.Backups[replaced].Name}, nil)
	s.quit()

	s = start(t, dir) // and back to what was replaced
	s.await("what was taken up again", func(l line) bool {
		return l.Kind == event.KindShopRecovered && strings.Contains(string(l.Data), `"running":1`)
	})
	s.holds(nav, "nav")
	s.quit()

	damage(t, dir)
	if said := refused(t, dir); !strings.Contains(said, "storage_corrupt") || !strings.Contains(said, "--damaged restore") {
		t.Errorf("%s", said)
	}
	s = start(t, dir, "--damaged", "restore")
	s.snapshot()
	s.quit()
}

func damage(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "agentchat.db"), []byte(strings.Repeat("damaged ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refused gives what a front says that does not open.
func refused(t *testing.T, dir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "--data", dir, "--provider", "builtin")
	cmd.Env = append(os.Environ(), child+"=1")
	said, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("it opened")
	}
	return string(said)
}

// A zip without a chat that is named holds all of them.
func TestAllChatsInOneZip(t *testing.T) {
	s := start(t, t.TempDir())
	s.must("say", map[string]any{"text": "고마워 하나"}, nil)
	s.must("say", map[string]any{"text": "고마워 둘", "chat": "other"}, nil)
	s.must("wait", map[string]any{"until": "idle"}, nil)
	for _, c := range []struct {
		chat  string
		chats int
	}{{"", 2}, {"other", 1}} {
		path := filepath.Join(t.TempDir(), "all.zip")
		s.must("export", map[string]any{"path": path, "chat": c.chat}, nil)
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range z.File {
			if filepath.Ext(f.Name) == ".json" {
				n++
			}
		}
		if _ = z.Close(); n != c.chats {
			t.Errorf("%q: %d chats", c.chat, n)
		}
	}
	s.quit()
}
