package folders

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// written tells whether somebody has the file open for writing: then the system gives no lease on it. Where it gives none at all (a
// network's disk, somebody else's file), nobody can tell.
func written(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err != nil {
		return errors.Is(err, unix.EAGAIN)
	}
	_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	return false
}
