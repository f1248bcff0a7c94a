//go:build !linux && !windows

package cli

import "os"

const ownTerminal = "/dev/tty"

// discardTyped leaves what waits in the terminal; what was read of it already is forgotten.
func discardTyped(*os.File) {}
