package ollama

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives the server no console: no black window opens, and closing this program does not end it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
}
