//go:build unix

package folders

import (
	"os"
	"syscall"
)

// openFlags never wait: a pipe that was put in a file's place would keep whoever opens it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
