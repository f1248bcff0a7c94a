package mcp

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processGroup is a child and everything it started: a job object that ends what is in it when it closes.
type processGroup struct{ job windows.Handle }

func (g *processGroup) start(cmd *exec.Cmd) (err error) {
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
		g.close()
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
		g.close()
	}
	return err
}

// ask does nothing: a program without a window cannot be asked. Its closed input tells it.
func (g *processGroup) ask() {}

// kill ends all of them.
func (g *processGroup) kill() { _ = windows.TerminateJobObject(g.job, 1) }

func (g *processGroup) close() {
	_ = windows.CloseHandle(g.job)
	g.job = 0
}
