// Package desktopbus gives tests a session bus of their own, and a display, with real programs of a Linux desktop on them.
package desktopbus

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Bus is a session bus, and its display where one was opened.
type Bus struct {
	t   *testing.T
	env []string
}

// Need skips the test where a program is absent, saying which package has it.
func Need(t *testing.T, program, pkg string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not here, and this needs it: install the package %s (make setup does)", program, pkg)
	}
}

// Open starts a session bus, which this process uses from now on, until the test ends.
func Open(t *testing.T) *Bus {
	t.Helper()
	Need(t, "dbus-daemon", "dbus")
	b := &Bus{t: t}
	home := t.TempDir()
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME"} {
		t.Setenv(v, home)
	}
	address := b.first("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	b.env = append(os.Environ(), "NO_AT_BRIDGE=1", "LC_ALL=C.UTF-8")
	return b
}

// Display opens a display for what is started from now on.
func (b *Bus) Display() {
	b.t.Helper()
	Need(b.t, "Xvfb", "xvfb")
	number := b.first("Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp")
	b.env = append(b.env, "DISPLAY=:"+number, "GDK_BACKEND=x11")
}

// Start starts a program that ends with the test, or before it by stop.
func (b *Bus) Start(program string, args ...string) (stop func()) {
	b.t.Helper()
	stop, _ = b.start(nil, program, args...)
	return stop
}

// Run runs a program to its end and gives what it says.
func (b *Bus) Run(program string, args ...string) string {
	b.t.Helper()
	cmd := exec.CommandContext(b.t.Context(), program, args...) //nolint:gosec // a program that the test names
	cmd.Env = b.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// first starts a program and gives the first line it writes.
func (b *Bus) first(program string, args ...string) string {
	b.t.Helper()
	out, in := io.Pipe()
	_, said := b.start(in, program, args...)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.t.Fatalf("%s said nothing: %v\n%s", program, err, said())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(line)
}

func (b *Bus) start(out io.WriteCloser, program string, args ...string) (stop func(), said func() string) {
	b.t.Helper()
	var mu sync.Mutex
	var errs bytes.Buffer
	cmd := exec.CommandContext(context.WithoutCancel(b.t.Context()), program, args...) //nolint:gosec // as above
	cmd.Env = b.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = writer(func(p []byte) { mu.Lock(); errs.Write(p); mu.Unlock() })
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		if out != nil {
			_ = out.Close()
		}
		close(ended)
	}()
	stop = sync.OnceFunc(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	})
	b.t.Cleanup(stop)
	return stop, func() string { mu.Lock(); defer mu.Unlock(); return errs.String() }
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }
