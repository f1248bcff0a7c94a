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
// one call is let through to try (half open), and its end closes the breaker or opens it for twice as long; calls that
// were under way before only tell that the service answers. The zero value is closed and ready. Safe for concurrent use.
type Breaker struct {
	mu       sync.Mutex
	failures int
	pause    time.Duration
	until    time.Time // zero: closed
	trial    *pass     // of the call that tries, nil for none
	last     error
}

// pass is what a call went out with, and says how it ended: each call has one of its own, which its end is told by.
type pass struct{ breaker *Breaker }

// allow gives the pass of a call that may go out, nil with the error that opened the breaker when it may not. The call's
// end is told to the pass, once.
func (b *Breaker) allow() (*pass, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := &pass{breaker: b}
	if b.until.IsZero() {
		return p, nil
	}
	if b.trial != nil || time.Now().Before(b.until) {
		return nil, b.last
	}
	b.trial = p
	return p, nil
}

func (p *pass) succeeded() {
	b := p.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.pause, b.until, b.trial, b.last = 0, 0, time.Time{}, nil, nil
}

func (p *pass) failed(err error) {
	b := p.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.until.IsZero() && b.trial != p {
		return // it went out before the breaker opened: only the call that tries decides how long it stays so
	}
	b.last = err
	b.failures++
	if b.failures < breakAfter && b.trial == nil {
		return
	}
	b.trial = nil
	b.pause = min(max(2*b.pause, firstPause), longestPause)
	b.until = time.Now().Add(b.pause)
}

// gaveUp is the end of a call that says nothing about the service: the caller canceled it.
func (p *pass) gaveUp() {
	b := p.breaker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trial == p {
		b.trial = nil
	}
}

// Wake ends the pause: whoever has just seen the service answer calls it, so that nobody waits for the pause to end.
func (b *Breaker) Wake() {
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
	case b.trial != nil || !time.Now().Before(b.until):
		return "half_open", b.last
	}
	return "open", b.last
}
