package tray

import (
	"context"
	"runtime"

	"fyne.io/systray"
)

// mnemonic begins a letter that is a shortcut.
const mnemonic = "&"

// host is the notification area, which is always there.
type host struct{}

// start gives the icon a thread of its own: on Windows messages come to the thread that made the window, and the window's own
// thread must not be held up by a menu.
func (*host) start(i *Icon) {
	go func() {
		runtime.LockOSThread()
		systray.SetOnTapped(i.open)
		systray.Run(i.build, nil)
	}()
}

func (*host) end() { systray.Quit() }

// Shown tells whether the desktop shows icons.
func (*Icon) Shown(context.Context) bool { return true }
