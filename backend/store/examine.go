package store

import (
	"context"
	"os"
)

// examinedAtOnce is the size up to which a ledger is examined whenever it is opened; a bigger one is examined beside the work.
const examinedAtOnce = 64 << 20

// Examine looks for damage in a ledger that was too big for that when it was opened. Errors: storage_corrupt with what was
// found, storage errors.
func (s *Store) Examine(ctx context.Context) error {
	if s.small() {
		return nil
	}
	return examine(ctx, s.read.DB, "quick_check")
}

// small tells whether examining the ledger takes no time worth speaking of.
func (s *Store) small() bool {
	size := int64(0)
	for _, part := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + part); err == nil {
			size += info.Size()
		}
	}
	return size <= examinedAtOnce
}
