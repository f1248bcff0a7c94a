//go:build unix

// Package procgroup is how other programs are run that start programs of their own: all of them end together.
package procgroup

import (
	"os/exec"
	"syscall"
)

// Group is a child and everything it started.
type Group struct{ id int }

// Start starts the child as the first of its group.
func (g *Group) Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.id = cmd.Process.Pid
	return nil
}

// Ask tells all of them to end.
func (g *Group) Ask() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// Kill ends all of them.
func (g *Group) Kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

// Close lets go of the group; where the system ends a group with its last handle, it ends.
func (g *Group) Close() {}
