package pager

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often somebody may call: in bursts, and on the whole. A person who looks is far below.
const (
	strangerEach, strangerBurst = 100 * time.Millisecond, 60
	phoneEach, phoneBurst       = 200 * time.Millisecond, 40
	// mostKnown is how many callers are told apart; those of whom nothing was heard are forgotten.
	mostKnown = 256
)

// limits counts who calls how often. Safe for concurrent use.
type limits struct {
	now func() time.Time

	mu *sync.Mutex
	of map[any]*rate.Limiter
}

func newLimits(now func() time.Time) limits {
	return limits{now: now, mu: &sync.Mutex{}, of: map[any]*rate.Limiter{}}
}

// stranger tells whether an address may call.
func (l limits) stranger(a netip.Addr) bool {
	return l.limiter(a, strangerEach, strangerBurst).AllowN(l.now(), 1)
}

// phone tells whether a phone may call. Its answers are counted apart from its looks, so that a busy shop does not keep a person from answering.
func (l limits) phone(id, method string) bool {
	return l.limiter([2]string{id, method}, phoneEach, phoneBurst).AllowN(l.now(), 1)
}

func (l limits) limiter(who any, each time.Duration, burst int) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of[who]
	if one == nil {
		if len(l.of) >= mostKnown {
			l.forget()
		}
		one = rate.NewLimiter(rate.Every(each), burst)
		l.of[who] = one
	}
	return one
}

// forget drops those who have all their calls again, or everybody if none has.
func (l limits) forget() {
	for who, one := range l.of {
		if one.TokensAt(l.now()) >= float64(one.Burst()) {
			delete(l.of, who)
		}
	}
	if len(l.of) >= mostKnown {
		clear(l.of)
	}
}
