//go:build !race

// Compiling, six times over, takes minutes under the race detector, and nothing of it runs beside anything.

package extract_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/library/extract"
	"agentchat/backend/testing/breadth"
)

// kept lists the files of what was compiled, with their sizes.
func kept(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	files := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files[path] = info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What was compiled for PDF is kept privately, and serves the next start; what is damaged or of another version is made anew.
func TestWhatWasCompiledIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reader")
	file := put(t, "a.pdf", pdf("Article 1"))
	start := func(what string) {
		t.Helper()
		x := extract.New(extract.Limits{}, dir)
		began := time.Now()
		if err := x.Warm(); err != nil {
			t.Fatal(err)
		}
		warm := time.Since(began)
		got, err := x.Read(t.Context(), file)
		t.Logf("%s: the reader is there after %v, the first PDF after %v", what, warm, time.Since(began))
		if err != nil || !strings.Contains(got.Pages[0], "Article 1") {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	start("compiled")
	first := kept(t, dir)
	if len(first) != 1 {
		t.Fatalf("%v is kept", first)
	}
	name, size := "", int64(0)
	for name, size = range first {
		t.Logf("%d bytes are kept", size)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	start("kept")
	if after, err := os.Stat(name); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("it was compiled again: %v", err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 0xff
	damages := map[string][]byte{"a bit turned": flipped, "empty": {}, "cut off": whole[:len(whole)/3], "something else": []byte(strings.Repeat("x", 4000))}
	for _, what := range breadth.Some(slices.Sorted(maps.Keys(damages)), 1) { // each compiles anew
		if err := os.WriteFile(name, damages[what], 0o600); err != nil {
			t.Fatal(err)
		}
		start(what)
		if now := kept(t, dir); len(now) != 1 || now[name] != size {
			t.Errorf("%s: %v is kept", what, now)
		}
	}
	old := filepath.Join(dir, "wazero-v0.0.1", "old")
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	start("an old version beside it")
	if now := kept(t, dir); len(now) != 1 || now[name] != size {
		t.Errorf("%v is kept", now)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // where nothing can be kept it is read all the same
		t.Fatal(err)
	}
	start("a file in its place")
}

// A folder that holds what is somebody else's loses nothing, whether the machine is kept there or cannot be.
func TestTheFolderOfOthersIsLeftAlone(t *testing.T) {
	for what, mode := range map[string]fs.FileMode{"private": 0o700, "for everybody": 0o777} {
		dir := t.TempDir()
		theirs := filepath.Join(dir, "work", "thesis.txt")
		if err := os.MkdirAll(filepath.Dir(theirs), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(theirs, []byte("years"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(theirs, time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		x := extract.New(extract.Limits{}, dir)
		if err := x.Warm(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(theirs); err != nil || string(text) != "years" {
			t.Errorf("%s: what was there is %q, %v", what, text, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: the folder is %v now, %v", what, info.Mode(), err)
		}
		compiled, err := filepath.Glob(filepath.Join(dir, "wazero-*"))
		if err != nil || (len(compiled) == 1) != (mode == 0o700) {
			t.Errorf("%s: %v is kept, %v", what, compiled, err)
		}
	}
}
