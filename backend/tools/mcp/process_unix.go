//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// processGroup is a child and everything it started.
type processGroup struct{ id int }

func (g *processGroup) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.id = cmd.Process.Pid
	return nil
}

// ask tells all of them to end.
func (g *processGroup) ask() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// kill ends all of them.
func (g *processGroup) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

func (g *processGroup) close() {}
