package outbound

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// broken is a connection that cannot be written to, and whose last word comes when it comes.
type broken struct {
	net.Conn
	word chan error
}

func (b broken) Read([]byte) (int, error)  { return 0, <-b.word }
func (b broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }
func (b broken) Close() error              { return nil }

// Who writes to a connection that was hung up is told the other side's reason, before or after the writing failed; where there is none, that it broke.
func TestTheLastWordIsHeard(t *testing.T) {
	refused := &net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}
	for name, c := range map[string]struct {
		says, want error
		after      time.Duration
	}{
		"before":    {refused, refused, 0},
		"after":     {refused, refused, lastWordWithin / 2},
		"too late":  {refused, syscall.EPIPE, 2 * lastWordWithin},
		"no reason": {io.EOF, syscall.EPIPE, lastWordWithin / 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := broken{word: make(chan error, 1)}
			l := newListening(b, lastWordWithin)
			go func() { _, _ = l.Read(nil) }()
			time.AfterFunc(c.after, func() { b.word <- c.says })
			if c.after == 0 {
				<-l.over
			}
			if _, err := l.Write(nil); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			<-l.over
		})
	}
	synctest.Test(t, func(t *testing.T) { // closed here, it waits for nobody
		l, began := newListening(broken{}, time.Hour), time.Now()
		go func() { _ = l.Close() }()
		if _, err := l.Write(nil); !errors.Is(err, syscall.EPIPE) || time.Since(began) > 0 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}
