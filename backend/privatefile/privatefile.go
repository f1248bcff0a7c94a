// Package privatefile writes small files that only their owner may read: settings, keys. It has what else their keepers need of names.
package privatefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the file at path in one step: after a crash it holds the old text or the new, never half of either. Only
// its owner can read it (0600). A linked file stays linked, and a missing folder is made. Errors are the system's.
func Write(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return WriteWith(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// WriteWith is Write of what write writes, into a folder that is there.
func WriteWith(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp") // created 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
		}
	}()
	if err = write(tmp); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return Settle(tmp.Name(), path)
}

// Settle gives a file that is whole and synced its name in the same folder, for good: what had that name goes.
func Settle(tmp, path string) error {
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	_ = SyncFolder(filepath.Dir(path))
	return nil
}

// SyncFolder makes names durable. Systems that cannot sync a folder keep them durable on their own.
func SyncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// Exists tells whether something has this name, if only a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Remove removes a file or an empty folder, if it is there.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
