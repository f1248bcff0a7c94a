package tray

import (
	"context"
	"sync"
	"time"

	"fyne.io/systray"
	"github.com/godbus/dbus/v5"

	"agentchat/backend/desktop/sessionbus"
)

// mnemonic begins a letter that is a shortcut, in the menus of libdbusmenu.
const mnemonic = "_"

const (
	watcher     = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	// answer is how long a desktop may take to say whether it shows icons.
	answer = time.Second
)

// host is what shows icons on a Linux desktop: whoever is org.kde.StatusNotifierWatcher on the session bus. It may come later than
// the shop, as at login, and go and come again.
type host struct {
	mu   sync.Mutex
	conn *dbus.Conn
}

// start waits, without holding up anybody, until there is a host.
func (h *host) start(i *Icon) {
	go func() {
		conn, err := sessionbus.Connect()
		if err != nil {
			return // there is no bus, so there will be no host
		}
		h.mu.Lock()
		h.conn = conn
		h.mu.Unlock()
		signals := make(chan *dbus.Signal, 16)
		conn.Signal(signals)
		if err := conn.AddMatchSignal(dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchInterface("org.freedesktop.DBus"),
			dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher)); err != nil {
			return
		}
		for there := h.owned(conn); !there; {
			select {
			case <-i.ended:
				return
			case s, more := <-signals:
				if !more {
					return
				}
				there = len(s.Body) == 3 && s.Body[2] != ""
			}
		}
		conn.RemoveSignal(signals)
		start, _ := systray.RunWithExternalLoop(i.build, nil)
		systray.SetOnTapped(i.open)
		start() // from now on the library follows the host
	}()
}

func (h *host) owned(conn *dbus.Conn) (owned bool) {
	err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, watcher).Store(&owned)
	return err == nil && owned
}

func (h *host) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conn != nil {
		_ = h.conn.Close()
	}
}

// Shown tells whether the desktop says that it shows icons.
func (i *Icon) Shown(ctx context.Context) bool {
	i.host.mu.Lock()
	conn := i.host.conn
	i.host.mu.Unlock()
	if conn == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	var shows dbus.Variant
	err := conn.Object(watcher, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
		watcher, "IsStatusNotifierHostRegistered").Store(&shows)
	return err == nil && shows.Value() == true
}
