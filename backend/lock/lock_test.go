package lock

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
)

const holdVariable = "AGENTCHAT_TEST_HOLD_LOCK"

// TestMain lets the test binary play the second shop: it holds a folder until its input ends, or fails to get it.
func TestMain(m *testing.M) {
	dir := os.Getenv(holdVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := Acquire(dir); err != nil {
		_, _ = os.Stdout.WriteString(string(apperr.CodeOf(err)) + "\n")
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString("held\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// another is a second process that tries to hold a folder.
type another struct {
	*exec.Cmd
	stdin io.Closer
}

// start begins a second process and gives its first line once it has tried.
func start(t *testing.T, dir string) (another, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), holdVariable+"="+dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return another{cmd, stdin}, said
}

func TestSecondProcessIsKeptOut(t *testing.T) {
	dir := t.TempDir()
	held, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, said := start(t, dir)
	if said != "already_running\n" {
		t.Errorf("the second process said %q", said)
	}
	_ = second.Wait()

	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	third, said := start(t, dir)
	if said != "held\n" {
		t.Errorf("after Unlock another process said %q", said)
	}
	_ = third.stdin.Close()
	_ = third.Wait()
}

func TestKilledProcessLetsGo(t *testing.T) {
	dir := t.TempDir()
	holder, said := start(t, dir)
	if said != "held\n" {
		t.Fatalf("the holder said %q", said)
	}
	_, err := Acquire(dir)
	var failure *apperr.Error
	if !errors.As(err, &failure) || failure.Code != apperr.AlreadyRunning {
		t.Fatalf("Acquire beside a holder: %v", err)
	}
	if failure.Fields["pid"] != holder.Process.Pid {
		t.Errorf("the holder is %v, the error says %v", holder.Process.Pid, failure.Fields["pid"])
	}

	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait()
	mine, err := Acquire(dir)
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	if err := mine.Unlock(); err != nil {
		t.Error(err)
	}
}

// Whoever finds the folder taken hears whether that is for a while, or whether the other is just opening or closing.
func TestTheHolderSaysWhetherItIsThereToStay(t *testing.T) {
	dir := t.TempDir()
	mine, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, settled := range []bool{false, true, false} {
		mine.Settled(settled)
		_, err := Acquire(dir)
		var failure *apperr.Error
		if !errors.As(err, &failure) || failure.Fields[FieldSettled] != settled || failure.Fields["pid"] != os.Getpid() {
			t.Errorf("%v is told as %v", settled, err)
		}
	}
	if err := mine.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestSameProcessIsKeptOutToo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on demand")
	first, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(dir); apperr.CodeOf(err) != apperr.AlreadyRunning {
		t.Errorf("a second Acquire: %v", err)
	}
	for range 2 {
		if err := first.Unlock(); err != nil {
			t.Errorf("Unlock: %v", err)
		}
	}
	again, err := Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	// Unlocking the old lock once more must not free the new one.
	_ = first.Unlock()
	if _, err := Acquire(dir); apperr.CodeOf(err) != apperr.AlreadyRunning {
		t.Errorf("an old Unlock freed a new lock: %v", err)
	}
	_ = again.Unlock()
}

func TestImpossibleFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(filepath.Join(file, "below")); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("Acquire below a file: %v", err)
	}
}
