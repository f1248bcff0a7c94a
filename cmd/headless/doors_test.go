package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/cli"
	"agentchat/backend/event"
	"agentchat/backend/front"
	"agentchat/backend/testing/ledgertest"
)

// commandOn is the program with a command, on a data folder.
func commandOn(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), child+"=1", "AGENTCHAT_DATA_DIR="+dir, "AGENTCHAT_PROVIDER=builtin", "AGENTCHAT_LANG=ko")
	return cmd
}

// command runs one and gives what it wrote and how it ended.
func command(t testing.TB, dir, in string, args ...string) (out, said string, code int) {
	t.Helper()
	cmd := commandOn(t, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if in != "" {
		cmd.Stdin = strings.NewReader(in)
	}
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

func has(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: %q is not in %q", what, part, text)
	}
}

// Commands speak to the shop that is open, on its ledger, and say by a number how it ended.
func TestCommandsBesideAnOpenShop(t *testing.T) {
	s := start(t, t.TempDir())
	out, said, code := command(t, s.dir, "", "ask", "12", "곱하기", "12")
	if has(t, "the answer", out, "= 144"); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	s.await("the same on the other front", func(l line) bool {
		return l.Kind == event.KindJobReport && strings.Contains(string(l.Data), "= 144")
	})

	s.must("config", map[string]any{"set": map[string]any{"tools.calculator.confirm": "always"}}, nil)
	_, said, code = command(t, s.dir, "", "ask", "--no-input", "3 더하기 4")
	if has(t, "who is waited for", said, "answer "); code != cli.Waits {
		t.Errorf("%d: %s", code, said)
	}
	out, _, code = command(t, s.dir, "", "jobs")
	if has(t, "jobs", out, "기다림"); code != cli.Done {
		t.Error(code)
	}
	out, _, _ = command(t, s.dir, "", "answer")
	_, handle, _ := strings.Cut(out, " answer ")
	handle, _, _ = strings.Cut(handle, " ")
	name, digest, _ := strings.Cut(handle, "@")
	for _, wrong := range []string{name, name + "@" + strings.Repeat("0", len(digest)), "nobody"} { // what was shown must be named, as it was shown
		if _, _, code = command(t, s.dir, "", "answer", wrong, "approve"); code != cli.Misspelt {
			t.Errorf("%s: %d", wrong, code)
		}
	}
	if _, said, code = command(t, s.dir, "", "answer", handle, "1"); code != cli.Done {
		t.Fatalf("%d: %s", code, said)
	}
	s.await("it was done", func(l line) bool { return l.Kind == event.KindJobReport && strings.Contains(string(l.Data), "= 7") })

	_, _, code = command(t, s.dir, "", "ask", "--no-input", "8 더하기 9")
	if code != cli.Waits {
		t.Error(code)
	}
	if _, said, code = command(t, s.dir, "", "stop", "3"); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	file := filepath.Join(t.TempDir(), "대화.md")
	if _, said, code = command(t, s.dir, "", "export", file); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte("144")) {
		t.Errorf("%s, %v", text, err)
	}

	out, _, code = command(t, s.dir, "", "ask", "--json", "--no-input", "1 더하기 2")
	last := out[strings.LastIndex(strings.TrimSuffix(out, "\n"), "\n")+1:]
	var end struct {
		Kind string
		Data struct {
			Outcome string
			Code    int
			Asks    []event.AskOpened
		}
	}
	if err := json.Unmarshal([]byte(last), &end); err != nil || end.Kind != "outcome" || end.Data.Outcome != "waits" || end.Data.Code != code || len(end.Data.Asks) != 1 {
		t.Errorf("%s: %v", last, err)
	}
	s.quit()
}

// A counter's question is answered by its button, and by none that was not shown.
func TestAButtonIsPressedFromTheCommandLine(t *testing.T) {
	s := start(t, t.TempDir())
	_, said, code := command(t, s.dir, "", "ask", "엄마한테 만원 보내줘")
	if has(t, "what can be pressed", said, "--press service:confirm:"); code != cli.Waits {
		t.Errorf("%d: %s", code, said)
	}
	if _, _, code = command(t, s.dir, "", "ask", "응 보내"); code == cli.Done { // a yes of one to whom nothing was shown
		t.Error("money moved for a yes to nothing")
	}
	_, button, _ := strings.Cut(said, "--press ")
	button, _, _ = strings.Cut(button, "\n")
	out, said, code := command(t, s.dir, "", "ask", "--press", button)
	if has(t, "what was done", out, "완료"); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	s.quit()
}

// Without an open shop a command opens one, and what it leaves is there for the next. Of two at the same time one comes in at the other's.
func TestCommandsWithoutAShop(t *testing.T) {
	dir := ledgertest.In(t.TempDir())
	var all sync.WaitGroup
	for _, sum := range [][2]string{{"2 더하기 3", "= 5"}, {"20 더하기 30", "= 50"}, {"4 더하기 4", "= 8"}} {
		all.Go(func() {
			out, said, code := command(t, dir, "", "ask", sum[0])
			if has(t, sum[0], out, sum[1]); code != cli.Done {
				t.Errorf("%d: %s", code, said)
			}
		})
	}
	all.Wait()
	out, _, _ := command(t, dir, "", "jobs", "--all", "--json")
	if n := strings.Count(out, `"state":"succeeded"`); n != 3 {
		t.Errorf("%d of 3 jobs are there: %s", n, out)
	}
	if _, err := front.Dial(dir); err == nil {
		t.Error("a shop is still open")
	}
}

// What is piped in comes as an attachment, or is what is said.
func TestAPipeIsRead(t *testing.T) {
	s := start(t, t.TempDir())
	out, said, code := command(t, s.dir, "제1조 계약 기간은 3년으로 한다.\n제2조 위약금은 100만원이다.\n", "ask", "위약금은 얼마야?")
	if has(t, "of the contract", out, "100만원"); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	out, _, code = command(t, s.dir, "30 더하기 12\n", "ask")
	if has(t, "what was said", out, "= 42"); code != cli.Done {
		t.Error(code)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, front.Folder, "input-*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, _, code = command(t, s.dir, strings.Repeat("길다 ", 4000), "ask"); code != cli.Misspelt {
		t.Error(code)
	}
	// One that is too long is refused, and nothing is said.
	big := commandOn(t, s.dir, "ask", "요약해줘")
	big.Stdin = io.LimitReader(endless{}, 101<<20)
	var wrong bytes.Buffer
	big.Stderr = &wrong
	if err := big.Run(); err == nil || big.ProcessState.ExitCode() != cli.Failed {
		t.Errorf("%v: %s", err, wrong.String())
	}
	has(t, "too long", wrong.String(), "100MB")
	s.quit()
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "가나 "[i%7]
	}
	return len(p), nil
}

// A command that is killed in the middle takes nothing with it.
func TestACommandIsKilled(t *testing.T) {
	s := start(t, t.TempDir())
	cmd := commandOn(t, s.dir, "ask", "목적지 부산으로 네비 켜줘")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	job := s.await("its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	s.holds(job, "nav")
	out, _, _ := command(t, s.dir, "", "jobs")
	has(t, "it goes on", out, "부산")
	if _, said, code := command(t, s.dir, "", "stop", "1"); code != cli.Done {
		t.Errorf("%d: %s", code, said)
	}
	s.becomes(job, "canceled")
	s.quit()
}

// Whose output nobody reads waits by itself; the shop does not.
func TestAFullPipe(t *testing.T) {
	s := start(t, t.TempDir())
	cmd := commandOn(t, s.dir, "ask", "--json", "2 더하기 2")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 40 { // far more than the pipe of the other holds, were it all its own
		if _, said, code := command(t, s.dir, "", "ask", "5 더하기 5"); code != cli.Done {
			t.Fatalf("%d: %s", code, said)
		}
	}
	text, err := io.ReadAll(out)
	if err == nil {
		err = cmd.Wait()
	}
	if has(t, "what it asked for", string(text), "= 4"); err != nil {
		t.Error(err)
	}
	s.quit()
}

// Work that was called off elsewhere ends the command that asked for it, with a number of its own.
func TestCalledOffElsewhere(t *testing.T) {
	s := start(t, t.TempDir())
	cmd := commandOn(t, s.dir, "ask", "노래 틀어줘")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	job := s.await("its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job
	s.holds(job, "song")
	s.must("cancel", map[string]any{"job": job}, nil)
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != cli.CalledOff {
		t.Error(cmd.ProcessState)
	}
	s.quit()
}

// When the shop closes, a command that waits says that its work goes on.
func TestTheShopClosesMeanwhile(t *testing.T) {
	s := start(t, t.TempDir())
	cmd := commandOn(t, s.dir, "ask", "노래 틀어줘")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.holds(s.await("its job", func(l line) bool { return l.Kind == event.KindJobCreated }).Job, "song")
	s.quit()
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != cli.GoesOn {
		t.Error(cmd.ProcessState)
	}
}

// What a command line may get wrong.
func TestWrongCommandLines(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"ask"}, {"ask", "--nope", "x"}, {"stop"}, {"export"}, {"completion", "csh"}, {"help", "nothing"}, {"ask", "--timeout", "soon", "x"}} {
		if _, said, code := command(t, dir, "", args...); code != cli.Misspelt || said == "" {
			t.Errorf("%q: %d, %s", args, code, said)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("a shop was opened: %v, %v", list, err)
	}
	if out, _, code := command(t, dir, "", "help"); code != cli.Done || !strings.Contains(out, "completion") {
		t.Errorf("%d: %s", code, out)
	}
}

// The shells complete commands, and what the open shop has.
func TestCompletion(t *testing.T) {
	s := start(t, t.TempDir())
	s.wish("노래 틀어줘")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "agentchat-headless")
	if err := os.Symlink(exe, bin); err != nil {
		t.Skip(err)
	}
	run := func(shell string, flags ...string) string {
		cmd := commandOn(t, s.dir)
		cmd.Path, cmd.Args = shell, append([]string{shell}, flags...)
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", shell, err)
		}
		return string(out)
	}
	script, _, _ := command(t, s.dir, "", "completion", "bash")
	for typed, want := range map[string]string{"st": "stop", "stop ": "1\nreply", "completion z": "zsh", "ask --ti": "--timeout"} {
		words := strings.Split("agentchat-headless "+typed, " ")
		args := append([]string{"-c", script + `
COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _agentchat_headless agentchat-headless; printf '%s\n' "${COMPREPLY[@]}"`, "bash"}, words...)
		if got := strings.TrimSpace(run("/bin/bash", args...)); got != want {
			t.Errorf("bash: %q: %q, not %q", typed, got, want)
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue // where the shell is not, its script is only known to be written
		}
		script, _, _ := command(t, s.dir, "", "completion", shell)
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if shell == "fish" {
			has(t, "fish", run(path, "-N", "-c", "source "+file+"; complete -C 'agentchat-headless st'"), "stop\t")
			continue
		}
		_ = run(path, "-n", file) // it is sound
	}
	s.quit()
}
