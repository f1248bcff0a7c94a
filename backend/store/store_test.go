package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/policy"
	"agentchat/backend/store"
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
	turn := manager.Turn{ID: id, Chat: chat, Text: text}
	if _, err := s.AddTurn(context.Background(), turn, event.ChatMessage{ID: id, Role: event.RoleCustomer, Text: text}, text); err != nil {
		t.Fatal(err)
	}
	return turn
}

// hand stores jobs as a turn does.
func hand(t testing.TB, s *store.Store, jobs ...job.Job) {
	t.Helper()
	turn := manager.Turn{ID: "turn", Chat: "main"}
	if _, err := s.AddResume(context.Background(), turn); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Node: "jobs", Next: "save", Jobs: jobs}); err != nil {
		t.Fatal(err)
	}
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

func TestAfterCloseEverythingIsAnError(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if err := s.AddChat(t.Context(), "x", "x"); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("write: %v", err)
	}
	if _, err := s.Chats(t.Context()); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("read: %v", err)
	}
}

func TestHistoryInPages(t *testing.T) {
	s := open(t, t.TempDir())
	for i := range 25 {
		say(t, s, "main", fmt.Sprint("m", i), fmt.Sprint("text ", i))
		say(t, s, "other", fmt.Sprint("o", i), "elsewhere")
	}
	var seen []string
	before := ""
	for pages := 0; ; pages++ {
		page, err := s.History(t.Context(), "main", before, 10)
		if err != nil || pages > 3 {
			t.Fatalf("page %d: %v", pages, err)
		}
		if len(page) == 0 {
			break
		}
		ids := make([]string, len(page))
		for i, m := range page {
			ids[i] = m.ID
		}
		seen = append(ids, seen...)
		before = page[0].ID
	}
	if len(seen) != 25 || seen[0] != "m0" || seen[24] != "m24" || !slices.IsSortedFunc(seen, byNumber) {
		t.Errorf("read back as %v", seen)
	}
	if page, err := s.History(t.Context(), "main", "no such message", 10); err != nil || len(page) != 0 {
		t.Errorf("before an unknown message: %v, %v", page, err)
	}
	if err := s.HideMessage(t.Context(), "m24", true); err != nil {
		t.Fatal(err)
	}
	if page, _ := s.History(t.Context(), "main", "", 1); page[0].ID != "m23" {
		t.Errorf("a hidden message shows: %v", page)
	}
	if err := s.HideMessage(t.Context(), "m24", false); err != nil {
		t.Fatal(err)
	}
	if page, _ := s.History(t.Context(), "main", "", 1); page[0].ID != "m24" {
		t.Errorf("it did not come back: %v", page)
	}
	if err := s.HideMessage(t.Context(), "nothing", true); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
}

func byNumber(a, b string) int {
	var x, y int
	_, _ = fmt.Sscanf(a, "m%d", &x)
	_, _ = fmt.Sscanf(b, "m%d", &y)
	return x - y
}

func TestChats(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.AddChat(t.Context(), "main", ""); err != nil {
		t.Fatal(err)
	}
	say(t, s, "main", "1", "the first message")
	say(t, s, "job:7", "2", "to a job")
	say(t, s, "second", "3", "second chat")
	chats, err := s.Chats(t.Context())
	if err != nil || len(chats) != 2 || chats[0].ID != "second" || chats[1].Title != "the first message" {
		t.Fatalf("%+v, %v", chats, err)
	}
	say(t, s, "main", "4", "a later message")
	if chats, _ = s.Chats(t.Context()); chats[0].ID != "main" || chats[0].Title != "the first message" {
		t.Errorf("%+v", chats)
	}
	if err := s.RenameChat(t.Context(), "main", "renamed"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteChat(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	if chats, _ = s.Chats(t.Context()); len(chats) != 1 || chats[0].Title != "renamed" {
		t.Errorf("%+v", chats)
	}
	_, again := s.DeleteChat(t.Context(), "second")
	_, nothing := s.DeleteChat(t.Context(), "nothing")
	for _, err := range []error{again, s.RenameChat(t.Context(), "second", "x"), nothing} {
		if apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("a chat that is gone: %v", err)
		}
	}
	say(t, s, "second", "5", "back again")
	if msgs, _ := s.History(t.Context(), "second", "", 10); len(msgs) != 1 || msgs[0].Text != "back again" {
		t.Errorf("a deleted chat came back with %+v", msgs)
	}
}

func TestSearchTakesWordsAsTheyAre(t *testing.T) {
	s := open(t, t.TempDir())
	say(t, s, "main", "1", "100% sure")
	say(t, s, "main", "2", "1000 sure")
	say(t, s, "main", "3", `a_b c:\d 'quoted' "double"`)
	say(t, s, "main", "4", "노래 틀어줘")
	hand(t, s, job.Job{ID: "j", Number: 1, Chat: "main", Title: "100% job", State: job.Queued})
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

func TestEndedJobsLeaveTheBoard(t *testing.T) {
	s := open(t, t.TempDir())
	var jobs []job.Job
	for i := range 5 {
		jobs = append(jobs, job.Job{ID: fmt.Sprint("j", i), Number: int64(i + 1), Chat: "main", Title: "t", State: job.Queued})
	}
	hand(t, s, jobs...)
	for i := range 3 {
		run := job.Run{Job: jobs[i]}
		run.Job.State, run.Job.Ended = job.Succeeded, time.Now().Add(time.Duration(i)*time.Second)
		if err := s.SaveStep(t.Context(), job.Step{Run: &run, Node: "done", Next: "end"}); err != nil {
			t.Fatal(err)
		}
	}
	count := func(keep int) int {
		list, err := s.Jobs(t.Context(), keep)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if count(10) != 5 || count(1) != 3 {
		t.Errorf("kept %d and %d", count(10), count(1))
	}
	if err := s.ClearEnded(t.Context()); err != nil {
		t.Fatal(err)
	}
	if count(10) != 2 {
		t.Errorf("after clearing %d", count(10))
	}
	if _, err := s.LoadRun(t.Context(), "j0"); err != nil {
		t.Errorf("a cleared job is gone from the ledger: %v", err)
	}
	if n, err := s.LastNumber(t.Context()); err != nil || n != 5 {
		t.Errorf("last number %d, %v", n, err)
	}
	if live, err := s.RecoveryStates(t.Context()); err != nil || len(live) != 2 {
		t.Errorf("%d live, %v", len(live), err)
	}
}

// A step that cannot be written whole leaves nothing of itself.
func TestAStepIsWholeOrNothing(t *testing.T) {
	s := open(t, t.TempDir())
	hand(t, s, job.Job{ID: "j", Number: 1, Chat: "main", Title: "t", State: job.Queued})
	say(t, s, "main", "taken", "a message")
	run := job.Run{Job: job.Job{ID: "j", Number: 1, Chat: "main", State: job.Running}}
	err := s.SaveStep(t.Context(), job.Step{
		Run: &run, Node: "pick_todo", Next: "need_tool", Audit: []policy.Entry{{ID: "x", Args: json.RawMessage(`{}`)}},
		Events:  []event.Event{event.Of("main", "j", event.JobLog{JobID: "j", Line: "line"})},
		Message: &event.ChatMessage{ID: "taken"},
	})
	if apperr.CodeOf(err) != apperr.StorageFailed {
		t.Fatalf("%v", err)
	}
	rec, err := s.LoadRun(t.Context(), "j")
	if err != nil || rec.Run.Job.State != job.Queued || rec.Next != "" {
		t.Errorf("%+v, %v", rec, err)
	}
	if log, _ := s.JobLog(t.Context(), "j", 10); len(log) != 0 {
		t.Errorf("log %v", log)
	}
	if log, err := s.Audit(t.Context(), policy.Filter{}, 0, 0); err != nil || len(log) > 0 {
		t.Errorf("the audit log says %v, %v", log, err)
	}
	if err := s.SaveStep(t.Context(), job.Step{Run: &job.Run{Job: job.Job{ID: "nobody"}}}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a job that is not there: %v", err)
	}
}

func TestReadersAndWritersAtOnce(t *testing.T) {
	s := open(t, t.TempDir())
	hand(t, s, job.Job{ID: "j", Number: 1, Chat: "main", Title: "t", State: job.Queued})
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 50 {
				say(t, s, fmt.Sprint("chat", w), fmt.Sprint(w, "-", i), "text")
				run := job.Run{Job: job.Job{ID: "j", Number: 1, Chat: "main", State: job.Running}}
				if err := s.SaveStep(t.Context(), job.Step{Run: &run, Node: "n", Next: "n", Sync: i%10 == 0}); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 50 {
				if _, err := s.History(t.Context(), "chat0", "", 100); err != nil {
					t.Error(err)
				}
				if _, err := s.LoadRun(t.Context(), "j"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for range 3 {
			if err := s.Backup(t.Context(), s.Path()+".copy"); err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
	for w := range 4 {
		if msgs, err := s.History(t.Context(), fmt.Sprint("chat", w), "", 1000); err != nil || len(msgs) != 50 {
			t.Errorf("chat %d has %d messages, %v", w, len(msgs), err)
		}
	}
}

// A caller that gave up before its write began writes nothing; one that gave up in the middle has written all.
func TestACallerThatGaveUp(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	turn := manager.Turn{ID: "1", Chat: "main"}
	if _, err := s.AddTurn(ctx, turn, event.ChatMessage{ID: "1"}, "t"); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("%v", err)
	}
	if msgs, _ := s.History(t.Context(), "main", "", 10); len(msgs) != 0 {
		t.Errorf("%v", msgs)
	}
}
