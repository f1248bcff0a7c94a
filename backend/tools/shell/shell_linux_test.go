package shell

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// kinds are the two ways a command runs. The sandbox is the real bubblewrap; where this computer forbids it, that is said loudly.
func kinds(t *testing.T, do func(t *testing.T, d Deps)) {
	t.Helper()
	t.Run("sandboxed", func(t *testing.T) {
		bwrap, why, err := New(Deps{}).(*shell).probe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if bwrap == "" {
			t.Skipf("NO SANDBOX WAS TESTED: %s", why.EN)
		}
		do(t, Deps{})
	})
	t.Run("unsandboxed", func(t *testing.T) {
		do(t, Deps{AsRoot: true, LookPath: func(string) (string, error) { return "", exec.ErrNotFound }})
	})
}

type result struct {
	Exit      int
	Output    string
	Cut       bool
	Sandboxed bool
}

// use approves a command and runs it, as the shop does.
func use(ctx context.Context, t *testing.T, d Deps, args map[string]string) (result, toolbox.Preview, error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	tool := New(d)
	call := toolbox.Call{Args: raw, Lang: bilingual.EN}
	shown, err := tool.(toolbox.Previewer).Preview(ctx, call)
	if err != nil {
		return result{}, shown, err
	}
	call.Base = shown.Base
	r, err := tool.Run(ctx, call)
	var got result
	if err == nil {
		if err := json.Unmarshal(r.Data, &got); err != nil {
			t.Fatal(err)
		}
	}
	return got, shown, err
}

func command(text string) map[string]string { return map[string]string{"command": text} }

func TestACommandRuns(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		open := t.TempDir()
		if err := os.WriteFile(filepath.Join(open, "메모.txt"), []byte("내일 회의\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: open, Write: true}} }
		t.Setenv("SECRET_KEY", "hunter2")
		got, shown, err := use(t.Context(), t, d, command(`cat 메모.txt; env; echo oops >&2; echo new > made.txt; pwd; exit 3`))
		if err != nil {
			t.Fatal(err)
		}
		if got.Exit != 3 || !strings.HasPrefix(got.Output, "내일 회의\n") || !strings.Contains(got.Output, "oops\n") || !strings.HasSuffix(got.Output, open) {
			t.Errorf("%+v", got)
		}
		if strings.Contains(got.Output, "hunter2") {
			t.Error("the environment was handed on")
		}
		if text, err := os.ReadFile(filepath.Join(open, "made.txt")); err != nil || string(text) != "new\n" {
			t.Errorf("%q %v", text, err)
		}
		if got.Sandboxed != strings.Contains(shown.Text, "Runs in a sandbox, in "+open) || got.Sandboxed == strings.Contains(shown.Text, "WITHOUT a sandbox") {
			t.Errorf("it said %q", shown.Text)
		}
	})
}

func TestWhatWasShownIsWhatRuns(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		a, b := t.TempDir(), t.TempDir()
		open := []Folder{{Path: a}}
		d.Folders = func(context.Context) []Folder { return open }
		tool := New(d)
		call := toolbox.Call{Args: json.RawMessage(`{"command":"echo ran > ` + filepath.Join(b, "x") + `"}`)}
		shown, err := tool.(toolbox.Previewer).Preview(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		for _, base := range []string{"", shown.Base + "x", shown.Base} {
			open = []Folder{{Path: a}, {Path: b, Write: true}}
			call.Base = base
			if _, err := tool.Run(t.Context(), call); apperr.CodeOf(err) != apperr.Changed {
				t.Errorf("%q: %v", base, err)
			}
		}
		if _, err := os.Stat(filepath.Join(b, "x")); err == nil {
			t.Error("it ran")
		}
	})
}

func TestFolders(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		open, closed := filepath.Join(t.TempDir(), "문서"), t.TempDir()
		if err := os.MkdirAll(filepath.Join(open, "일", "회의"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(closed, filepath.Join(open, "out")); err != nil {
			t.Fatal(err)
		}
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: open}} }
		for asked, want := range map[string]string{"": open, "문서": open, "문서/일/회의": filepath.Join(open, "일", "회의"), open: open, filepath.Join(open, "일"): filepath.Join(open, "일")} {
			args := command("pwd")
			if asked != "" {
				args["folder"] = asked
			}
			if got, _, err := use(t.Context(), t, d, args); err != nil || got.Output != want {
				t.Errorf("%q: %q %v", asked, got.Output, err)
			}
		}
		for _, asked := range []string{closed, "/", "/etc", "..", "문서/..", "문서/../..", open + "/..", open + "x", "문서/out", filepath.Join(open, "out"), "일", "gone"} {
			if _, _, err := use(t.Context(), t, d, map[string]string{"command": "pwd", "folder": asked}); apperr.CodeOf(err) != apperr.ShellUnavailable {
				t.Errorf("%q: %v", asked, err)
			}
		}
	})
	kinds(t, func(t *testing.T, d Deps) { // no folder at all
		if got, shown, err := use(t.Context(), t, d, command("ls -A | wc -l")); err != nil || strings.TrimSpace(got.Output) != "0" || !strings.Contains(shown.Text, "an empty temporary folder") {
			t.Errorf("%+v %q %v", got, shown.Text, err)
		}
	})
}

// What the sandbox holds, tried from inside it.
func TestTheSandboxHolds(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		if d.LookPath != nil {
			return // nothing holds a command there, and the question says so
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		read, write, closed := t.TempDir(), t.TempDir(), t.TempDir()
		secret := filepath.Join(write, "data")
		for _, dir := range []string{read, closed, write, secret} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "words"), []byte("words"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: read}, {Path: write, Write: true}} }
		d.Hidden = []string{secret}
		for name, c := range map[string]struct {
			try string
			ok  bool
		}{
			"reads an open folder":         {"cat " + read + "/words", true},
			"writes a writable folder":     {"echo x > " + write + "/x", true},
			"writes its own scratch":       {"echo x > /tmp/x && cat /tmp/x", true},
			"writes a read-only folder":    {"echo x > " + read + "/x", false},
			"deletes in a read-only one":   {"rm " + read + "/words", false},
			"reads a closed folder":        {"cat " + closed + "/words", false},
			"reads the shop's own data":    {"cat " + secret + "/words", false},
			"reads a home":                 {"ls /root || ls /home", false},
			"reads passwords":              {"cat /etc/shadow", false},
			"writes the system":            {"echo x > /usr/bin/x || echo x > /etc/x || echo x > /x", false},
			"makes a folder at the top":    {"mkdir /new", false},
			"reaches the network":          {"exec 3<>/dev/tcp/127.0.0.1/" + port, false},
			"finds the network by bash":    {"bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + port + "'", false},
			"sees other processes":         {"test -e /proc/" + strconv.Itoa(os.Getpid()) + "/exe && readlink /proc/" + strconv.Itoa(os.Getpid()) + "/exe | grep -q shell.test", false},
			"mounts":                       {"mount -t tmpfs none /tmp", false},
			"makes its folder writable":    {"mount -o remount,rw " + read, false},
			"has a capability":             {"grep -q 'CapEff:.*[1-9a-f]' /proc/self/status", false},
			"has a terminal":               {"test -e /proc/self/fd/0 && tty", false},
			"keeps a whole disk of /tmp":   {"head -c 300000000 /dev/zero > /tmp/big", false},
			"keeps a whole disk of memory": {"head -c 300000000 /dev/zero > /dev/shm/big", false},
		} {
			t.Run(name, func(t *testing.T) {
				got, _, err := use(t.Context(), t, d, command(c.try))
				if err != nil || (got.Exit == 0) != c.ok {
					t.Errorf("%+v %v", got, err)
				}
			})
		}
	})
}

func TestLimits(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		d.Limits = Limits{Time: 2 * time.Minute, Memory: 200 << 20, Processes: 60, File: 1 << 20, Output: 1 << 20}
		for name, c := range map[string]struct{ try, why string }{
			// One that stops by itself: the kernel does not count root's processes, and a test must not be what takes a machine down.
			"a small bomb": {`i=0; while [ $i -lt 120 ]; do sleep 60 & i=$((i+1)); done; wait`, "too many processes"},
			// Less than the kernel lets it have, and it stays: it is watch that finds it, however late it looks.
			"memory":        {`(head -c 250000000 /dev/zero; sleep 600) | tail`, "too much memory"},
			"a flood":       {`yes`, "printed too much"},
			"a silent loop": {`sleep 60`, "did not end within 1.5 s"},
			"a deaf loop":   {`trap "" TERM INT HUP; while :; do sleep 1; done`, "did not end within 1.5 s"},
		} {
			t.Run(name, func(t *testing.T) {
				d := d // limits of its own
				if strings.Contains(c.why, "within") {
					d.Limits.Time = 1500 * time.Millisecond
				}
				if strings.Contains(c.why, "processes") { // as the kernel sees root's: it is watch that counts
					d.threads = func(user int) int { return threadsOf(user) + 1000 }
				}
				_, _, err := use(t.Context(), t, d, command(c.try))
				if apperr.CodeOf(err) != apperr.ShellStopped || !strings.Contains(apperr.From(err).Text(bilingual.EN), c.why) {
					t.Errorf("error %v", err)
				}
			})
		}
		open := t.TempDir()
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: open, Write: true}} }
		others := 0 // what runs besides, which comes and goes
		d.threads = func(user int) int { others = threadsOf(user); return others }
		got, _, err := use(t.Context(), t, d, command(`head -c 5000000 /dev/zero > big; cat /proc/self/limits`))
		if err != nil {
			t.Fatal(err)
		}
		for what, most := range map[string]int{"Max processes": others + 60, "Max core file size": 0, "Max address space": 400 << 20, "Max open files": 1024, "Max cpu time": 122} {
			_, line, _ := strings.Cut(got.Output, what)
			if n, err := strconv.Atoi(strings.Fields(line + " ?")[0]); err != nil || n > most {
				t.Errorf("%s: %.60q, want at most %d", what, line, most)
			}
		}
		if info, err := os.Stat(filepath.Join(open, "big")); err != nil || info.Size() > 1<<20 {
			t.Errorf("a file of %v %v", info, err)
		}
	})
}

// waitFor writes its process number down once it runs, wherever it went.
const waitFor = `(setsid sh -c 'echo $$ > %s; exec sleep 600' >/dev/null 2>&1 </dev/null &) `

// gone tells whether no process carries the mark of a command.
func gone(owner string) bool {
	for _, p := range processes() {
		if carries(p.id, markPrefix(owner)) {
			return false
		}
	}
	return true
}

func TestChildrenThatWentOffOnTheirOwnEnd(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		open := t.TempDir()
		d.Owner = "test-" + filepath.Base(open)
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: open, Write: true}} }
		try := strings.Replace(waitFor, "%s", "one", 1) + "\n" + strings.Replace(waitFor, "%s", "two", 1) + "\nwhile ! test -s one || ! test -s two; do :; done; echo done"
		got, _, err := use(t.Context(), t, d, command(try))
		if err != nil || got.Output != "done" {
			t.Fatalf("%+v %v", got, err)
		}
		if !gone(d.Owner) {
			t.Error("something of it still runs")
		}
	})
}

func TestCancelEndsEverything(t *testing.T) {
	kinds(t, func(t *testing.T, d Deps) {
		open := t.TempDir()
		d.Owner = "test-" + filepath.Base(open)
		d.Folders = func(context.Context) []Folder { return []Folder{{Path: open, Write: true}} }
		signal := filepath.Join(open, "ready")
		if err := exec.CommandContext(t.Context(), "mkfifo", signal).Run(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			_, _ = os.ReadFile(signal) // until the command says that it runs
		}()
		_, _, err := use(ctx, t, d, command(strings.Replace(waitFor, "%s", "one", 1)+"\nwhile ! test -s one; do :; done; echo > ready; sleep 600"))
		if apperr.CodeOf(err) != apperr.InDoubt {
			t.Errorf("error %v", err)
		}
		if !gone(d.Owner) {
			t.Error("something of it still runs")
		}
	})
}

// What a killed shop left behind is ended by the next one of the same name, and by no other.
func TestTheNextStartEndsWhatACrashLeft(t *testing.T) {
	owner := "test-" + filepath.Base(t.TempDir())
	// A process that has just become another program shows no variables for a moment: it runs once it says so.
	orphan := exec.Command("/bin/sh", "-c", "echo; read -r _")
	orphan.Env = []string{marked(owner, "earlier")}
	if _, err := orphan.StdinPipe(); err != nil { // which keeps it waiting
		t.Fatal(err)
	}
	runs, err := orphan.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := orphan.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	New(Deps{Owner: owner + "-other"})
	if gone(owner) {
		t.Error("another shop's command was ended")
	}
	New(Deps{Owner: owner})
	if err := orphan.Wait(); err == nil || !gone(owner) {
		t.Errorf("it still runs: %v", err)
	}
}

// A process is looked at while it becomes another program, and shows no variables then: it is not taken for somebody else's for good.
func TestWhatIsSeenInBetweenIsNotForgotten(t *testing.T) {
	mark := marked("test-"+filepath.Base(t.TempDir()), "one")
	late := exec.Command("/bin/sh", "-c", `read -r _; AGENTCHAT_SHELL="$0" exec /bin/sh -c 'echo; read -r _'`, strings.TrimPrefix(mark, "AGENTCHAT_SHELL="))
	late.Env = []string{}
	late.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := late.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := late.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := late.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = late.Wait() }()
	f := &family{root: -1, mark: mark + "\x00", known: map[process]bool{}, other: map[process]bool{}}
	belongs := func() bool {
		return slices.ContainsFunc(f.members(), func(p process) bool { return p.id == late.Process.Pid })
	}
	if belongs() {
		t.Error("it carries no mark")
	}
	if _, err := io.WriteString(in, "\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if !belongs() {
		t.Error("it carries the mark, and was forgotten")
	}
}

func TestASandboxThatCannotBeMadeIsSaid(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "bwrap")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, shown, err := use(t.Context(), t, Deps{AsRoot: true, LookPath: func(string) (string, error) { return broken, nil }}, command("echo hi"))
	if err != nil || got.Sandboxed || got.Output != "hi" || !strings.Contains(shown.Text, "WITHOUT a sandbox") || !strings.Contains(shown.Text, "does not let bubblewrap") {
		t.Errorf("%+v %q %v", got, shown.Text, err)
	}
}

func TestRootNeedsASandbox(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: only root can see what root is refused")
	}
	none := Deps{LookPath: func(string) (string, error) { return "", exec.ErrNotFound }}
	if _, _, err := use(t.Context(), t, none, command("echo hi")); apperr.CodeOf(err) != apperr.ShellUnavailable {
		t.Errorf("error %v", err)
	}
}

func TestProcessNamesMayHoldAnything(t *testing.T) {
	p, ok := readProcess(7, []byte("7 (a) S 1 (x) R) S 5 6 6 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 9 0 4711 1000 33 18446744073709551615"))
	if !ok || p != (process{id: 7, began: 4711, parent: 5, group: 6, pages: 33, threads: 9}) {
		t.Errorf("%+v %v", p, ok)
	}
	for _, text := range []string{"", "7 (x", "7 (x) Z 1 1 1", "7 (x) S"} {
		if _, ok := readProcess(7, []byte(text)); ok {
			t.Errorf("%q was read", text)
		}
	}
}

func TestOutputIsKeptInBothEnds(t *testing.T) {
	o := newOutput(1 << 30)
	o.take([]byte("first\n"))
	for range 20000 {
		o.take([]byte("안녕하세요 \x1b[31m빨강\x00\n"))
	}
	o.take([]byte("last"))
	text, cut := o.text()
	if !cut || !strings.HasPrefix(text, "first\n안녕하세요 [31m빨강\n") || !strings.HasSuffix(text, "last") || len(text) > keepHead+keepTail+200 || strings.ContainsAny(text, "\x00\x1b") {
		t.Errorf("%d bytes: %.80q … %.80q", len(text), text, text[len(text)-80:])
	}
}
