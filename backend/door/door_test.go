package door_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/door"
)

// A folder that is no folder, or only leads to one, is not made to be one.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := door.Own(open); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(open); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(open, link); err != nil {
		t.Skip(err) // not every system has them
	}
	if door.Own(link) == nil {
		t.Error("a link was taken for a folder")
	}
}

// What lies there of an earlier run is taken away, however deep the folder lies.
func TestListenAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("깊은 곳/", 12))
	if err := door.Own(dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := os.WriteFile(filepath.Join(dir, "s"), []byte("left over"), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := door.Listen(dir, "s")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if _, err := door.Dial(dir, "s"); err == nil {
			t.Error("a closed door was entered")
		}
	}
}
