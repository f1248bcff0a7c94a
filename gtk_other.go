//go:build !linux || !cgo || bindings

package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// shunDeafBus does nothing: here no bus keeps a window away.
func shunDeafBus() {}

// startFolded does nothing: here a hidden window is never shown.
func startFolded() {}

// endLoop ends the window.
func endLoop(ctx context.Context) { runtime.Quit(ctx) }

// endsItself says that nobody but endLoop may end the window.
const endsItself = false
