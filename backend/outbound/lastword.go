package outbound

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// In TLS 1.3 a server looks at the client's key only after the client counts the handshake as done. One that refuses it says so and hangs up while the
// request is being written, and whether the library tells of the refusal or of the broken connection is a matter of luck. Here it is always the refusal.

// lastWordWithin is how long the refusal of a connection that broke may take to be read.
const lastWordWithin = time.Second

// secure gives a transport's own way to make a TLS connection, whose last word is heard.
func secure(t *http.Transport) Dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		raw, err := t.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		config := &tls.Config{MinVersion: tls.VersionTLS12}
		if t.TLSClientConfig != nil {
			config = t.TLSClientConfig.Clone()
		}
		config.ServerName = cmp.Or(config.ServerName, host)
		c := tls.Client(raw, config)
		if t.TLSHandshakeTimeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, t.TLSHandshakeTimeout)
			defer cancel()
		}
		if err := c.HandshakeContext(ctx); err != nil {
			_ = raw.Close()
			return nil, err
		}
		return newListening(c, lastWordWithin), nil
	}
}

// listening is a connection whose writer is told why the other side hung up, where its reader hears so. There is always a reader: the library's.
type listening struct {
	net.Conn

	within time.Duration
	end    sync.Once
	over   chan struct{} // closed when nothing more is read
	said   error         // why, once over is closed; nil: it was closed here
}

func newListening(c net.Conn, within time.Duration) *listening {
	return &listening{Conn: c, within: within, over: make(chan struct{})}
}

// NetConn is the connection below the encryption, as tls.Conn has it.
func (l *listening) NetConn() net.Conn {
	if c, ok := l.Conn.(*tls.Conn); ok {
		return c.NetConn()
	}
	return l.Conn
}

// Read implements net.Conn.
func (l *listening) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	if err != nil {
		l.ends(err)
	}
	return n, err
}

// Write implements net.Conn.
func (l *listening) Write(p []byte) (int, error) {
	n, err := l.Conn.Write(p)
	if err == nil {
		return n, nil
	}
	wait := time.NewTimer(l.within)
	defer wait.Stop()
	select {
	case <-l.over:
		if rejected(l.said) {
			err = l.said
		}
	case <-wait.C:
	}
	return n, err
}

// Close implements net.Conn.
func (l *listening) Close() error {
	err := l.Conn.Close()
	l.ends(nil)
	return err
}

func (l *listening) ends(why error) {
	l.end.Do(func() {
		l.said = why
		close(l.over)
	})
}

// rejected tells whether an error is the other side's word, in the protocol, that it will not speak on.
func rejected(err error) bool {
	var told *net.OpError
	return errors.As(err, &told) && told.Op == "remote error"
}
