package doorbell

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// at runs do with a name of the socket that is short enough for the system, however deep the folder lies: by the open folder itself.
func at[T any](dir string, do func(name string) (T, error)) (T, error) {
	folder, err := os.Open(dir)
	if err != nil {
		var none T
		return none, err
	}
	defer folder.Close()
	return do(filepath.Join("/proc/self/fd", strconv.Itoa(int(folder.Fd())), FileName))
}

func dial(dir string) (net.Conn, error) {
	return at(dir, dialName)
}

// bell is the listener with the socket's own name, for the one it listens by is gone.
type bell struct {
	net.Listener
	path string
}

// Close implements net.Listener.
func (b bell) Close() error {
	_ = os.Remove(b.path)
	return b.Listener.Close()
}

func listen(dir string) (net.Listener, error) {
	return at(dir, func(name string) (net.Listener, error) {
		l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", name)
		if err != nil {
			return nil, err
		}
		if own, ok := l.(*net.UnixListener); ok {
			own.SetUnlinkOnClose(false)
		}
		b := bell{l, filepath.Join(dir, FileName)}
		if err := os.Chmod(b.path, 0o600); err != nil {
			_ = b.Close()
			return nil, err
		}
		return b, nil
	})
}

// samePerson tells whether a caller is of the same user, as the system says.
func samePerson(conn net.Conn) bool {
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var who *unix.Ucred
	if raw.Control(func(fd uintptr) { who, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }) != nil || err != nil {
		return false
	}
	return int(who.Uid) == os.Getuid()
}
