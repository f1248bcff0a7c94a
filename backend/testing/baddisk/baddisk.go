//go:build unix

// Package baddisk is a disk that fails when a test tells it to: the real SQLite writes to real files, and what it asks of
// the disk is counted, refused, or done by half.
package baddisk

import (
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// Fault is the way in which the disk fails.
type Fault string

// The faults.
const (
	Full Fault = "full" // no space is left: what makes a file longer fails, after half of it was written
	IO   Fault = "io"   // writing, syncing and cutting off fail, after half of what was to be written
)

// Disk is everything below one folder as SQLite sees it. Safe for concurrent use.
type Disk struct {
	dir   string
	reads atomic.Int64

	mu     sync.Mutex
	asked  int // how often something was asked of it
	from   int // the first that fails; 0: none
	to     int // the last that fails; 0: no end
	fault  Fault
	failed int
	full   func() bool // tells whether it is full now, whatever else it was told; may be nil
}

// Under makes a disk of a folder, which works until it is told otherwise. Files that are open already are not part of it.
func Under(t testing.TB, dir string) *Disk {
	t.Helper()
	d := disk(dir)
	mount(d)
	t.Cleanup(func() { unmount(d) })
	return d
}

// FullWhile makes the disk of a folder full whenever full says so, for as long as the program runs. full is asked at every write.
func FullWhile(dir string, full func() bool) {
	d := disk(dir)
	d.full = full
	mount(d)
}

func disk(dir string) *Disk {
	return &Disk{dir: filepath.Clean(dir) + string(filepath.Separator)}
}

// FailAt makes the nth request from now on fail, counted from 1, and only that one.
func (d *Disk) FailAt(n int, fault Fault) { d.fail(n, n, fault) }

// FailFrom makes the nth request from now on fail, counted from 1, and all that follow, until Heal.
func (d *Disk) FailFrom(n int, fault Fault) { d.fail(n, 0, fault) }

func (d *Disk) fail(from, to int, fault Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked, d.failed, d.from, d.to, d.fault = 0, 0, from, to, fault
}

// Heal makes the disk work again.
func (d *Disk) Heal() { d.fail(0, 0, "") }

// Asked is how often something was asked of the disk since it was last told how to behave.
func (d *Disk) Asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

// Reads is how often something was read so far, a page at a time. What SQLite has in its cache it does not read; whoever reads forgets
// that with every write of another.
func (d *Disk) Reads() int { return int(d.reads.Load()) }

// Failed is how often it failed since then.
func (d *Disk) Failed() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

func (d *Disk) holds(path string) bool { return strings.HasPrefix(path, d.dir) }

// refuse counts one request and tells whether it fails. grows tells whether it needs space.
func (d *Disk) refuse(grows bool) (fault Fault, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if d.full != nil && grows && d.full() {
		return Full, true
	}
	if d.from == 0 || d.asked < d.from || d.to > 0 && d.asked > d.to || d.fault == Full && !grows {
		return "", false
	}
	d.failed++
	return d.fault, true
}

// code is what SQLite is told of a write that failed.
func (f Fault) code() int32 {
	if f == Full {
		return sqlite3.SQLITE_FULL
	}
	return sqlite3.SQLITE_IOERR_WRITE
}

// Dir is the folder.
func (d *Disk) Dir() string { return filepath.Clean(d.dir) }
