//go:build !linux

package rename

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrOtherDisk says that the two directories lie on different disks, so that only a copy can get there.
var ErrOtherDisk = otherDisk

// NoReplace moves a name from one open directory into another, over nothing. Errors: fs.ErrExist, fs.ErrNotExist, ErrOtherDisk, those
// of the file system.
func NoReplace(from *os.Root, name string, to *os.Root, as string) error {
	if err := errors.Join(plain(name), plain(as)); err != nil {
		return err
	}
	if _, err := to.Lstat(as); err == nil {
		return fs.ErrExist
	}
	return os.Rename(filepath.Join(from.Name(), name), filepath.Join(to.Name(), as))
}
