package desktop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// helpers are programs of the test's own in the place of the system's.
func helpers(t *testing.T, scripts map[string]string) func(string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string) (string, error) {
		path := filepath.Join(dir, name)
		_, err := os.Stat(path)
		return path, err
	}
}

func screen(name string) func(string) string {
	return func(v string) string {
		if v == name {
			return ":1"
		}
		return ""
	}
}

func TestTheSystemsHelpers(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell for the helpers")
	}
	kept := filepath.Join(t.TempDir(), "kept")
	s := &System{goos: "linux", env: screen("DISPLAY"), look: helpers(t, map[string]string{
		"xclip":    `if [ "$3" = -i ]; then cat > '` + kept + `'; else cat '` + kept + `'; fi`,
		"xdg-open": `printf %s "$1" > '` + kept + `.opened'`,
	})}
	if text, err := s.ReadClipboard(t.Context()); err != nil || text != "" {
		t.Errorf("an empty clipboard: %q, %v", text, err)
	}
	want := "우유 $(touch x) `y`\n; 'z'"
	if err := s.WriteClipboard(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if text, err := s.ReadClipboard(t.Context()); err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
	if err := s.Open(t.Context(), "https://example.com/?a=1&b=$(x)"); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(kept + ".opened"); err != nil || string(raw) != "https://example.com/?a=1&b=$(x)" {
		t.Errorf("%q, %v", raw, err)
	}
	if err := os.WriteFile(kept, []byte(strings.Repeat("x", MaxClip+100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := s.ReadClipboard(t.Context()); err != nil || len(text) != MaxClip {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestWithoutADesktop(t *testing.T) {
	none := helpers(t, nil)
	all := helpers(t, map[string]string{"xclip": "true", "wl-copy": "true", "wl-paste": "true", "xdg-open": "true"})
	for name, s := range map[string]*System{
		"no screen":   {goos: "linux", env: screen(""), look: all},
		"no helpers":  {goos: "linux", env: screen("DISPLAY"), look: none},
		"another one": {goos: "plan9", env: screen("DISPLAY"), look: all},
	} {
		_, read := s.ReadClipboard(t.Context())
		for _, err := range []error{read, s.WriteClipboard(t.Context(), "x"), s.Open(t.Context(), "https://example.com")} {
			if apperr.CodeOf(err) != apperr.NoDesktop || strings.Contains(apperr.From(err).Text(bilingual.KO), "{") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	broken := &System{goos: "linux", env: screen("DISPLAY"), look: helpers(t, map[string]string{"xclip": "exit 1", "xdg-open": "exit 3"})}
	for _, err := range []error{broken.WriteClipboard(t.Context(), "x"), broken.Open(t.Context(), "https://example.com")} {
		if apperr.CodeOf(err) != apperr.ToolFailed {
			t.Error(err)
		}
	}
}
