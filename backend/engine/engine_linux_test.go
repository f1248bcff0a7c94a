package engine_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"agentchat/backend/apperr"
	"agentchat/backend/engine"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// What a copy of this test program is, when it was started to be something else.
const (
	roleEnv  = "AGENTCHAT_ENGINE_TEST" // "engine": a small server that does what it is told; "shop": one that has an engine
	crashEnv = "AGENTCHAT_ENGINE_TEST_CRASH"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "engine":
		beEngine()
	case "shop":
		beShop()
	default:
		os.Exit(m.Run())
	}
}

// beEngine answers as Ollama does to who asks for its version, ends at /end, and has started a program of its own that ends with nobody.
func beEngine() {
	if os.Getenv(crashEnv) != "" {
		if _, err := os.ReadFile(os.Getenv(crashEnv)); err == nil {
			_, _ = fmt.Fprintln(os.Stdout, "no room for the model")
			os.Exit(3)
		}
	}
	runner := exec.CommandContext(context.Background(), "sleep", "1000")
	if err := runner.Start(); err != nil {
		os.Exit(4)
	}
	http.HandleFunc("/api/version", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"version":"9.9.9-%d"}`, runner.Process.Pid)
	})
	http.HandleFunc("/end", func(http.ResponseWriter, *http.Request) { os.Exit(5) })
	l, err := net.Listen("tcp", os.Getenv("OLLAMA_HOST"))
	if err != nil {
		os.Exit(6)
	}
	_ = http.Serve(l, nil)
}

// beShop runs an engine until it is killed; it says when the engine runs.
func beShop() {
	e := engine.New(engine.Options{
		Program: os.Args[1], Dir: os.Args[2], LogFile: filepath.Join(os.Args[2], "engine.log"), Wanted: func() bool { return true }, Usual: os.Args[3], Log: zerolog.Nop(),
	})
	e.Start(context.Background())
	if err := e.Bring(context.Background()); err != nil {
		_, _ = fmt.Fprintln(os.Stdout, "failed", err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, "running", e.Addr())
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM)
	<-ends
	e.Stop()
}

// small writes a program that is the small engine.
func small(t *testing.T, env ...string) string {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ollama")
	script := fmt.Sprintf("#!/bin/sh\nexport %s=engine %s\nexec '%s' \"$@\"\n", roleEnv, strings.Join(env, " "), own)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// nobody is an address where nothing listens.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// open runs an engine for the test; states are those it goes through.
func open(t *testing.T, o engine.Options) (e *engine.Engine, changed <-chan struct{}) {
	t.Helper()
	told := make(chan struct{}, 100)
	o.Dir, o.Log = t.TempDir(), zerolog.New(zerolog.NewTestWriter(t))
	o.LogFile = filepath.Join(o.Dir, "engine.log")
	o.Changed = func() { told <- struct{}{} }
	if o.Wanted == nil {
		o.Wanted = func() bool { return true }
	}
	if o.Usual == "" {
		o.Usual = nobody(t)
	}
	e = engine.New(o)
	t.Cleanup(e.Stop)
	return e, told
}

// until waits for a state.
func until(t *testing.T, e *engine.Engine, changed <-chan struct{}, is func(engine.View) bool) engine.View {
	t.Helper()
	for {
		if v := e.View(); is(v) {
			return v
		}
		select {
		case <-changed:
		case <-time.After(time.Minute):
			t.Fatalf("it stays %+v", e.View())
		}
	}
}

func running(v engine.View) bool { return v.State == engine.StateRunning }

// gone waits until a process is no more.
func gone(t *testing.T, fd int) {
	t.Helper()
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(poll, int(time.Minute/time.Millisecond))
		if err == unix.EINTR {
			continue
		}
		if n != 1 || err != nil {
			t.Fatalf("it stays: %d, %v", n, err)
		}
		return
	}
}

// handle names a process so that nobody else can be meant by it.
func handle(t *testing.T, pid int) int {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// runner is what the small engine started.
func runner(t *testing.T, version string) int {
	t.Helper()
	_, pid, _ := strings.Cut(version, "-")
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(version, err)
	}
	return handle(t, n)
}

func TestItRunsAndEndsWithTheShop(t *testing.T) {
	e, changed := open(t, engine.Options{Program: small(t)})
	e.Start(t.Context())
	v := until(t, e, changed, running)
	if v.Addr == "" || e.Addr() != v.Addr || v.Memory == 0 || !strings.HasPrefix(v.Version, "9.9.9") {
		t.Errorf("%+v", v)
	}
	started := runner(t, v.Version)
	e.Stop()
	gone(t, started)
	e.Stop()
}

func TestItIsStartedAgainWhenItEnds(t *testing.T) {
	e, changed := open(t, engine.Options{Program: small(t), Pause: time.Millisecond})
	e.Start(t.Context())
	v := until(t, e, changed, running)
	first := runner(t, v.Version)
	if answer, err := http.Get("http://" + v.Addr + "/end"); err == nil {
		_ = answer.Body.Close()
	}
	v = until(t, e, changed, func(v engine.View) bool { return running(v) && v.Restarts >= 1 })
	gone(t, first)
	if v.Why != "" {
		t.Errorf("%+v", v)
	}
}

func TestItWaitsLongerEachTimeAndCanBeBrought(t *testing.T) {
	crash := filepath.Join(t.TempDir(), "crash")
	if err := os.WriteFile(crash, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e, changed := open(t, engine.Options{Program: small(t, crashEnv+"="+crash), Pause: 200 * time.Millisecond})
	e.Start(t.Context())
	before := time.Now()
	v := until(t, e, changed, func(v engine.View) bool { return v.State == engine.StateWaiting && v.Restarts >= 3 })
	if waited := time.Since(before); waited < 600*time.Millisecond {
		t.Errorf("three ends within %s", waited)
	}
	if v.Why != "no room for the model" || v.Again == 0 || v.Addr != "" {
		t.Errorf("%+v", v)
	}
	if err := e.Bring(t.Context()); apperr.CodeOf(err) != apperr.ProviderRefused {
		t.Error(err)
	}
	if err := os.Remove(crash); err != nil {
		t.Fatal(err)
	}
	if err := e.Bring(t.Context()); err != nil || e.Addr() == "" {
		t.Error(err)
	}
}

// Who has the engine brought while it is just being started is told how their own start ended, not that one.
func TestAStartThatFailsIsNotTheOneThatWasAskedFor(t *testing.T) {
	crash := filepath.Join(t.TempDir(), "crash")
	if err := syscall.Mkfifo(crash, 0o600); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	e, _ := open(t, engine.Options{Program: small(t, crashEnv+"="+crash), Pause: time.Hour, Wanted: func() bool { asked <- struct{}{}; return true }})
	e.Start(t.Context())
	<-asked
	end, err := os.OpenFile(crash, os.O_WRONLY, 0) // the first is there, and ends when this does
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(crash); err != nil {
		t.Fatal(err)
	}
	brought := make(chan error, 1)
	go func() { brought <- e.Bring(t.Context()) }()
	<-asked
	if err := end.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-brought; err != nil || e.Addr() == "" {
		t.Error(err)
	}
}

func TestAPersonsOwnOllamaComesFirst(t *testing.T) {
	theirs, changed := open(t, engine.Options{Program: small(t)})
	theirs.Start(t.Context())
	until(t, theirs, changed, running)
	e, changed := open(t, engine.Options{Program: small(t), Usual: theirs.Addr()})
	e.Start(t.Context())
	if err := e.Bring(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := e.View(); v.State != engine.StateResting || v.Addr != "" {
		t.Errorf("%+v", v)
	}
	theirs.Stop()
	e.Wake() // theirs may be back in a moment: an update ends it for seconds
	if err := e.Bring(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, e, changed, running)
}

func TestItRestsWhileItIsNotWanted(t *testing.T) {
	wanted := make(chan bool, 1)
	wanted <- true
	e, changed := open(t, engine.Options{Program: small(t), Wanted: func() bool { w := <-wanted; wanted <- w; return w }})
	e.Start(t.Context())
	started := runner(t, until(t, e, changed, running).Version)
	<-wanted
	wanted <- false
	e.Wake()
	until(t, e, changed, func(v engine.View) bool { return v.State == engine.StateResting && v.Addr == "" })
	gone(t, started)
	if err := e.Bring(t.Context()); apperr.CodeOf(err) != apperr.NotAvailable {
		t.Error(err)
	}
}

func TestThereMayBeNone(t *testing.T) {
	e, _ := open(t, engine.Options{})
	e.Start(t.Context())
	if v := e.View(); v.State != engine.StateAbsent {
		t.Errorf("%+v", v)
	}
	if err := e.Bring(t.Context()); apperr.CodeOf(err) != apperr.NotAvailable {
		t.Error(err)
	}
}

// shopOf starts this program as a shop with an engine; it gives where that answers.
func shopOf(t *testing.T, program, dir string) (shop *exec.Cmd, addr string) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shop = exec.Command(own, program, dir, nobody(t))
	shop.Env = append(os.Environ(), roleEnv+"=shop")
	out, err := shop.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	shop.Stderr = os.Stderr
	if err := shop.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	said, addr, _ := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || said != "running" {
		t.Fatal(line, err)
	}
	return shop, addr
}

func TestNothingStaysOfAShopThatWasKilled(t *testing.T) {
	shop, _ := shopOf(t, small(t), t.TempDir())
	killed(t, shop, 4) // the guard, what it reads with, the engine, what that started
}

// killed kills a shop and waits until everything is gone that its engine started.
func killed(t *testing.T, shop *exec.Cmd, least int) {
	t.Helper()
	var started []int
	for _, pid := range below(t, shop.Process.Pid) {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) { // one that looked for something, and is over
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = unix.Close(fd) })
		started = append(started, fd)
	}
	if len(started) < least {
		t.Fatalf("only %d programs run", len(started))
	}
	if err := shop.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, fd := range started {
		gone(t, fd)
	}
}

// below are the processes that a process started, and those that these did.
func below(t *testing.T, pid int) (list []int) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for each := range strings.FieldsSeq(string(text)) {
			child, err := strconv.Atoi(each)
			if err != nil {
				t.Fatal(err)
			}
			list = append(append(list, child), below(t, child)...)
		}
	}
	return list
}

func TestNothingStaysOfARealEngineWithAModel(t *testing.T) {
	program, ok := realollama.Find()
	if !ok {
		t.Skip("no real Ollama server here: set OLLAMA_BIN, or put ollama on the PATH")
	}
	shop, addr := shopOf(t, program, t.TempDir())
	server := realollama.At(addr)
	server.Create(t, "tiny", tinygguf.Random(1), "{{ .Prompt }}")
	server.Load(t, "tiny")
	killed(t, shop, 4) // the guard, what it reads with, Ollama, llama-server
}
