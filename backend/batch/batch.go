// Package batch gathers what comes one by one and has it written together.
package batch

import (
	"context"
	"sync"
	"time"
)

// Options say how a Writer works. Write is required.
type Options[T any] struct {
	// Write writes what has gathered, oldest first. It is never called twice at once.
	Write func(ctx context.Context, list []T) error
	// Failed is told of a batch that could not be written, which is lost; may be nil.
	Failed func(err error, lost int)
	// Most bounds what waits: who writes more slowly than things come loses the older half. 0: no bound.
	Most int
	// Linger is how long a batch waits for company after its first piece came; 0: it is written at once.
	Linger time.Duration
}

// Writer is a batch writer: Put never waits, and what gathers while a batch is written is the next batch. Safe for
// concurrent use.
type Writer[T any] struct {
	o Options[T]

	mu      sync.Mutex
	waiting []T
	wake    chan struct{}
	stop    chan struct{}
	done    chan struct{}
	once    sync.Once
	writing sync.Mutex
}

// New makes a writer. Close ends it.
func New[T any](o Options[T]) *Writer[T] {
	w := &Writer[T]{o: o, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go w.run()
	return w
}

// Put hands a piece over and returns at once.
func (w *Writer[T]) Put(piece T) {
	w.mu.Lock()
	if w.o.Most > 0 && len(w.waiting) >= w.o.Most {
		w.waiting = append(w.waiting[:0:0], w.waiting[w.o.Most/2:]...)
	}
	w.waiting = append(w.waiting, piece)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Flush writes what has gathered and returns when that is done, also what somebody else is writing.
func (w *Writer[T]) Flush() {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	list := w.waiting
	w.waiting = nil
	w.mu.Unlock()
	if len(list) == 0 {
		return
	}
	if err := w.o.Write(context.Background(), list); err != nil && w.o.Failed != nil {
		w.o.Failed(err, len(list))
	}
}

// Close writes what is left and ends the writer. Closing twice is fine. It returns nil, so that it can stand among other
// things to close.
func (w *Writer[T]) Close() error {
	w.once.Do(func() { close(w.stop); <-w.done })
	return nil
}

func (w *Writer[T]) run() {
	defer close(w.done)
	for {
		select {
		case <-w.wake:
			w.linger()
			w.Flush()
		case <-w.stop:
			w.Flush()
			return
		}
	}
}

func (w *Writer[T]) linger() {
	if w.o.Linger <= 0 {
		return
	}
	timer := time.NewTimer(w.o.Linger)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.stop:
	}
}
