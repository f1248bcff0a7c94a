// Package crash keeps what ended the program against its will in the data folder, for the person to look at. Nothing of it leaves the
// computer by itself.
//
// The Go runtime itself writes the report (debug.SetCrashOutput): a panic that nobody caught, a fatal error, a fault in a library behind
// cgo. A program that was killed from outside, or whose computer lost its power, leaves none.
package crash

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

const (
	folder  = "crashes"
	current = "running.txt" // what the program that has the data folder writes to
	fresh   = ".new.txt"    // how a report ends that nobody has seen
	seen    = ".txt"
	kept    = 5
	// most bounds what is read of a report: a stack that ran over is long and says the same again and again.
	most = 256 << 10

	timeFormat = "20060102T150405Z"
)

// Report is one crash. At is when the report was finished, in UTC.
type Report struct {
	At   time.Time
	Text string // as the runtime wrote it: what a panic said may hold a person's words; see Shown
	New  bool   // nobody has looked at it
}

// Keeper has what ends the program written down, from Keep to Close.
type Keeper struct {
	file *os.File
}

// Keep begins, in a data folder that this program alone has. It first puts away what an earlier run left behind; program is the line that
// the next report begins with. Errors are the system's.
func Keep(dataDir, program string) (*Keeper, error) {
	dir := filepath.Join(dataDir, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := putAway(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, current), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = f.WriteString(head(program)); err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Keeper{f}, nil
}

// Close is the end that was wanted: no report of this run.
func (k *Keeper) Close() error {
	return errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), k.file.Close(), os.Remove(k.file.Name()))
}

func head(program string) string { return fmt.Sprintf("program: %s\n\n", program) }

// putAway makes a report of what the last run left, if it holds more than how it begins, and lets the oldest go.
func putAway(dir string) error {
	path := filepath.Join(dir, current)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := read(path)
	if err != nil {
		return err
	}
	if _, body, _ := strings.Cut(text, "\n\n"); strings.TrimSpace(body) == "" {
		return os.Remove(path) // it was killed: there is nothing to tell
	}
	if err := os.Rename(path, filepath.Join(dir, info.ModTime().UTC().Format(timeFormat)+fresh)); err != nil {
		return err
	}
	names, err := reports(dir)
	if err != nil {
		return err
	}
	for _, name := range names[min(kept, len(names)):] {
		err = errors.Join(err, os.Remove(filepath.Join(dir, name)))
	}
	return err
}

// reports names the reports of a folder, the newest first.
func reports(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if _, ok := timeOf(e.Name()); ok {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, err
}

func timeOf(name string) (time.Time, bool) {
	stamp, _, _ := strings.Cut(name, ".")
	at, err := time.Parse(timeFormat, stamp)
	return at, err == nil && strings.HasSuffix(name, seen)
}

func read(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, most))
	return string(text), err
}

// Reports gives the crashes that a data folder remembers, the newest first. The program need not run. Errors are the system's.
func Reports(dataDir string) ([]Report, error) {
	dir := filepath.Join(dataDir, folder)
	names, err := reports(dir)
	if err != nil {
		return nil, err
	}
	var list []Report
	for _, name := range names {
		text, err := read(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		at, _ := timeOf(name)
		list = append(list, Report{at, text, strings.HasSuffix(name, fresh)})
	}
	return list, nil
}

// Seen marks every report as looked at. Errors are the system's.
func Seen(dataDir string) error {
	dir := filepath.Join(dataDir, folder)
	names, err := reports(dir)
	for _, name := range names {
		if stem, is := strings.CutSuffix(name, fresh); is {
			err = errors.Join(err, os.Rename(filepath.Join(dir, name), filepath.Join(dir, stem+seen)))
		}
	}
	return err
}
