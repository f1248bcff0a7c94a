package store

import (
	"context"
	"testing"
	"time"
)

// Money and approvals must survive power loss: the level has to follow every change, not only the first.
func TestEveryTransactionRunsAtTheLevelItAskedFor(t *testing.T) {
	s, err := Open(context.Background(), t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i, full := range []bool{false, true, false, true, true, false, false, true} {
		level := -1
		if err := s.tx(context.Background(), full, func(w *work) error {
			return w.s.conn.QueryRowContext(w.ctx, "PRAGMA synchronous").Scan(&level)
		}); err != nil {
			t.Fatal(err)
		}
		want := 1 // NORMAL
		if full {
			want = 2 // FULL
		}
		if level != want {
			t.Errorf("transaction %d asked for level %d and ran at %d", i, want, level)
		}
	}
}
