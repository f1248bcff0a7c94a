//go:build !linux || !cgo || bindings

package main

// startFolded does nothing: here a hidden window is never shown.
func startFolded() {}
