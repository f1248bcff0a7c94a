package autostart

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows/registry"
)

const (
	runKey = `Software\Microsoft\Windows\CurrentVersion\Run`
	name   = "Agent Chat"
)

// On tells whether the program begins with the session.
func On() (bool, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer key.Close()
	_, _, err = key.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Set has the program begin with the session, or no longer.
func Set(on bool, e Entry) error {
	if err := e.check(); on && err != nil {
		return err
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	if on {
		line := syscall.EscapeArg(e.Program)
		for _, a := range e.Args {
			line += " " + syscall.EscapeArg(a)
		}
		return key.SetStringValue(name, line)
	}
	if err := key.DeleteValue(name); !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}
