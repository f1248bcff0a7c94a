package wire

import (
	"sync"
	"time"
)

// When a breaker opens, and for how long.
const (
	breakAfter   = 3 // calls that fail in a row
	firstPause   = 5 * time.Second
	longestPause = 2 * time.Minute
)

// Breaker keeps calls away from a service that keeps failing. It opens after three failures in a row; after a pause
// one call is let through to try (half open), and its end closes the breaker or opens it for twice as long. The zero
// value is closed and ready. Safe for concurrent use.
type Breaker struct {
	mu       sync.Mutex
	failures int
	pause    time.Duration
	until    time.Time // zero: closed
	trying   bool
	last     error
}

// allow says whether a call may go out, and gives the error that opened the breaker when it may not.
func (b *Breaker) allow() (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return true, nil
	}
	if b.trying || time.Now().Before(b.until) {
		return false, b.last
	}
	b.trying = true
	return true, nil
}

func (b *Breaker) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.pause, b.until, b.trying, b.last = 0, 0, time.Time{}, false, nil
}

func (b *Breaker) failed(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = err
	b.failures++
	if b.failures < breakAfter && !b.trying {
		return
	}
	b.trying = false
	b.pause = min(max(2*b.pause, firstPause), longestPause)
	b.until = time.Now().Add(b.pause)
}

// gaveUp is the end of a call that says nothing about the service: the caller canceled it.
func (b *Breaker) gaveUp() {
	b.mu.Lock()
	b.trying = false
	b.mu.Unlock()
}

// Nudge ends the pause: whoever has just seen the service answer calls it, so that nobody waits for the pause to end.
func (b *Breaker) Nudge() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.until.IsZero() {
		b.until = time.Unix(0, 1)
	}
}

// State is "" when closed, "open" or "half_open", with the failure that opened it.
func (b *Breaker) State() (state string, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.until.IsZero():
		return "", nil
	case b.trying || !time.Now().Before(b.until):
		return "half_open", b.last
	}
	return "open", b.last
}
