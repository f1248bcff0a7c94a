//go:build !windows

package autostart

import "agentchat/backend/privatefile"

// Set has the program begin with the session, or no longer.
func Set(on bool, e Entry) error {
	path, err := file()
	if err != nil {
		return err
	}
	if !on {
		return remove(path)
	}
	if err := e.check(); err != nil {
		return err
	}
	text, err := e.written()
	if err != nil {
		return err
	}
	return privatefile.Write(path, text)
}
