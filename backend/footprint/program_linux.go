package footprint

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// mapping is a part of a file in the memory of this process.
type mapping struct {
	from, to uintptr
	rights   string
	resident int // kB
	changed  int // kB that are no longer as in the file
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
	for _, m := range mappings(f, program) {
		// What was changed, as addresses are when a program is loaded, is in no file to be read from again.
		if m.changed > 0 || m.rights != "r-xp" && m.rights != "r--p" {
			continue
		}
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
}

// mappings reads in a smaps file of the parts of one file: a line with addresses that ends with its path, and lines of numbers about it.
func mappings(r io.Reader, path string) (list []mapping) {
	inside := false
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Bytes()
		if name, _, _ := bytes.Cut(line, []byte(" ")); !bytes.HasSuffix(name, []byte(":")) {
			if inside = bytes.HasSuffix(line, []byte(" "+path)); inside {
				var m mapping
				_, err := fmt.Sscanf(string(line), "%x-%x %s", &m.from, &m.to, &m.rights)
				if inside = err == nil; inside {
					list = append(list, m)
				}
			}
			continue
		}
		if !inside {
			continue
		}
		m := &list[len(list)-1]
		if _, err := fmt.Sscanf(string(line), "Rss: %d", &m.resident); err == nil {
			continue
		}
		_, _ = fmt.Sscanf(string(line), "Anonymous: %d", &m.changed)
	}
	return list
}
