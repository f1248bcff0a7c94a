package folders

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// written tells whether somebody has the file open for writing: then it cannot be opened without sharing that.
func written(f *os.File) bool {
	name, err := windows.UTF16PtrFromString(f.Name())
	if err != nil {
		return false
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	_ = windows.CloseHandle(h)
	return false
}
