// Package ledgertest gives tests a new ledger without the work of making one: the schema is made once in a process, and
// copied from then on. Under the race detector that is most of what a small test takes.
package ledgertest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"agentchat/backend/store"
)

// made is the file of a ledger that was opened for the first time and closed.
var made = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := store.Open(context.Background(), dir, nil)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, store.FileName))
})

// In puts a ledger that holds nothing into dir and gives dir back. A folder that has one already stays as it is. It
// panics when that cannot be done. Safe for concurrent use.
func In(dir string) string {
	file, err := made()
	path := filepath.Join(dir, store.FileName)
	if _, there := os.Stat(path); err == nil && errors.Is(there, os.ErrNotExist) {
		err = errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(path, file, 0o600))
	}
	if err != nil {
		panic("a new ledger: " + err.Error())
	}
	return dir
}
