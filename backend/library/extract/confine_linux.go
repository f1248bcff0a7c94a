package extract

import "golang.org/x/sys/unix"

// confine bounds how much memory a program may take, and lets others go first.
func confine(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: ocrMemory, Max: ocrMemory}, nil)
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 10)
}
