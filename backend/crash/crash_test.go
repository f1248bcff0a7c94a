package crash_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentchat/backend/crash"
)

// TestMain is also the program that breaks off.
func TestMain(m *testing.M) {
	dir, how := os.Getenv("CRASH_DIR"), os.Getenv("CRASH_HOW")
	if dir == "" {
		os.Exit(m.Run())
	}
	k, err := crash.Keep(dir, "1.2.3 (abc) go linux/amd64")
	if err != nil {
		panic(err)
	}
	switch how {
	case "panic":
		go breakOff("엄마한테 보낸 돈")
		select {} // nothing that a panic runs on its way lets the program end well
	case "index":
		var none []int
		_ = none[len(os.Args)]
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		select {}
	}
	if err := k.Close(); err != nil {
		panic(err)
	}
}

func breakOff(words string) { panic("cannot pay: " + words) }

func run(t *testing.T, dir, how string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "CRASH_DIR="+dir, "CRASH_HOW="+how)
	if err := c.Run(); (err == nil) != (how == "well") {
		t.Fatalf("%s: %v", how, err)
	}
}

func reports(t *testing.T, dir string) []crash.Report {
	t.Helper()
	list, err := crash.Reports(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestACrashIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "well")
	run(t, dir, "killed")
	run(t, dir, "well")
	if list := reports(t, dir); len(list) != 0 {
		t.Fatalf("a good end or a kill left %+v", list)
	}
	run(t, dir, "panic")
	run(t, dir, "well")
	list := reports(t, dir)
	if len(list) != 1 || !list[0].New || !strings.Contains(list[0].Text, "breakOff") || time.Since(list[0].At) > time.Hour {
		t.Fatalf("%+v", list)
	}
	shown := crash.Shown(list[0].Text)
	if strings.Contains(shown, "엄마") || strings.Contains(shown, "pay") || !strings.Contains(shown, "panic: (words are left out)") {
		t.Errorf("%s", shown)
	}
	for _, part := range []string{"program: 1.2.3 (abc)", "goroutine ", "crash_test.breakOff(", "crash/crash_test.go:"} {
		if !strings.Contains(shown, part) {
			t.Errorf("%q is missing in\n%s\nof\n%s", part, shown, list[0].Text)
		}
	}
	if err := crash.Seen(dir); err != nil {
		t.Fatal(err)
	}
	if list := reports(t, dir); len(list) != 1 || list[0].New {
		t.Errorf("%+v", list)
	}
}

func TestWhatTheRuntimeSaysIsShown(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "index")
	run(t, dir, "well")
	shown := crash.Shown(reports(t, dir)[0].Text)
	if !strings.Contains(shown, "panic: runtime error: index out of range [1] with length 0") || strings.Contains(shown, "left out") {
		t.Errorf("%s", shown)
	}
}

func TestTheOldestGo(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "crashes")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"20250101T000000Z", "20250102T000000Z", "20250103T000000Z", "20250104T000000Z", "20250105T000000Z"} {
		if err := os.WriteFile(filepath.Join(folder, name+".txt"), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "note.md"), []byte("a person's"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "panic")
	run(t, dir, "well")
	list := reports(t, dir)
	if len(list) != 5 || !list[0].New || list[4].At.Day() != 2 {
		t.Errorf("%+v", list)
	}
	if _, err := os.Stat(filepath.Join(folder, "note.md")); err != nil {
		t.Error(err)
	}
}

// No line that somebody said gets through, whatever stands in it.
func FuzzShown(f *testing.F) {
	f.Add("cannot pay: 엄마")
	f.Add("kim@example.org\ngoroutine 1 [running]:")
	f.Fuzz(func(t *testing.T, said string) {
		const word = "가나다라마"
		if shown := crash.Shown("program: 1\n\npanic: " + word + said + "\n" + said + word + "\n"); strings.Contains(shown, word) {
			t.Errorf("%q", shown)
		}
	})
}
