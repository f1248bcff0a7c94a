package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

const ownTerminal = "CONIN$"

// discardTyped throws away what waits in the terminal itself.
func discardTyped(f *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(f.Fd())) }
