package store

import (
	"context"
	"os"
)

// examination is the look for damage that begins when a ledger is opened, beside whoever reads it already.
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

// end breaks it off and waits until it is.
func (e *examination) end() {
	e.cancel()
	<-e.over
}

// Sound waits until the ledger was examined for damage, unless it is too big for that, and gives what was found. Errors:
// storage_corrupt, storage errors.
func (s *Store) Sound(ctx context.Context) error {
	select {
	case <-s.examination.over:
		return s.examination.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// examinedAtOnce is the size up to which a ledger is examined whenever it is opened, before anything comes of it; a bigger one is examined beside the work.
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
