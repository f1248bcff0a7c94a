package shell

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
)

// probeWithin is how long it may take to find out whether a sandbox can be made.
const probeWithin = 5 * time.Second

// sandbox finds the program that makes sandboxes and tries it; without one it says why. The error is shell_unavailable where a
// command must not run without one, or that of ctx.
func (t *shell) sandbox(ctx context.Context) (string, bilingual.Text, error) {
	bwrap, why, err := t.probe(ctx)
	if err == nil && bwrap == "" && os.Getuid() == 0 && !t.deps.AsRoot {
		err = apperr.New(apperr.ShellUnavailable, "why", bilingual.Text{
			KO: "관리자(root) 계정에서는 격리 없이 실행하지 않아요. " + why.KO, EN: "nothing runs as root without a sandbox, and " + why.EN,
		})
	}
	return bwrap, why, err
}

func (t *shell) probe(ctx context.Context) (string, bilingual.Text, error) {
	bwrap, err := t.deps.LookPath("bwrap")
	if err != nil {
		return "", bilingual.Text{KO: "bubblewrap이 설치되어 있지 않아서예요", EN: "bubblewrap is not installed"}, nil
	}
	limited, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	args := append(t.walls(plan{}), "--", "/bin/sh", "-c", "exit 0")
	probe := exec.CommandContext(limited, bwrap, args...) //nolint:gosec // the sandbox itself, with arguments of our own
	probe.Env = []string{}
	if err := probe.Run(); err != nil {
		if ctx.Err() != nil {
			return "", bilingual.Text{}, ctx.Err()
		}
		return "", bilingual.Text{KO: "이 컴퓨터가 bubblewrap의 격리를 막고 있어서예요", EN: "this computer does not let bubblewrap make one"}, nil
	}
	return bwrap, bilingual.Text{}, nil
}

// systemPaths are what programs need to run; nothing in them is a person's own.
var systemPaths = []string{
	"/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd",
}

// scratch is how much a command may keep in its own temporary folders, in bytes.
const scratch = 256 << 20

// walls are the arguments that make the sandbox of a plan.
func (t *shell) walls(p plan) []string {
	args := []string{
		"--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox", "--clearenv",
		"--ro-bind", "/usr", "/usr",
	}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else if _, err := os.Stat(dir); err == nil {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	for _, path := range systemPaths {
		args = append(args, "--ro-bind-try", path, path)
	}
	size := strconv.Itoa(scratch)
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp")
	for _, f := range p.Folders {
		how := "--ro-bind"
		if f.Write {
			how = "--bind"
		}
		args = append(args, how, f.Path, f.Path)
	}
	for _, path := range t.deps.Hidden {
		for _, f := range p.Folders {
			if folders.Within(f.Path, path) {
				args = append(args, "--size", "4096", "--tmpfs", path, "--remount-ro", path)
				break
			}
		}
	}
	dir := p.Dir
	if dir == "" {
		dir = "/tmp"
	}
	return append(args, "--remount-ro", "/", "--chdir", dir,
		"--setenv", "PATH", commandPath, "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp", "--setenv", "LANG", "C.UTF-8", "--setenv", "TERM", "dumb")
}

const commandPath = "/usr/local/bin:/usr/bin:/bin"

// environment is what a command without a sandbox finds: nothing of ours, no keys.
func environment(mark string) []string {
	env := []string{"PATH=" + commandPath, "LANG=C.UTF-8", "TERM=dumb", mark}
	for _, name := range []string{"HOME", "USER", "LOGNAME"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// marked is the variable by which what a command starts is known, wherever it goes.
func marked(owner, run string) string { return markPrefix(owner) + run }

func markPrefix(owner string) string {
	return fmt.Sprintf("AGENTCHAT_SHELL=%s.", strings.Map(func(r rune) rune {
		if r == '.' || r == 0 {
			return '_'
		}
		return r
	}, owner))
}
