package trash_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/trash"
)

// drawer is a folder with files, held open.
func drawer(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func put(t *testing.T, path, text string) fs.FileInfo {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func read(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// What every desktop reads: the file under files, and a note of the same name that tells where it was and when.
func TestTheNotesAreAsSpecified(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	root := drawer(t, dir)
	at := time.Date(2026, 11, 21, 14, 10, 5, 0, time.Local)
	bin := trash.Bin{Home: home, Now: func() time.Time { return at }}
	for _, text := range []string{"하나", "둘"} {
		path := filepath.Join(dir, "회의 50%.txt")
		if _, err := bin.Move(root, "회의 50%.txt", path, put(t, path, text)); err != nil {
			t.Fatal(err)
		}
	}
	note := read(filepath.Join(home, "Trash", "info", "회의 50%.txt.trashinfo"))
	if want := "[Trash Info]\nPath=" + dir + "/%ED%9A%8C%EC%9D%98%2050%25.txt\nDeletionDate=2026-11-21T14:10:05\n"; note != want {
		t.Errorf("the note is %q, not %q", note, want)
	}
	if a, b := read(filepath.Join(home, "Trash", "files", "회의 50%.txt")), read(filepath.Join(home, "Trash", "files", "회의 50%.2.txt")); a != "하나" || b != "둘" {
		t.Errorf("kept: %q, %q", a, b)
	}
	items, err := bin.List([]string{dir})
	if err != nil || len(items) != 2 || items[0].Path != filepath.Join(dir, "회의 50%.txt") || !items[0].When.Equal(at) {
		t.Errorf("%+v, %v", items, err)
	}
}

// Another file that was put in the place of the one that was seen stays where it is.
func TestWhatWasNotSeenIsNotThrownAway(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "a.txt")
	seen := put(t, path, "seen")
	if err := os.Rename(path, filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	put(t, path, "another")
	bin := trash.Bin{Home: home}
	if _, err := bin.Move(drawer(t, dir), "a.txt", path, seen); !errors.Is(err, trash.ErrChanged) {
		t.Errorf("%v", err)
	}
	if text := read(path); text != "another" {
		t.Errorf("it holds %q", text)
	}
	if items, err := bin.List([]string{dir}); err != nil || len(items) != 0 {
		t.Errorf("%+v, %v", items, err)
	}
	for _, name := range []string{"../a.txt", "x/../a.txt", ".."} {
		if _, err := bin.Move(drawer(t, dir), name, path, seen); err == nil {
			t.Errorf("%s was moved", name)
		}
	}
}

// A disk of its own has a trash of its own, at its top.
func TestAnotherDisk(t *testing.T) {
	const shm = "/dev/shm"
	dir, err := os.MkdirTemp(shm, "trash-test-") //nolint:usetesting // it must be another disk than the home
	if err != nil {
		t.Skip("there is no second disk here: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "a.txt")
	root := drawer(t, dir)
	bin := trash.Bin{Home: t.TempDir()}
	item, err := bin.Move(root, "a.txt", path, put(t, path, "one"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // only what is empty goes
		own := filepath.Dir(item.ID)
		for _, sub := range []string{filepath.Join(own, "files"), filepath.Join(own, "info"), own} {
			_ = os.Remove(sub)
		}
	})
	if !strings.HasPrefix(item.ID, shm+"/.Trash") {
		t.Errorf("it lies in %s", item.ID)
	}
	items, err := bin.List([]string{dir})
	if err != nil || len(items) != 1 || items[0].Path != path {
		t.Fatalf("%+v, %v", items, err)
	}
	if err := bin.Restore(items[0], root, "a.txt"); err != nil || read(path) != "one" {
		t.Errorf("%v, %q", err, read(path))
	}
}

// Notes that others wrote cannot lead anywhere, and a note without its file is passed over.
func TestStrangeNotes(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for _, sub := range []string{"files", "info"} {
		if err := os.MkdirAll(filepath.Join(home, "Trash", sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, note := range map[string]string{
		"climb":  "[Trash Info]\nPath=" + dir + "/../../etc/passwd\nDeletionDate=2026-01-01T00:00:00\n",
		"short":  "[Trash Info]\nPath=relative.txt\n",
		"empty":  "",
		"broken": "[Trash Info]\nPath=%zz\n",
		"itself": "[Trash Info]\nPath=" + dir + "\n",
		"other":  "[Trash Info]\nPath=/etc/hostname\n",
		"good":   "[Trash Info]\nPath=" + dir + "/good.txt\nDeletionDate=nonsense\n",
	} {
		put(t, filepath.Join(home, "Trash", "info", name+".trashinfo"), note)
		put(t, filepath.Join(home, "Trash", "files", name), name)
	}
	put(t, filepath.Join(home, "Trash", "info", "gone.trashinfo"), "[Trash Info]\nPath="+dir+"/gone.txt\n")
	bin := trash.Bin{Home: home}
	items, err := bin.List([]string{dir})
	if err != nil || len(items) != 1 || filepath.Base(items[0].Path) != "good.txt" {
		t.Errorf("%+v, %v", items, err)
	}
	if err := bin.Restore(trash.Item{ID: filepath.Join(home, "Trash", "gone")}, drawer(t, dir), "gone.txt"); !errors.Is(err, trash.ErrGone) {
		t.Errorf("%v", err)
	}
}
