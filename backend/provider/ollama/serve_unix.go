//go:build unix

package ollama

import (
	"os/exec"
	"syscall"
)

// detach gives the server a session of its own: closing this program's terminal does not end it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
