package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// house makes a data folder whose files say which one it is.
func house(t *testing.T, which string, without ...string) House {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{Ledger, "settings.json", "mcp.json", "services/coffee.yaml", "attachments/aa", "attachments/bb", "keys.json", "attachments/in-123.txt"} {
		write(t, filepath.Join(dir, name), which+" "+name)
	}
	for _, name := range without {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return House{Dir: dir, Settings: filepath.Join(dir, "settings.json")}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := create(path, func(f *os.File) error { _, err := f.WriteString(text); return err }); err != nil {
		t.Fatal(err)
	}
}

// state is every file below a folder but the backups and what is staged.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == "backups" || d.Name() == staged) {
				return filepath.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(at)
		inside, _ := filepath.Rel(dir, at)
		found[filepath.ToSlash(inside)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func packed(t *testing.T, h House) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "all.zip")
	var b bytes.Buffer
	if err := Write(t.Context(), &b, h, filepath.Join(h.Dir, Ledger), Manifest{Made: time.Now(), Keys: []string{"k"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func stage(t *testing.T, h House, path string) error {
	t.Helper()
	b, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	return h.Stage(t.Context(), b, func(string) error { return nil })
}

func (h House) testMoves() ([]func() error, error) {
	aside := func(time.Time) string { return filepath.Join(h.Dir, "backups", "old.files") }
	return h.moves(aside, func(ledger string) error { return os.Rename(ledger, filepath.Join(h.Dir, Ledger)) })
}

// What was unpacked of outside servers goes along and can still be run; what is half unpacked does not.
func TestBundlesAreInABackup(t *testing.T) {
	const script, data = "bundles/0123456789abcdef/a/b/c/d/e/f/g/run.sh", "bundles/0123456789abcdef/data.txt"
	from := house(t, "new")
	for _, name := range []string{script, data, "bundles/new-123/files/run.sh"} {
		write(t, filepath.Join(from.Dir, name), "new "+name)
	}
	if err := os.Chmod(filepath.Join(from.Dir, script), 0o755); err != nil {
		t.Fatal(err)
	}
	finish := func(h House) {
		t.Helper()
		moves, err := h.testMoves()
		for _, move := range moves {
			err = errors.Join(err, move())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	kept := filepath.Join(t.TempDir(), "kept")
	if err := from.Keep(kept); err != nil {
		t.Fatal(err)
	}
	for how, put := range map[string]func(h House) error{
		"a file": func(h House) error { return stage(t, h, packed(t, from)) },
		"kept": func(h House) error {
			return h.StageKept(kept, func(to string) error { return place(filepath.Join(from.Dir, Ledger), to, false) })
		},
	} {
		h := house(t, "old")
		if err := put(h); err != nil {
			t.Fatal(how, err)
		}
		finish(h)
		now := state(t, h.Dir)
		if now[script] != "new "+script || now[data] != "new "+data || now["bundles/new-123/files/run.sh"] != "" {
			t.Errorf("%s: %v", how, now)
		}
		for name, mode := range map[string]fs.FileMode{script: 0o100, data: 0} {
			if info, err := os.Stat(filepath.Join(h.Dir, name)); err != nil || info.Mode()&0o100 != mode {
				t.Errorf("%s: %s is %v, %v", how, name, info.Mode(), err)
			}
		}
		// A backup of a time before they were in it leaves them where they are.
		if err := os.RemoveAll(filepath.Join(h.Dir, "backups")); err != nil {
			t.Fatal(err)
		}
		if err := stage(t, h, packed(t, house(t, "older"))); err != nil {
			t.Fatal(err)
		}
		finish(h)
		if now := state(t, h.Dir); now[script] != "new "+script || now["mcp.json"] != "older mcp.json" {
			t.Errorf("%s: %v", how, now)
		}
	}
}

// Killed after any of its steps, a restore is finished by the next start: nobody finds half of it, and what was there is kept.
func TestARestoreThatIsKilledAnywhereIsFinished(t *testing.T) {
	from := house(t, "new", "mcp.json") // one that has no outside tools
	path := packed(t, from)
	want := map[string]string{
		Ledger: "new " + Ledger, "settings.json": "new settings.json", "services/coffee.yaml": "new services/coffee.yaml",
		"attachments/aa": "new attachments/aa", "attachments/bb": "new attachments/bb", "keys.json": "old keys.json",
	}
	for steps := 0; ; steps++ {
		h := house(t, "old", "services")
		before := state(t, h.Dir)
		if err := stage(t, h, path); err != nil {
			t.Fatal(err)
		}
		if now := state(t, h.Dir); fmt.Sprint(now) != fmt.Sprint(before) {
			t.Fatalf("staging changed what is there: %v", now)
		}
		moves, err := h.testMoves()
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range moves[:min(steps, len(moves))] {
			if err := move(); err != nil {
				t.Fatal(err)
			}
		}
		again, err := h.testMoves()
		for _, move := range again {
			if err := move(); err != nil {
				t.Fatalf("after %d steps: %v", steps, err)
			}
		}
		if now := state(t, h.Dir); err != nil || fmt.Sprint(now) != fmt.Sprint(want) {
			t.Fatalf("after %d steps: %v, %v", steps, now, err)
		}
		kept := state(t, filepath.Join(h.Dir, "backups", "old.files"))
		if kept["settings.json"] != "old settings.json" || kept["mcp.json"] != "old mcp.json" || kept["attachments/aa"] != "old attachments/aa" {
			t.Fatalf("after %d steps was kept: %v", steps, kept)
		}
		if steps > len(moves) {
			break
		}
	}
}

// Killed while it is being staged, a restore never began.
func TestHalfAStagedBackupIsNone(t *testing.T) {
	h := house(t, "old")
	write(t, filepath.Join(h.Dir, partial, "settings.json"), "half")
	if moves, err := h.testMoves(); len(moves) != 0 || err != nil {
		t.Errorf("%d moves, %v", len(moves), err)
	}
	if err := stage(t, h, packed(t, house(t, "new"))); err != nil {
		t.Fatal(err)
	}
	if privatefile.Exists(filepath.Join(h.Dir, partial)) {
		t.Error("what was half is still there")
	}
}

// Killed while it is called off or staged anew, a restore is none: what of it is left does not take the place of anything.
func TestARestoreThatIsCalledOffIsNone(t *testing.T) {
	for how, put := range map[string]func(h House) error{
		"called off": House.Unstage,
		"staged anew": func(h House) error {
			return h.stage(func(string) error { return errors.New("killed") })
		},
	} {
		h := house(t, "old")
		if err := stage(t, h, packed(t, house(t, "new"))); err != nil {
			t.Fatal(err)
		}
		removeAll = func(at string) error { // half of it
			if privatefile.Exists(at) {
				return errors.Join(os.Remove(filepath.Join(at, "settings.json")), errors.New("killed"))
			}
			return nil
		}
		err := put(h)
		removeAll = os.RemoveAll
		if moves, err2 := h.testMoves(); err == nil || len(moves) != 0 || err2 != nil {
			t.Errorf("%s: %v, %d moves, %v", how, err, len(moves), err2)
		}
		if err := h.Unstage(); err != nil || privatefile.Exists(filepath.Join(h.Dir, partial)) {
			t.Errorf("%s: something is left, %v", how, err)
		}
	}
}

func TestWhatIsKeptBesideALedgerComesBack(t *testing.T) {
	h := house(t, "old")
	kept := filepath.Join(h.Dir, "backups", "a.files")
	if err := h.Keep(kept); err != nil {
		t.Fatal(err)
	}
	if privatefile.Exists(filepath.Join(kept, "keys.json")) || privatefile.Exists(filepath.Join(kept, "attachments", "in-123.txt")) {
		t.Error("keys, or what is still being received, were kept")
	}
	write(t, h.place("mcp.json"), "changed")
	if err := os.RemoveAll(h.place("attachments")); err != nil {
		t.Fatal(err)
	}
	err := h.StageKept(kept, func(to string) error {
		return create(to, func(f *os.File) error { _, err := f.WriteString("ledger"); return err })
	})
	moves, err2 := h.testMoves()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, move := range moves {
		if err := move(); err != nil {
			t.Fatal(err)
		}
	}
	if now := state(t, h.Dir); now["mcp.json"] != "old mcp.json" || now["attachments/aa"] != "old attachments/aa" || now[Ledger] != "ledger" {
		t.Errorf("%v", now)
	}
}

// No file that is anything else, or was tampered with, changes a thing.
func TestHostileBackups(t *testing.T) {
	good := func() map[string]string {
		return map[string]string{Ledger: "SQLite", "settings.json": "{}"}
	}
	listed := func(files map[string]string) Manifest {
		m := Manifest{Format: format, Version: version}
		for name, text := range files {
			sum := sha256.Sum256([]byte(text))
			m.Files = append(m.Files, File{name, int64(len(text)), hex.EncodeToString(sum[:])})
		}
		return m
	}
	type entry struct{ name, text string }
	cases := map[string]func() (entries []entry, m any){}
	add := func(name string, change func(files map[string]string, m *Manifest, entries *[]entry)) {
		cases[name] = func() ([]entry, any) {
			files := good()
			m := listed(files)
			var entries []entry
			for n, text := range files {
				entries = append(entries, entry{n, text})
			}
			change(files, &m, &entries)
			return entries, m
		}
	}
	for _, name := range []string{"../evil", "/etc/passwd", `..\evil`, "services/../../evil", "C:evil", "keys.json", "logs/a", "attachments/a/../../../x", "services/", "settings.json/x", "agentchat.db-wal", "services/a\x00b", "attachments/x.", "restore/x"} {
		add("a file called "+name, func(_ map[string]string, m *Manifest, entries *[]entry) {
			*entries = append(*entries, entry{name, "x"})
			m.Files = append(m.Files, listed(map[string]string{name: "x"}).Files...)
		})
	}
	add("another sum", func(_ map[string]string, m *Manifest, _ *[]entry) { m.Files[0].SHA256 = "00" })
	add("another size", func(_ map[string]string, m *Manifest, _ *[]entry) { m.Files[0].Bytes++ })
	add("a size below nothing", func(_ map[string]string, m *Manifest, _ *[]entry) { m.Files[0].Bytes = -1 })
	add("another format", func(_ map[string]string, m *Manifest, _ *[]entry) { m.Format = "zip" })
	add("a newer version", func(_ map[string]string, m *Manifest, _ *[]entry) { m.Version = 99 })
	add("a file that is not listed", func(_ map[string]string, _ *Manifest, entries *[]entry) {
		*entries = append(*entries, entry{"mcp.json", "{}"})
	})
	add("a file that is not there", func(_ map[string]string, m *Manifest, _ *[]entry) {
		m.Files = append(m.Files, File{Name: "mcp.json"})
	})
	add("a file twice", func(_ map[string]string, _ *Manifest, entries *[]entry) {
		*entries = append(*entries, entry{"settings.json", "{}"})
	})
	add("no ledger", func(_ map[string]string, m *Manifest, entries *[]entry) {
		*m, *entries = listed(map[string]string{"settings.json": "{}"}), []entry{{"settings.json", "{}"}}
	})
	cases["no manifest"] = func() ([]entry, any) { return []entry{{Ledger, "x"}}, nil }
	cases["a manifest that is no JSON"] = func() ([]entry, any) { return []entry{{Ledger, "x"}, {manifestName, "{"}}, nil }
	h := house(t, "old")
	before := fmt.Sprint(state(t, h.Dir))
	for name, make := range cases {
		entries, m := make()
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, e := range entries {
			w, err := z.Create(e.name)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write([]byte(e.text))
		}
		if m != nil {
			text, _ := json.Marshal(m)
			w, _ := z.Create(manifestName)
			_, _ = w.Write(text)
		}
		_ = z.Close()
		path := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if code := apperr.CodeOf(stage(t, h, path)); code != apperr.NotABackup && code != apperr.StorageNewer {
			t.Errorf("%s: %q", name, code)
		}
	}
	for name, text := range map[string]string{"nothing": "", "no zip": "hello", "half a zip": string(cut(t, packed(t, house(t, "new"))))} {
		path := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code := apperr.CodeOf(stage(t, h, path)); code != apperr.NotABackup {
			t.Errorf("%s: %q", name, code)
		}
	}
	if now := fmt.Sprint(state(t, h.Dir)); now != before || privatefile.Exists(filepath.Join(h.Dir, staged)) {
		t.Errorf("something changed: %s", now)
	}
}

func cut(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text[:len(text)/2]
}

func TestACanceledBackupIsNone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h := house(t, "old")
	var b bytes.Buffer
	if err := Write(ctx, &b, h, filepath.Join(h.Dir, Ledger), Manifest{}); err == nil {
		t.Error("it was written")
	}
}
