//go:build unix && !linux

package rename

import "syscall"

var otherDisk error = syscall.EXDEV
