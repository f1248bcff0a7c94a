package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// say stores a message with its turn.
func say(t testing.TB, s *store.Store, chat, id, text string) manager.Turn {
	t.Helper()
	return storetest.Say(t, s, chat, id, text)
}

func TestTheFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	s := open(t, dir)
	say(t, s, "main", "1", "hello")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v, %v", f.Name(), info.Mode(), err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if info, err := os.Stat(s.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a file that was open to all stays so: %v, %v", info.Mode(), err)
	}
}

func TestFoldersWithStrangeNames(t *testing.T) {
	for _, name := range []string{"한글 폴더", "with space", "100%25", "what?", "no#1", "a&b=c"} {
		dir := filepath.Join(t.TempDir(), name)
		s := open(t, dir)
		say(t, s, "main", "1", "hello")
		if _, err := os.Stat(filepath.Join(dir, store.FileName)); err != nil {
			t.Errorf("%s: the file is somewhere else: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if msgs, err := open(t, dir).History(t.Context(), "main", "", 10); err != nil || len(msgs) != 1 {
			t.Errorf("%s: %v, %v", name, msgs, err)
		}
	}
}

func TestWhatCannotBeOpenedSaysWhy(t *testing.T) {
	junk := t.TempDir()
	if err := os.WriteFile(filepath.Join(junk, store.FileName), []byte(strings.Repeat("this is not a database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir  string
		code apperr.Code
	}{"junk": {junk, apperr.StorageCorrupt}, "a file instead of a folder": {occupied, apperr.StorageFailed}} {
		s, err := store.Open(t.Context(), c.dir, time.Now)
		if err == nil {
			_ = s.Close()
		}
		if apperr.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	if data, err := os.ReadFile(filepath.Join(junk, store.FileName)); err != nil || !strings.HasPrefix(string(data), "this is not") {
		t.Error("the damaged file was not kept as it was")
	}
}

// Pages that are damaged later are found, at the latest when they are read, and said.
func TestADamagedPage(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 300 {
		say(t, s, "main", fmt.Sprint(i), strings.Repeat("text ", 200))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, store.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 8192; i < len(data); i++ {
		data[i] = byte(i * 7)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = store.Open(t.Context(), dir, time.Now)
	if err == nil {
		_, err = s.History(t.Context(), "main", "", 1000)
		_ = s.Close()
	}
	if apperr.CodeOf(err) != apperr.StorageCorrupt {
		t.Errorf("%v, want storage_corrupt", err)
	}
}

func TestSearchTakesWordsAsTheyAre(t *testing.T) {
	s := open(t, t.TempDir())
	say(t, s, "main", "1", "100% sure")
	say(t, s, "main", "2", "1000 sure")
	say(t, s, "main", "3", `a_b c:\d 'quoted' "double"`)
	say(t, s, "main", "4", "노래 틀어줘")
	storetest.Hand(t, s, job.Job{ID: "j", Number: 1, Chat: "main", Title: "100% job", State: job.Queued})
	if err := s.AddLog(t.Context(), []event.JobLog{{JobID: "j", Level: "info", Line: "100% of the way"}}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"100%": "chat job message log", "a_b": "message", "axb": "", `c:\d`: "message", "'quoted'": "message", `"double"`: "message", "노래": "message", "틀어": "message",
		"'; DROP TABLE chats; --": "", "%%": "", `\`: "message",
	} {
		hits, err := s.Search(t.Context(), store.Quest{Text: text, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, h := range hits {
			kinds = append(kinds, h.Kind)
		}
		if have := strings.Join(kinds, " "); have != want {
			t.Errorf("%s: found %q, want %q", text, have, want)
		}
	}
	if hits, err := s.Search(t.Context(), store.Quest{Text: "100%", Limit: 1}); err != nil || len(hits) != 4 { // one of each kind
		t.Errorf("limited: %v, %v", hits, err)
	}
}

// A backup is made while others write, and is whole.
func TestABackupWhileItIsWritten(t *testing.T) {
	s := open(t, t.TempDir())
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 50 {
				say(t, s, fmt.Sprint("chat", w), fmt.Sprint(w, "-", i), "text")
			}
		})
	}
	group.Go(func() {
		for range 3 {
			if err := s.Backup(t.Context(), s.Path()+".copy"); err != nil {
				t.Error(err)
			} else if err := store.Examine(t.Context(), s.Path()+".copy"); err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
}
