//go:build unix

package shop_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/policy"
	"agentchat/backend/shop"
	"agentchat/backend/store"
)

// What was unfinished is told once after the start, and stands in every snapshot of that run.
func TestWhatWasTakenUpAgainIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	if snap := c.snapshot(); snap.Recovered != nil {
		t.Errorf("a new shop recovered %+v", snap.Recovered)
	}
	nav := c.job("목적지 A로 네비 켜줘")
	c.acquired(nav, "nav")
	c.state(nav, "running") // a lease is told before the job's new state is in the ledger
	movie := c.job("영화 틀어줘")
	c.question(movie)
	c.leave()

	c = enter(t, dir)
	told := until(c, "what was taken up", func(event.Envelope, event.ShopRecovered) bool { return true })
	if told.Jobs != 2 || told.Running != 1 || told.Waiting != 1 || told.Questions != 1 || told.InDoubt != 0 || told.Turns != 0 {
		t.Errorf("%+v", told)
	}
	if snap := c.snapshot(); snap.Recovered == nil || *snap.Recovered != told {
		t.Errorf("the snapshot says %+v", snap.Recovered)
	}
	for _, id := range []string{nav, movie} {
		if err := c.CancelJob(id); err != nil {
			t.Fatal(err)
		}
		c.state(id, "canceled")
	}
	c.leave()
	if snap := enter(t, dir).snapshot(); snap.Recovered != nil {
		t.Errorf("with nothing unfinished: %+v", snap.Recovered)
	}
}

// A record that cannot be read is looked for once the shop is open, and then what was taken up is told anew.
func TestWhatCannotBeReadIsToldToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	nav := c.job("목적지 A로 네비 켜줘")
	c.acquired(nav, "nav")
	c.state(nav, "running") // a lease is told before the job's new state is in the ledger
	movie := c.job("영화 틀어줘")
	c.question(movie)
	c.leave()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE jobs SET data=substr(data, 1, length(data)/2) WHERE id=?`, movie); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	c = enter(t, dir)
	told := until(c, "what cannot be read", func(_ event.Envelope, r event.ShopRecovered) bool { return r.Unreadable > 0 })
	if told.Jobs != 1 || told.Running != 1 || told.Waiting != 0 || told.Unreadable != 1 {
		t.Errorf("%+v", told)
	}
	if snap := c.snapshot(); snap.Recovered == nil || *snap.Recovered != told {
		t.Errorf("the snapshot says %+v", snap.Recovered)
	}
	c.state(movie, "failed")
}

// A backup that was made by hand brings everything back at the next start.
func TestBackupAndRestoreOfTheShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	c.say("고마워 하나")
	made, err := c.BackupNow(t.Context())
	if err != nil || !made.OK || made.Bytes == 0 || made.Schema == 0 {
		t.Fatalf("%+v, %v", made, err)
	}
	before := len(c.snapshot().Chats[0].Messages)
	c.say("고마워 둘")
	out := filepath.Join(t.TempDir(), "my copy?.db")
	if err := c.ExportBackup(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		t.Errorf("exported: %v", err)
	}
	if err := c.RestoreBackup(t.Context(), "nothing"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("%v", err)
	}
	if err := c.RestoreBackup(t.Context(), made.Name); err != nil {
		t.Fatal(err)
	}
	if n := len(c.snapshot().Chats[0].Messages); n <= before {
		t.Errorf("%d messages before the restart", n)
	}
	c.leave()
	c = enter(t, dir)
	if n := len(c.snapshot().Chats[0].Messages); n != before {
		t.Errorf("%d messages after the restore, want %d", n, before)
	}
	list, err := c.Backups(t.Context())
	if err != nil || len(list) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}

// One file holds everything, and brings it to another computer: what it holds and what it would replace is told before, and what is not there is named.
func TestEverythingMovesInOneFile(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "only here")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mcp.json": `{"mcpServers":{"far":{"command":"no-such-program-anywhere","args":["--token=hush"]}}}`, "keys.json": `{"openai":{"key":"hush"}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := enter(t, dir)
	c.say("고마워 하나")
	if _, err := c.Shop.Config.Set(map[string]any{"policy.mode": "ask_all", "music_folder": folder}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.AddNote(t.Context(), "우유 사기"); err != nil {
		t.Fatal(err)
	}
	attached, err := c.AttachFrom(t.Context(), "a.txt", strings.NewReader("붙인 것"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "everything.zip")
	if err := c.ExportBackup(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(out)
	if err != nil || bytes.Contains(whole, []byte("keys.json")) {
		t.Fatalf("keys are in it, or %v", err)
	}
	messages := len(c.snapshot().Chats[0].Messages)
	c.leave()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}

	there := t.TempDir()
	c = enter(t, there)
	c.say("다른 컴퓨터")
	v, err := c.LookAtBackup(t.Context(), out)
	if err != nil || !v.Whole || v.Holds.Chats != 1 || v.Holds.Notes != 1 || v.Holds.Attachments != 1 || v.Now.Notes != 0 || v.Now.Messages == 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	if !slices.Contains(v.Missing, folder) || !slices.Contains(v.Missing, "no-such-program-anywhere") || len(v.Servers) != 1 || strings.Contains(v.Servers[0], "hush") {
		t.Errorf("%+v", v)
	}
	if err := c.RestoreFile(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if notes, err := c.Notes(t.Context(), ""); err != nil || len(notes.Notes) != 0 {
		t.Errorf("it came before the next start: %+v, %v", notes, err)
	}
	c.leave()
	c = enter(t, there)
	if n := len(c.snapshot().Chats[0].Messages); n != messages {
		t.Errorf("%d messages, want %d", n, messages)
	}
	if notes, err := c.Notes(t.Context(), ""); err != nil || len(notes.Notes) != 1 {
		t.Errorf("%+v, %v", notes, err)
	}
	if c.Shop.Config.Get().PolicyMode != policy.ModeAll {
		t.Error("the settings did not come")
	}
	if text, err := os.ReadFile(filepath.Join(there, "attachments", attached.ID)); err != nil || string(text) != "붙인 것" {
		t.Errorf("%q, %v", text, err)
	}
	// What was there is kept, and can come back the same way.
	list, err := c.Backups(t.Context())
	if err != nil || len(list) != 1 || !strings.Contains(list[0].Name, "replaced") {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := c.RestoreBackup(t.Context(), list[0].Name); err != nil {
		t.Fatal(err)
	}
	c.leave()
	c = enter(t, there)
	if c.Shop.Config.Get().PolicyMode != policy.ModeRules || !strings.Contains(fmt.Sprint(c.snapshot().Chats[0].Messages), "다른 컴퓨터") {
		t.Error("what had been there did not come back")
	}
	if err := c.RestoreFile(t.Context(), filepath.Join(there, "mcp.json")); apperr.CodeOf(err) != apperr.NotABackup {
		t.Errorf("%v", err)
	}
}

// A damaged ledger keeps the shop shut until a person says what to do, and nothing of it is lost.
func TestADamagedLedgerOfTheShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	c.say("고마워")
	made, err := c.BackupNow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.leave()
	path := filepath.Join(dir, store.FileName)
	pages, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 2048; at+1024 <= len(pages); at += 2048 { // every other page
		copy(pages[at:], strings.Repeat("x", 512))
	}
	for _, damaged := range [][]byte{pages, []byte(strings.Repeat("damaged ", 2000))} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := shop.Open(context.Background(), options(dir)); apperr.CodeOf(err) != apperr.StorageCorrupt {
			t.Fatalf("%v", err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != string(damaged) {
			t.Errorf("it was touched: %v", err)
		}
	}
	if b, ok := shop.DamagedBackup(t.Context(), dir); !ok || b != made {
		t.Errorf("%+v, %t", b, ok)
	}
	o := options(dir)
	o.Damaged = shop.RemedyRestore
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	snap, err := s.Snapshot(t.Context())
	if err != nil || len(snap.Chats) == 0 || len(snap.Chats[0].Messages) < 2 {
		t.Errorf("%+v, %v", snap.Chats, err)
	}
	if kept, err := filepath.Glob(path + ".damaged-*"); err != nil || len(kept) != 1 {
		t.Errorf("%v, %v", kept, err)
	}
}

// Whatever the umask and whatever others did to the modes: after the start only the owner reads what the shop keeps.
func TestFilesAreTheOwnersAlone(t *testing.T) { // not parallel: the umask is the process's
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "shop")
	c := enter(t, dir)
	c.set("workers", 3)
	c.say("고마워")
	if _, err := c.BackupNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	private(t, dir)
	c.leave()
	for path, mode := range map[string]fs.FileMode{
		dir: 0o777, filepath.Join(dir, store.FileName): 0o666, filepath.Join(dir, "backups"): 0o755, filepath.Join(dir, "logs"): 0o755,
		filepath.Join(dir, "settings.json"): 0o644, filepath.Join(dir, "logs", "agentchat.log"): 0o644,
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	enter(t, dir)
	private(t, dir)
}

func private(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if files++; info.Mode().Perm() != want {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return nil
	})
	if err != nil || files < 6 {
		t.Errorf("%d files, %v", files, err)
	}
}

// What is to take the place of everything is told until then, and can be called off.
func TestARestoreIsCalledOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := enter(t, dir)
	made, err := c.BackupNow(t.Context())
	if err != nil || made.Why != "asked" {
		t.Fatalf("%+v, %v", made, err)
	}
	c.say("고마워 하나")
	file, ledger := filepath.Join(t.TempDir(), "everything.zip"), filepath.Join(dir, "backups", made.Name)
	if err := c.ExportBackup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	for name, restore := range map[string]func() error{
		"a backup": func() error { return c.RestoreBackup(t.Context(), made.Name) },
		"a file":   func() error { return c.RestoreFile(t.Context(), file) },
		"a ledger": func() error { return c.RestoreFile(t.Context(), ledger) },
	} {
		if c.Restoring() {
			t.Errorf("%s: it is before it was asked for", name)
		}
		if err := restore(); err != nil || !c.Restoring() {
			t.Errorf("%s: %v, %t", name, err, c.Restoring())
		}
		if err := c.CallOffRestore(); err != nil || c.Restoring() {
			t.Errorf("%s: %v, %t after it was called off", name, err, c.Restoring())
		}
	}
	if err := c.RestoreBackup(t.Context(), made.Name); err != nil {
		t.Fatal(err)
	}
	if err := c.CallOffRestore(); err != nil {
		t.Fatal(err)
	}
	c.leave()
	c = enter(t, dir)
	if said := c.snapshot().Chats[0].Messages; len(said) == 0 {
		t.Error("it was restored all the same")
	}
	if list, err := c.Backups(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}
