package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

const ownTerminal = "/dev/tty"

// discardTyped throws away what waits in the terminal itself.
func discardTyped(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
