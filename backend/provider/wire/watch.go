package wire

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Why a watch ended a call.
var (
	errConnect = errors.New("no connection in time")
	errFirst   = errors.New("no first piece in time")
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
	ctx = context.WithValue(ctx, patienceKey{}, new(atomic.Int64))
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

func (w *watch) piece() { w.next(errGap, w.limits.Gap) }

func (w *watch) next(reason error, limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
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

// patienceKey is where a call's context keeps the Retry-After of its response: not every client passes headers on.
type patienceKey struct{}

// noteRetryAfter keeps what a response asks for, in seconds or as a time.
func noteRetryAfter(resp *http.Response) {
	kept, ok := resp.Request.Context().Value(patienceKey{}).(*atomic.Int64)
	if !ok {
		return
	}
	asked := resp.Header.Get("Retry-After")
	if s, err := strconv.Atoi(asked); err == nil && s >= 0 && s < 1<<20 {
		kept.Store(int64(time.Duration(s) * time.Second))
	} else if at, err := http.ParseTime(asked); err == nil {
		kept.Store(int64(max(time.Until(at), 0)))
	}
}

func askedFor(call context.Context) time.Duration {
	if kept, ok := call.Value(patienceKey{}).(*atomic.Int64); ok {
		return time.Duration(kept.Load())
	}
	return 0
}
