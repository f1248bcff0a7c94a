package globalkey

import (
	"context"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What RegisterHotKey takes, and the messages of its thread.
const (
	modAlt, modControl, modNoRepeat = 0x1, 0x2, 0x4000
	keySpace                        = 0x20
	messageHotKey, messageQuit      = 0x0312, 0x0012
	trigger                         = "Ctrl+Alt+Space"
)

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	registerHotKey = user32.NewProc("RegisterHotKey")
	unregister     = user32.NewProc("UnregisterHotKey")
	getMessage     = user32.NewProc("GetMessageW")
	postMessage    = user32.NewProc("PostThreadMessageW")
)

// message is MSG.
type message struct {
	window         uintptr
	kind           uint32
	wide, long     uintptr
	time           uint32
	x, y           int32
	privateReserve uint32
}

// bind registers the key with a thread of its own, which hears of it until held ends. Another program that has the key keeps it.
func bind(_, held context.Context, _ string, pressed, gone func()) (string, error) {
	registered := make(chan bool)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ok, _, _ := registerHotKey.Call(0, 1, modAlt|modControl|modNoRepeat, keySpace)
		if registered <- ok != 0; ok == 0 {
			return
		}
		thread := windows.GetCurrentThreadId()
		defer context.AfterFunc(held, func() { _, _, _ = postMessage.Call(uintptr(thread), messageQuit, 0, 0) })()
		var m message
		for {
			more, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
			if int32(more) <= 0 {
				break
			}
			if m.kind == messageHotKey {
				pressed()
			}
		}
		_, _, _ = unregister.Call(0, 1)
		gone()
	}()
	if !<-registered {
		return "", errRefused
	}
	return trigger, nil
}
