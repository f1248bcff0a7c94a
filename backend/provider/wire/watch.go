package wire

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync"
	"time"
)

// Why a watch ended a call.
var (
	errConnect = errors.New("no connection in time")
	errFirst   = errors.New("no first piece in time")
	errLoad    = errors.New("the model was not loaded in time")
	errGap     = errors.New("no next piece in time")
	errWhole   = errors.New("no whole answer in time")
)

// watch ends a call that misses a deadline, and leaves the reason as the context's cause.
type watch struct {
	limits Timeouts
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	reason  error
	stopped bool
}

// newWatch starts with the deadline for the connection. stop must be called.
func newWatch(ctx context.Context, limits Timeouts) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limits: limits, cancel: cancel}
	w.next(errConnect, limits.Connect)
	ctx = context.WithValue(ctx, noteKey{}, new(note))
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { w.connected() }}
	return httptrace.WithClientTrace(ctx, trace), w
}

func (w *watch) connected() {
	w.mu.Lock()
	connecting := errors.Is(w.reason, errConnect)
	w.mu.Unlock()
	if connecting {
		w.next(errFirst, w.limits.First)
	}
}

// patient gives the first piece the time that loading takes, if it still is what is waited for.
func (w *watch) patient() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.reason, errFirst) {
		w.set(errLoad, w.limits.Load())
	}
}

func (w *watch) piece() { w.next(errGap, w.limits.Gap) }

func (w *watch) next(reason error, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(reason, limit)
}

// set is next, called with w.mu held.
func (w *watch) set(reason error, limit time.Duration) {
	if w.stopped {
		return
	}
	w.reason = reason
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if limit > 0 {
		w.timer = time.AfterFunc(limit, func() { w.cancel(reason) })
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	w.cancel(context.Canceled)
}
