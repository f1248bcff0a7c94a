// Package procgroup is how other programs are run that start programs of their own: all of them end together.
package procgroup

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a child and everything it started: a job object that ends what is in it when it closes.
type Group struct{ job windows.Handle }

// Start starts the child as the first of its group.
func (g *Group) Start(cmd *exec.Cmd) (err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
	if g.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))) //nolint:gosec // the call takes an address
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		g.Close()
		return err
	}
	child, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(g.job, child)
		_ = windows.CloseHandle(child)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		g.Close()
	}
	return err
}

// Ask does nothing: a program without a window cannot be asked. Its closed input tells it.
func (g *Group) Ask() {}

// Kill ends all of them.
func (g *Group) Kill() { _ = windows.TerminateJobObject(g.job, 1) }

// Close lets go of the group; where the system ends a group with its last handle, it ends.
func (g *Group) Close() {
	_ = windows.CloseHandle(g.job)
	g.job = 0
}
