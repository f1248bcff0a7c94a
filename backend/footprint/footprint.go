// Package footprint keeps what a program weighs near what it uses.
package footprint

import "runtime/debug"

// Settle gives back to the system what a start took and nobody needs again: free memory, and the pages of the program itself that
// were read to begin. What is used again is mapped again from the file, which the system keeps as long as it has room. It takes some
// milliseconds; safe for concurrent use.
func Settle() {
	debug.FreeOSMemory()
	unmapProgram()
}
