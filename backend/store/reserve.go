package store

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"agentchat/backend/privatefile"
)

// The reserve is a file that only takes up space, so that interrupted work can still be ended when the disk is full. It is given up by
// renaming and truncating it, which needs no space. The new name is a mark for the next start: something was reported that may not be in the
// ledger.
const (
	reserveName   = "agentchat.reserve"
	unwrittenName = "agentchat.unwritten"
	reserveSize   = 256 << 10
)

func (s *Store) beside(name string) string { return filepath.Join(filepath.Dir(s.path), name) }

// Distrusted tells whether something was reported that may not be in the ledger.
func (s *Store) Distrusted() bool {
	_, err := os.Stat(s.beside(unwrittenName))
	return err == nil
}

// Distrust sets the mark that something was reported which may not be in the ledger, and frees some space so that it can be written after
// all. After nil the mark survives power loss.
func (s *Store) Distrust() error {
	word := s.beside(unwrittenName)
	err := os.Rename(s.beside(reserveName), word)
	if err == nil {
		err = os.Truncate(word, 0)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = os.WriteFile(word, nil, 0o600)
	}
	if err != nil {
		return storageError(err)
	}
	return storageError(privatefile.SyncFolder(filepath.Dir(s.path)))
}

// Trust removes the mark, and refills the reserve if there is space.
func (s *Store) Trust() error {
	if err := os.Remove(s.beside(unwrittenName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return storageError(err)
	}
	if info, err := os.Stat(s.beside(reserveName)); err == nil && info.Size() == reserveSize {
		return nil
	}
	filling := s.beside(reserveName + ".new")
	content := make([]byte, reserveSize)
	_, _ = rand.Read(content) // nothing that a file system could keep in less
	err := os.WriteFile(filling, content, 0o600)
	if err == nil {
		err = os.Rename(filling, s.beside(reserveName))
	}
	if err != nil {
		_ = os.Remove(filling)
	}
	return storageError(err)
}
