// Package lock lets only one shop open on a data folder. The lock belongs to the open file, so the system gives it back
// when the process dies, however it dies: a lock file that lies around never keeps anyone out.
package lock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"agentchat/backend/apperr"
)

// FileName is the lock file in the data folder. It stays there after Unlock, because removing it would let two shops
// lock two files of the same name.
const FileName = "agentchat.lock"

// FieldSettled is the field of already_running that tells whether the holder is there to stay.
const FieldSettled = "settled"

// settledMark stands behind the number of a holder that is.
const settledMark = "open"

// errHeld is what the systems' own locks report when someone else has the file.
var errHeld = errors.New("the lock is held")

// Lock is the right to use one data folder.
type Lock struct {
	file   *os.File
	once   sync.Once
	result error
}

// Acquire takes the lock on dir at once, without waiting; dir is made if it is not there (0700). Errors are
// *apperr.Error: already_running with the holder's pid in fields (0 if unknown) and whether it is settled, storage_failed.
func Acquire(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	if err := lockFile(file); err != nil {
		pid, settled := readHolder(file)
		_ = file.Close()
		if errors.Is(err, errHeld) {
			return nil, apperr.Wrap(err, apperr.AlreadyRunning, "dir", dir, "pid", pid, FieldSettled, settled)
		}
		return nil, apperr.Wrap(fmt.Errorf("locking %s: %w", file.Name(), err), apperr.StorageFailed)
	}
	if err := writeHolder(file, false); err != nil {
		_ = file.Close()
		return nil, apperr.Wrap(err, apperr.StorageFailed)
	}
	return &Lock{file: file}, nil
}

// Settled writes down whether the holder is there to stay: it is neither just opening nor just closing, either of which may take its time. Whoever finds
// the folder taken hears of it. Where that cannot be written, they are told what was last.
func (l *Lock) Settled(is bool) { _ = writeHolder(l.file, is) }

// Unlock gives the folder back. Calling it again does nothing and returns the same error.
func (l *Lock) Unlock() error {
	l.once.Do(func() {
		// The number would name a stranger once the system hands it out again.
		_ = l.file.Truncate(0)
		// Closing alone would not do: a program that is just being started has the file as well until it runs, and would hold the lock until then.
		l.result = errors.Join(unlockFile(l.file), l.file.Close())
	})
	return l.result
}

func writeHolder(file *os.File, settled bool) error {
	text := strconv.Itoa(os.Getpid())
	if settled {
		text += " " + settledMark
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(text+"\n"), 0)
	return err
}

func readHolder(file *os.File) (pid int, settled bool) {
	text := make([]byte, 32)
	n, err := file.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, false
	}
	number, mark, _ := strings.Cut(strings.TrimSpace(string(text[:n])), " ")
	pid, _ = strconv.Atoi(number)
	return pid, mark == settledMark
}
