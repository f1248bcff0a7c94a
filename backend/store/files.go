package store

import (
	"errors"
	"io/fs"
	"os"
)

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func chmodPrivate(path string) error { return os.Chmod(path, 0o600) }
