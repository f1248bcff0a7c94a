//go:build unix

package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile uses flock: unlike fcntl locks it also keeps out a second shop in the same process. Files opened by Go are
// closed in child processes, so a player or server that outlives the shop does not keep the folder.
func lockFile(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

// unlockFile gives the lock back, whoever else has the file open.
func unlockFile(file *os.File) error {
	for {
		if err := unix.Flock(int(file.Fd()), unix.LOCK_UN); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
