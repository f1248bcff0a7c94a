package front

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// late is a connection of a program that is held up before its first write.
type late struct {
	net.Conn
	by time.Duration
}

// Write implements net.Conn.
func (l *late) Write(p []byte) (int, error) {
	<-time.After(l.by)
	l.by = 0
	return l.Conn.Write(p)
}

// Who reads is not cut off for the time that this program took before it wrote; who does not read is, after twice that time at most.
func TestOnlyWhoDoesNotReadIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		read := make(chan string)
		go func() {
			text, _ := io.ReadAll(there)
			read <- string(text)
		}()
		c := &impatient{Conn: &late{here, time.Minute}, wait: time.Second}
		if n, err := c.Write([]byte("a line")); n != 6 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		_ = c.Close()
		if got := <-read; got != "a line" {
			t.Errorf("%q came", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		began := time.Now()
		c := &impatient{Conn: here, wait: time.Second}
		if n, err := c.Write([]byte("a line")); n != 0 || err == nil || time.Since(began) > 2*time.Second {
			t.Errorf("%d, %v after %s", n, err, time.Since(began))
		}
		if _, err := there.Read(make([]byte, 1)); err != io.EOF { //nolint:errorlint // as it is
			t.Errorf("it is not cut off: %v", err)
		}
	})
}
