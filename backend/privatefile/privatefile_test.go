package privatefile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"agentchat/backend/privatefile"
)

func TestWriteReplacesInOneStepAndKeepsLinks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	path, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	for _, text := range []string{"one", "two"} {
		if err := privatefile.Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here:", err)
	}
	if err := privatefile.Write(link, []byte("three")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		t.Fatalf("%v, %v", info, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "three" {
		t.Errorf("%q, %v", text, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestWriteThatFailsLeavesTheOldFile(t *testing.T) {
	blocker := filepath.Join(t.TempDir(), "file")
	if err := privatefile.Write(blocker, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Write(filepath.Join(blocker, "below"), []byte("new")); err == nil {
		t.Error("it wrote below a file")
	}
	if text, err := os.ReadFile(blocker); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
}
