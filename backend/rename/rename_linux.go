package rename

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// ErrOtherDisk says that the two directories lie on different disks, so that only a copy can get there.
var ErrOtherDisk error = unix.EXDEV

// NoReplace moves a name from one open directory into another, over nothing. Errors: fs.ErrExist, fs.ErrNotExist, ErrOtherDisk, those
// of the file system.
func NoReplace(from *os.Root, name string, to *os.Root, as string) error {
	if err := errors.Join(plain(name), plain(as)); err != nil {
		return err
	}
	a, err := from.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	z, err := to.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	err = unix.Renameat2(int(a.Fd()), name, int(z.Fd()), as, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // some file systems do not know the flag
		if _, e := to.Lstat(as); e == nil {
			return fs.ErrExist
		}
		err = unix.Renameat(int(a.Fd()), name, int(z.Fd()), as)
	}
	return err
}
