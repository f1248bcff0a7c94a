//go:build unix

package filing

import (
	"io/fs"
	"syscall"
)

// identity is the disk and the number of a file on it.
func identity(info fs.FileInfo) (dev, ino uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev), st.Ino //nolint:unconvert // of another type on other systems
	}
	return 0, 0
}
