package shell

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// How often a command is looked after, and how long its end may take.
const (
	lookEvery = 50 * time.Millisecond
	endWithin = 3 * time.Second
)

// gatekeeper waits until its limits are set, and then becomes the command.
const gatekeeper = `read -r _ && exec "$@"`

// run runs a plan. When it returns, nothing of the command is left.
func (t *shell) run(ctx context.Context, p plan) (outcome, error) {
	mark := marked(t.deps.Owner, rand.Text())
	argv := []string{"/bin/sh", "-c", p.Command}
	dir := p.Dir
	if p.Bwrap != "" {
		argv, dir = append(append([]string{p.Bwrap}, t.walls(p)...), append([]string{"--"}, argv...)...), "/"
	} else if dir == "" {
		empty, err := os.MkdirTemp("", "agentchat-shell-")
		if err != nil {
			return outcome{}, apperr.Wrap(err, apperr.StorageFailed)
		}
		defer func() { _ = os.RemoveAll(empty) }()
		dir = empty
	}
	// The context ends the whole family below, not one process.
	cmd := exec.Command("/bin/sh", append([]string{"-c", gatekeeper, "sh"}, argv...)...) //nolint:gosec,noctx // a person approved exactly this command
	cmd.Dir, cmd.Env = dir, environment(mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	read, write, err := os.Pipe()
	if err != nil {
		return outcome{}, unstarted(err)
	}
	defer func() { _ = read.Close() }()
	cmd.Stdout, cmd.Stderr = write, write
	gate, err := cmd.StdinPipe()
	if err != nil {
		_ = write.Close()
		return outcome{}, unstarted(err)
	}
	// The kernel ends the command when the thread that started it ends; so that thread stays.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = cmd.Start()
	_ = write.Close()
	if err != nil {
		return outcome{}, unstarted(err)
	}
	printed := newOutput(t.deps.Limits.Output)
	go printed.read(read)
	f := newFamily(cmd.Process.Pid, mark)
	over := make(chan struct{})
	var stopped bilingual.Text
	watched := make(chan int)
	go func() {
		stopped = t.watch(ctx, f, printed.full, over)
		watched <- f.end()
	}()
	if err = t.limit(cmd.Process.Pid); err == nil {
		_, err = gate.Write([]byte("\n"))
	}
	_ = gate.Close()
	waited := cmd.Wait()
	close(over)
	left := <-watched
	_ = read.SetReadDeadline(time.Now().Add(endWithin))
	<-printed.done
	if err != nil && stopped == (bilingual.Text{}) && ctx.Err() == nil {
		return outcome{}, unstarted(err)
	}
	var exit *exec.ExitError
	if waited != nil && !errors.As(waited, &exit) {
		return outcome{}, unstarted(waited)
	}
	o := outcome{exit: exitCode(cmd.ProcessState), left: left, stopped: stopped}
	o.output, o.cut = printed.text()
	return o, nil
}

func unstarted(err error) error {
	return apperr.Wrap(err, apperr.ShellUnavailable, "why", bilingual.Text{KO: "명령을 시작하지 못했어요 (" + err.Error() + ")", EN: "it could not be started (" + err.Error() + ")"})
}

// exitCode is the one a shell would tell: 128 and the signal for what was killed.
func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// limit sets the kernel's limits for a process that waits at the gate; what it starts inherits them.
func (t *shell) limit(id int) error {
	l := t.deps.Limits
	seconds := uint64(l.Time/time.Second) + 1 //nolint:gosec // limits are not negative
	threads := t.deps.threads
	if threads == nil {
		threads = threadsOf
	}
	for what, most := range map[int]uint64{
		unix.RLIMIT_AS: uint64(2 * l.Memory), unix.RLIMIT_FSIZE: uint64(l.File), unix.RLIMIT_CPU: seconds, unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: 1024, //nolint:gosec // limits are not negative
		// The kernel counts all of a user's processes; it does not count root's, which watch does.
		unix.RLIMIT_NPROC: uint64(threads(os.Getuid()) + l.Processes), //nolint:gosec // nor are counts
	} {
		if err := unix.Prlimit(id, what, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
			return err
		}
	}
	return nil
}

// watch looks after a command until it is over, and says why it must be stopped, if it must.
func (t *shell) watch(ctx context.Context, f *family, flood, over <-chan struct{}) bilingual.Text {
	l := t.deps.Limits
	end := time.NewTimer(l.Time)
	defer end.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	page := int64(os.Getpagesize())
	for {
		select {
		case <-over:
			return bilingual.Text{}
		case <-ctx.Done():
			return bilingual.Text{}
		case <-flood:
			return bilingual.Text{KO: "출력이 너무 많아요", EN: "it printed too much"}
		case <-end.C:
			return bilingual.Text{KO: fmt.Sprintf("%s 안에 끝나지 않았어요", spell(l.Time, "분", "초")), EN: fmt.Sprintf("it did not end within %s", spell(l.Time, " min", " s"))}
		case <-look.C:
			members, pages := f.members(), int64(0)
			for _, p := range members {
				pages += p.pages
			}
			if len(members) > l.Processes {
				return bilingual.Text{KO: "프로세스를 너무 많이 만들었어요", EN: "it started too many processes"}
			}
			if pages*page > l.Memory {
				return bilingual.Text{KO: "메모리를 너무 많이 썼어요", EN: "it used too much memory"}
			}
		}
	}
}

func spell(d time.Duration, minutes, seconds string) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d%s", d/time.Minute, minutes)
	}
	return fmt.Sprintf("%g%s", d.Seconds(), seconds)
}

// end kills the whole family, until nobody is left of it, and says how many there were besides its head.
func (f *family) end() int {
	deadline := time.NewTimer(endWithin)
	defer deadline.Stop()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	first := -1
	for {
		_ = syscall.Kill(-f.root, syscall.SIGKILL)
		members := f.members()
		left := 0
		for _, p := range members { // stopped first, so that none starts another while they are killed one by one
			if p.id != f.root {
				left++
			}
			_ = syscall.Kill(p.id, syscall.SIGSTOP)
		}
		for _, p := range members {
			_ = syscall.Kill(p.id, syscall.SIGKILL)
		}
		if first < 0 {
			first = left
		}
		if len(members) == 0 {
			return first
		}
		select {
		case <-again.C:
		case <-deadline.C:
			return first
		}
	}
}
