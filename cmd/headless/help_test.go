package main

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"agentchat/backend/about"
	"agentchat/backend/diagnose"
	"agentchat/backend/testing/ledgertest"
)

// A person's words, names, folders and keys stand in no file of the report, whichever way it is made; what the program broke off with does.
func TestTheReportHoldsNoWords(t *testing.T) {
	const word = "수박화채"
	const above = "subakbat" // nothing that an address of memory could be, as the names of temporary folders are
	folder := filepath.Join(t.TempDir(), above, word)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := start(t, dir, "--log-level", "debug", "--model", word)
	s.reads(word+".txt", "제1조 "+word+" 값은 만원이다.\n")
	s.must("open_folder", map[string]any{"path": folder, "write": true}, nil)
	s.must("config", map[string]any{"set": map[string]any{"home_place": word, "openai_base": "http://127.0.0.1:9/" + "subak", "tools.calculator.capacity": 2}}, nil)
	for _, text := range []string{"메모해줘: " + word + " 사기", word + "한테 만원 보내줘", word + " 값이 얼마야?", "3 더하기 4는?"} {
		s.must("say", map[string]any{"text": text}, nil)
	}
	s.must("wait", map[string]any{"until": "idle"}, nil)

	path := filepath.Join(t.TempDir(), "report.zip")
	var told struct{ Parts []diagnose.Part }
	s.must("diagnosis", map[string]any{"path": path}, &told)
	whole := unpacked(t, path)
	for _, p := range told.Parts {
		if whole[p.Name] != p.Text {
			t.Errorf("%s was not saved as it was shown", p.Name)
		}
	}
	if !strings.Contains(whole["counts.txt"], "messages") || !strings.Contains(whole["log.txt"], "shop: the shop is open version="+about.Version) || !strings.Contains(whole["settings.txt"], "workers") {
		t.Errorf("%v", whole)
	}
	nothing(t, whole, word, "subak", above)
	var facts about.Facts
	s.must("about", nil, &facts)
	var licences struct{ Licences []about.Part }
	s.must("licences", nil, &licences)
	if facts.Version != about.Version || facts.Licences < 100 || len(licences.Licences) != facts.Licences || facts.LicencesBytes < 100_000 {
		t.Errorf("%+v", facts)
	}
	if runtime.GOOS == "windows" {
		s.quit()
		return
	}
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil { // what a deadlock that somebody ended looks like
		t.Fatal(err)
	}
	_ = s.gone() // it broke off
	s = start(t, dir)
	var snap struct{ Crashed string }
	s.must("snapshot", nil, &snap)
	if snap.Crashed == "" {
		t.Error("nobody was told that it broke off")
	}
	s.must("crash_seen", nil, nil)
	snap.Crashed = ""
	if s.must("snapshot", nil, &snap); snap.Crashed != "" {
		t.Errorf("told again: %s", snap.Crashed)
	}

	// The command line does the same while the program runs, and when it does not.
	for range 2 {
		saved := filepath.Join(t.TempDir(), "report.zip")
		out := itself(t, "--data", ledgertest.In(dir), "--diagnose", "--save", saved)
		whole := unpacked(t, saved)
		nothing(t, whole, word, "subak", above)
		crashes := 0
		for name, text := range whole {
			if !strings.Contains(out, text) {
				t.Errorf("%s was not shown before", name)
			}
			if strings.HasPrefix(name, "crash-") && strings.Contains(text, "SIGQUIT: quit") && strings.Contains(text, "goroutine ") {
				crashes++
			}
		}
		if crashes != 1 {
			t.Errorf("%d crashes in %v", crashes, whole)
		}
		if s != nil {
			s.quit()
			s = nil
		}
	}
	if out := itself(t, "--version"); !strings.HasPrefix(out, "agentchat "+about.Version) {
		t.Errorf("%q", out)
	}
	if out := itself(t, "--licences"); !strings.Contains(out, "Apache License") {
		t.Error("no licences")
	}
}

// itself runs the front with a question about itself and gives what it prints.
func itself(t *testing.T, args ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe, args...)
	c.Env = append(os.Environ(), child+"=1")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

func unpacked(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(data)
	}
	return files
}

func nothing(t *testing.T, files map[string]string, words ...string) {
	t.Helper()
	for name, text := range files {
		for _, word := range words {
			if strings.Contains(text, word) || strings.Contains(name, word) {
				t.Errorf("%q stands in %s: %s", word, name, text)
			}
		}
	}
}
