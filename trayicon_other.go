//go:build !windows

package main

import _ "embed"

// trayPicture is small: it goes over the bus as bare pixels.
//
//go:embed build/linux/tray.png
var trayPicture []byte
