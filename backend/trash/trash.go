// Package trash moves files to where the system keeps what people threw away, and back. On Linux that is the trash of the
// freedesktop.org specification, which every desktop shows; on Windows it is the Recycle Bin.
package trash

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Item is something in the trash that can be put back.
type Item struct {
	ID   string // of this item, among those of one Bin
	Path string // where it was, in full
	When time.Time
	Dir  bool
}

// What can go wrong besides errors of the file system.
var (
	ErrGone    = errors.New("trash: it is no longer in the trash")
	ErrTaken   = errors.New("trash: there is something of that name where it was")
	ErrChanged = errors.New("trash: it is not what it was")
	ErrNoTrash = errors.New("trash: there is no trash for this disk")
)

// Bin is a person's trash. Home is where their data lives ($XDG_DATA_HOME); "" finds it. Safe for concurrent use.
type Bin struct {
	Home string
	Now  func() time.Time
}

func (b Bin) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// keptMost bounds how many earlier contents of one file are kept.
const keptMost = 20

// keptMark is the moment that stands in the name of an earlier content, between the file's name and its ending.
const keptMark = " 2006-01-02 15.04.05"

// keptName is the name under which a content of a file is put back beside it.
func keptName(name string, at time.Time) string {
	end := filepath.Ext(name)
	return strings.TrimSuffix(name, end) + at.Format(keptMark) + end
}

// isKept tells whether a name is that of an earlier content of a file.
func isKept(kept, name string) bool {
	end := filepath.Ext(name)
	rest, ok := strings.CutPrefix(kept, strings.TrimSuffix(name, end))
	rest, cut := strings.CutSuffix(rest, end)
	_, err := time.Parse(keptMark, rest)
	return ok && cut && err == nil
}

// home is the trash in the person's home.
func (b Bin) home() (string, error) {
	dir := b.Home
	if dir == "" {
		dir = os.Getenv("XDG_DATA_HOME")
	}
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(dir, "Trash"), nil
}

// below tells whether a path lies in one of the folders.
func below(folders []string, path string) bool {
	for _, f := range folders {
		rel, err := filepath.Rel(f, path)
		if err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// same tells whether what lies at a name in a directory is what was seen before.
func same(dir *os.Root, name string, seen fs.FileInfo) bool {
	now, err := dir.Lstat(name)
	return err == nil && os.SameFile(now, seen)
}
