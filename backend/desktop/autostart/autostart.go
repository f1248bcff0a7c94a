// Package autostart has a program begin with the person's session: by an XDG autostart file on Linux, the Run key on Windows, a
// LaunchAgent on macOS. What the system has is the only truth about it: whoever looks, looks there.
package autostart

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Entry is the program that is to begin, by its full path and its arguments.
type Entry struct {
	Program string
	Args    []string
}

// This is the program that runs, with the arguments it is to be started with. An AppImage is started by its own file, not by what
// lies in it.
func This(args ...string) (Entry, error) {
	if image := os.Getenv("APPIMAGE"); filepath.IsAbs(image) {
		return Entry{image, args}, nil
	}
	program, err := os.Executable()
	return Entry{program, args}, err
}

// errWords is returned for a program whose path no file of these kinds can say.
var errWords = errors.New("autostart: the program's path or arguments have signs that cannot be written")

func (e Entry) check() error {
	for _, w := range append([]string{e.Program}, e.Args...) {
		if strings.ContainsFunc(w, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xFFFD }) {
			return errWords
		}
	}
	return nil
}

// remove takes a file away, if it is there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
