//go:build !linux

package footprint

// unmapProgram does nothing: elsewhere the system itself takes pages of programs that rest.
func unmapProgram() {}
