//go:build unix

package lock

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A program that is being started has, until it runs, every file that is open here: the folder is given back all the same.
func TestUnlockWhileAProgramIsBeingStarted(t *testing.T) {
	dir := t.TempDir()
	held, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	child, err := unix.Dup(int(held.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(child) }()
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
}
