//go:build unix

package door

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
)

// socket is a listener with the socket's own name, for the one it listens by may be gone.
type socket struct {
	net.Listener
	path string
}

// Close implements net.Listener.
func (s socket) Close() error {
	_ = os.Remove(s.path)
	return s.Listener.Close()
}

// listenAt listens by a short name at what lies at path.
func listenAt(short, path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", short)
	if err != nil {
		return nil, err
	}
	if own, ok := l.(*net.UnixListener); ok {
		own.SetUnlinkOnClose(false)
	}
	s := socket{l, path}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// samePerson tells whether a caller is of the same user.
func samePerson(conn net.Conn) bool {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var uid uint32
	if raw.Control(func(fd uintptr) { uid, err = peer(int(fd)) }) != nil || err != nil {
		return false
	}
	return int(uid) == os.Getuid()
}
