package footprint

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapping is a part of a file in the memory of this process.
type mapping struct {
	from, to     uintptr
	rights, path string
	resident     int // kB
	changed      int // kB that are no longer as in the file
}

// unmapProgram lets go of the pages of the program's code and constants. They count as this process's memory once they were touched,
// and the system looks for others to take first; a start touches most of them, the hours after it few. Whatever fails, they stay.
func unmapProgram() {
	program, err := os.Executable()
	if err != nil {
		return
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	for _, m := range mappings(f) {
		// What was changed, as addresses are when a program is loaded, is in no file to be read from again.
		if m.path != program || m.changed > 0 || m.rights != "r-xp" && m.rights != "r--p" {
			continue
		}
		_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(m.from)), m.to-m.from), unix.MADV_DONTNEED) //nolint:govet,gosec // an address of the kernel's
	}
}

// mappings reads a smaps file: a line that begins with addresses, and lines of numbers about it.
func mappings(r io.Reader) (list []mapping) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Text()
		var m mapping
		var offset, device, inode string
		if n, _ := fmt.Sscanf(line, "%x-%x %s %s %s %s", &m.from, &m.to, &m.rights, &offset, &device, &inode); n == 6 {
			if _, path, ok := strings.Cut(line, " /"); ok {
				m.path = "/" + path
			}
			list = append(list, m)
			continue
		}
		if len(list) == 0 {
			continue
		}
		last := &list[len(list)-1]
		name, number, _ := strings.Cut(line, ":")
		var kB int
		if _, err := fmt.Sscan(number, &kB); err != nil {
			continue
		}
		switch name {
		case "Rss":
			last.resident = kB
		case "Anonymous":
			last.changed = kB
		}
	}
	return list
}
