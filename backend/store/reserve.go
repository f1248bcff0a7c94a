package store

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The reserve is a file that only takes up room, so that some is left for the end of what a full disk interrupts. To give it
// up, it is renamed and emptied: that needs no room, and the new name is the word left for the next start that not everything
// people were told stands in the ledger.
const (
	reserveName   = "agentchat.reserve"
	unwrittenName = "agentchat.unwritten"
	reserveSize   = 256 << 10
)

func (s *Store) beside(name string) string { return filepath.Join(filepath.Dir(s.path), name) }

// Distrusted tells whether people were told something that may not stand in the ledger.
func (s *Store) Distrusted() bool {
	_, err := os.Stat(s.beside(unwrittenName))
	return err == nil
}

// Distrust leaves word for the next start that not everything people were told stands in the ledger, and makes some room for
// it to be written after all. After nil that word stays, also if the power goes.
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
	return storageError(syncFolder(filepath.Dir(s.path)))
}

// Trust takes that word back, and refills the reserve if there is room.
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
