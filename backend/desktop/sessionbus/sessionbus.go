// Package sessionbus connects to the bus on which the programs of a Linux desktop talk to each other. Whoever wants something of
// the desktop does without it where there is none: no bus is ever started for it, for nobody else would be on that one, and it
// would outlive the program.
package sessionbus

import "github.com/godbus/dbus/v5"

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
