package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// note keeps what the transport saw of a call: a client in between may pass neither headers nor read errors on.
type note struct {
	mu         sync.Mutex
	retryAfter time.Duration
	broken     error // why the response could not be read to its end
}

type noteKey struct{}

// noteOf is the note in the context of a call; one that nobody reads when there is none.
func noteOf(ctx context.Context) *note {
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		return n
	}
	return new(note)
}

// header keeps the Retry-After of a response, in seconds or as a time.
func (n *note) header(h http.Header) {
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := h.Get("Retry-After")
	if s, err := strconv.Atoi(asked); err == nil && s >= 0 && s < 1<<20 {
		n.retryAfter = time.Duration(s) * time.Second
	} else if at, err := http.ParseTime(asked); err == nil {
		n.retryAfter = max(time.Until(at), 0)
	}
}

func (n *note) read(err error) {
	if err == nil || errors.Is(err, io.EOF) {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.broken == nil {
		n.broken = err
	}
}

func (n *note) get() (retryAfter time.Duration, broken error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.retryAfter, n.broken
}
