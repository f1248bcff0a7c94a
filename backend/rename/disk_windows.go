package rename

import "golang.org/x/sys/windows"

var otherDisk error = windows.ERROR_NOT_SAME_DEVICE
