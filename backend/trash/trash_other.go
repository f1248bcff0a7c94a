//go:build !linux && !windows

package trash

import (
	"errors"
	"io/fs"
	"os"
)

// Move refuses: this system's trash is not known here, and nothing is ever deleted instead.
func (b Bin) Move(*os.Root, string, string, fs.FileInfo) (Item, error) { return Item{}, ErrNoTrash }

// Keep refuses like Move.
func (b Bin) Keep(string, []byte) error { return ErrNoTrash }

// List is empty.
func (b Bin) List([]string) ([]Item, error) { return nil, nil }

// Restore fails.
func (b Bin) Restore(Item, *os.Root, string) error {
	return errors.Join(ErrGone, errors.ErrUnsupported)
}
