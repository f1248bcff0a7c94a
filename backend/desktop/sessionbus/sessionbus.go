// Package sessionbus connects to the bus on which the programs of a Linux desktop talk to each other. Whoever wants something of
// the desktop does without it where there is none: no bus is ever started for it, for nobody else would be on that one, and it
// would outlive the program.
package sessionbus

import (
	"os"
	"time"

	"github.com/godbus/dbus/v5"
)

// address is where a program of the desktop looks for its bus.
const address = "DBUS_SESSION_BUS_ADDRESS"

// Shun has this process, and all that it starts, do without the bus when that does not answer within patience, and tells whether it did. GTK
// waits for one without end before it shows a window. Call it before anybody connects.
func Shun(patience time.Duration) bool {
	if os.Getenv(address) == "" {
		return false
	}
	answered := make(chan struct{})
	go func() {
		if conn, err := Connect(); err == nil {
			_ = conn.Close()
		}
		close(answered)
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-answered:
		return false
	case <-late.C:
		return os.Setenv(address, "disabled:") == nil
	}
}

// Connect makes a connection of the caller's own. It may take as long as the bus does.
func Connect() (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return nil, err
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}
