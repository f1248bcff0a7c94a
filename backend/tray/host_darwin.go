package tray

/*
#cgo LDFLAGS: -framework Foundation
#include <dispatch/dispatch.h>

extern void trayOnMainThread(void *);

static void onMainThread(void) { dispatch_async_f(dispatch_get_main_queue(), NULL, trayOnMainThread); }
*/
import "C"

import (
	"context"
	"unsafe"

	"fyne.io/systray"
)

// mnemonic is nothing that titles have.
const mnemonic = "\x00"

// host is the menu bar, which is always there.
type host struct{}

// begin is what the main thread is to do; set before it is asked to.
var begin func()

// start has the icon made on the main thread, where the window's own loop runs; nothing else may touch it.
func (*host) start(i *Icon) {
	begin, _ = systray.RunWithExternalLoop(i.build, nil)
	C.onMainThread()
}

//export trayOnMainThread
func trayOnMainThread(unsafe.Pointer) { begin() }

func (*host) end() {} // it goes with the program

// Shown tells whether the desktop shows icons.
func (*Icon) Shown(context.Context) bool { return true }
