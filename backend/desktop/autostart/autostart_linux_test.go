package autostart

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/testing/desktopbus"
)

// The file is what the desktop's own validator takes, and says exactly the words that were meant.
func TestTheFileIsOfTheDesktops(t *testing.T) {
	for name, e := range map[string]Entry{
		"plain":         {"/usr/bin/agentchat", []string{"--hidden"}},
		"signs of all":  {`/opt/a "b" $c ` + "`d`" + ` \e 100% 한글/agentchat`, []string{"--hidden", "--data", "/home/나/내 가게"}},
		"no own arg":    {"/usr/bin/agentchat", nil},
		"empty and one": {"/usr/bin/agentchat", []string{"", "x"}},
	} {
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		if on, err := On(); on || err != nil {
			t.Errorf("%s: before: %v, %v", name, on, err)
		}
		if err := Set(true, e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if on, err := On(); !on || err != nil {
			t.Errorf("%s: after: %v, %v", name, on, err)
		}
		path, err := file()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := wordsOf(t, string(text)); strings.Join(got, "|") != strings.Join(append([]string{e.Program}, e.Args...), "|") {
			t.Errorf("%s: it says %q", name, got)
		}
		t.Run(name, func(t *testing.T) {
			desktopbus.Need(t, "desktop-file-validate", "desktop-file-utils")
			if out, err := exec.CommandContext(t.Context(), "desktop-file-validate", path).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s%s", err, out, text)
			}
		})
		// A desktop that switches it off does so in the file.
		for _, off := range []string{"Hidden=true", "X-GNOME-Autostart-enabled=false"} {
			if err := os.WriteFile(path, append(text, []byte(off+"\n")...), 0o600); err != nil {
				t.Fatal(err)
			}
			if on, err := On(); on || err != nil {
				t.Errorf("%s: %s: %v, %v", name, off, on, err)
			}
		}
		for range 2 {
			if err := Set(false, e); err != nil {
				t.Error(err)
			}
		}
		if on, _ := On(); on {
			t.Errorf("%s: it stays", name)
		}
	}
	if err := Set(true, Entry{"/usr/bin/a\nExec=evil", nil}); err == nil {
		t.Error("a path with a line's end was written")
	}
}

func TestAnAppImageIsStartedByItsOwnFile(t *testing.T) {
	t.Setenv("APPIMAGE", filepath.Join("/opt", "Agent.AppImage"))
	if e, err := This("--hidden"); err != nil || e.Program != "/opt/Agent.AppImage" {
		t.Errorf("%+v, %v", e, err)
	}
}

// wordsOf reads Exec as the Desktop Entry Specification says.
func wordsOf(t *testing.T, text string) (words []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "Exec="); ok {
			value = strings.ReplaceAll(value, `\\`, `\`)
			word, in, escaped := "", false, false
			for _, r := range value {
				switch {
				case escaped:
					word, escaped = word+string(r), false
				case in && r == '\\':
					escaped = true
				case r == '"':
					if in {
						words, word = append(words, strings.ReplaceAll(word, "%%", "%")), ""
					}
					in = !in
				case in:
					word += string(r)
				}
			}
		}
	}
	return words
}
