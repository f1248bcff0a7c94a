package store

import (
	"context"
	"os"
)

// examination is the check for damage that runs in the background after a ledger is opened.
type examination struct {
	over   chan struct{}
	cancel context.CancelFunc
	err    error // once over is closed
}

func (e *examination) begin(ctx context.Context, look func(context.Context) error) {
	ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	e.over = make(chan struct{})
	go func() {
		defer close(e.over)
		e.err = look(ctx)
	}()
}

// end stops the check and waits for it.
func (e *examination) end() {
	e.cancel()
	<-e.over
}

// Sound waits for the check for damage, which is skipped when the file is too big, and gives its result. Errors: storage_corrupt, storage
// errors.
func (s *Store) Sound(ctx context.Context) error {
	select {
	case <-s.examination.over:
		return s.examination.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// examinedAtOnce is the file size up to which a ledger is checked before it is used; a bigger one is checked while it is used.
const examinedAtOnce = 64 << 20

// Examine looks for damage in a ledger that was too big for that when it was opened. Errors: storage_corrupt with what was
// found, storage errors.
func (s *Store) Examine(ctx context.Context) error {
	if s.small() {
		return nil
	}
	return examine(ctx, s.read.DB, "quick_check")
}

// small tells whether the ledger is small enough to be checked before it is used.
func (s *Store) small() bool {
	size := int64(0)
	for _, part := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + part); err == nil {
			size += info.Size()
		}
	}
	return size <= examinedAtOnce
}
