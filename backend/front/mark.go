package front

import (
	"context"
	"math"
	"sync"
)

// mark is how far the stream of events has been printed, so that a reply that speaks of a moment can come after everything
// that led to it. Its zero value is ready. Safe for concurrent use.
type mark struct {
	mu    sync.Mutex
	seq   uint64
	moved chan struct{} // closed when seq rises; nil: nobody waits
}

// end is the mark of a stream that is over.
const end = math.MaxUint64

// reach says that everything up to seq has been printed.
func (m *mark) reach(seq uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seq <= m.seq {
		return
	}
	m.seq = seq
	if m.moved != nil {
		close(m.moved)
		m.moved = nil
	}
}

// wait returns when everything up to seq has been printed, or with the context's error.
func (m *mark) wait(ctx context.Context, seq uint64) error {
	for {
		m.mu.Lock()
		if m.seq >= seq {
			m.mu.Unlock()
			return nil
		}
		if m.moved == nil {
			m.moved = make(chan struct{})
		}
		moved := m.moved
		m.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
