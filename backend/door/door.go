// Package door is how programs of one person on one computer speak to each other: through a socket in a folder of theirs, which nobody else
// can reach. On Windows it is a named pipe that only they may open.
package door

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// patience is how long a caller waits to be let in.
const patience = 2 * time.Second

// Listen begins to hear callers by a name in a folder, which the caller must have for itself: what lies there by that name is taken away.
// Only callers of the same person come through where the system says who calls; elsewhere the socket's own rights keep others out.
func Listen(dir, name string) (net.Listener, error) {
	l, err := listen(dir, name)
	if err != nil {
		return nil, err
	}
	return checked{l}, nil
}

// Dial calls whoever listens by that name in a folder.
func Dial(dir, name string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return dial(ctx, dir, name)
}

// Own makes a folder that only its owner can enter, or makes sure that one is.
func Own(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("door: " + dir + " is not a folder")
	}
	return os.Chmod(dir, 0o700) //nolint:gosec // only the owner, who must be able to enter it; of a folder of somebody else's this fails
}

// checked lets nobody else's callers through.
type checked struct{ net.Listener }

// Accept implements net.Listener.
func (l checked) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || samePerson(conn) {
			return conn, err
		}
		_ = conn.Close()
	}
}
