package trash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// fileOperation is SHFILEOPSTRUCTW.
type fileOperation struct {
	window   uintptr
	function uint32
	from     *uint16
	to       *uint16
	flags    uint16
	aborted  int32
	names    uintptr
	title    *uint16
}

// What SHFileOperationW is told: delete, but so that it can be undone, and without any window of its own.
const (
	remove         = 3
	silent         = 0x0004
	noConfirmation = 0x0010
	allowUndo      = 0x0040
	noErrorUI      = 0x0400
	wantNukeWarn   = 0x4000
)

var shFileOperation = windows.NewLazySystemDLL("shell32.dll").NewProc("SHFileOperationW")

// Move puts what dir holds under name, seen before as info, into the Recycle Bin. Errors: ErrChanged, ErrNoTrash.
func (b Bin) Move(dir *os.Root, name, full string, info fs.FileInfo) (Item, error) {
	if !same(dir, name, info) || !filepath.IsAbs(full) || strings.ContainsRune(full, 0) {
		return Item{}, ErrChanged
	}
	from, err := windows.UTF16FromString(full)
	if err != nil {
		return Item{}, err
	}
	op := fileOperation{function: remove, from: &append(from, 0)[0], flags: silent | noConfirmation | allowUndo | noErrorUI | wantNukeWarn}
	//nolint:gosec // the structure lives until the call returns
	code, _, _ := shFileOperation.Call(uintptr(unsafe.Pointer(&op)))
	if code != 0 || op.aborted != 0 {
		return Item{}, fmt.Errorf("%w: SHFileOperationW: %#x", ErrNoTrash, code)
	}
	return Item{Path: full, When: b.now(), Dir: info.IsDir()}, nil
}

// Keep puts a content of the file at a full path into the Recycle Bin, by way of a file beside it that has the moment in its name.
func (b Bin) Keep(full string, data []byte) error {
	dir, err := os.OpenRoot(filepath.Dir(full))
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	name := keptName(filepath.Base(full), b.now())
	if err := dir.WriteFile(name, data, 0o600); err != nil {
		return err
	}
	info, err := dir.Lstat(name)
	if err == nil {
		_, err = b.Move(dir, name, filepath.Join(filepath.Dir(full), name), info)
	}
	if err != nil {
		_ = dir.Remove(name)
	}
	return err
}

// List is empty: the Recycle Bin itself shows what is in it, and puts it back.
func (b Bin) List([]string) ([]Item, error) { return nil, nil }

// Restore fails: the Recycle Bin itself puts things back.
func (b Bin) Restore(Item, *os.Root, string) error {
	return errors.Join(ErrGone, errors.ErrUnsupported)
}
