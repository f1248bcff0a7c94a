//go:build !linux || !(production || dev)

package main

// pastedFiles is nothing: where the window is not WebKitGTK's, the page itself is shown what is pasted.
func pastedFiles() (paths []string, picture []byte) { return nil, nil }
