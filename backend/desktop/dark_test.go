package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTheWindowKnowsTheDesktopsLook(t *testing.T) {
	settings := func(text string) string {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "gtk-3.0"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "gtk-3.0", "settings.ini"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	darkFile := settings("[Settings]\ngtk-theme-name=Breeze\ngtk-application-prefer-dark-theme = true\n")
	says := func(words string) string {
		program := filepath.Join(t.TempDir(), "gsettings")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+words+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return program
	}
	for name, c := range map[string]struct {
		env       map[string]string
		gsettings string
		dark      bool
	}{
		"nothing is known":         {env: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}},
		"the environment":          {env: map[string]string{"GTK_THEME": "Adwaita:dark"}, dark: true},
		"which beats the file":     {env: map[string]string{"GTK_THEME": "Adwaita", "XDG_CONFIG_HOME": darkFile}},
		"the file":                 {env: map[string]string{"XDG_CONFIG_HOME": darkFile}, dark: true},
		"a dark theme in the file": {env: map[string]string{"XDG_CONFIG_HOME": settings("gtk-theme-name=Adwaita-dark")}, dark: true},
		"the desktop":              {env: map[string]string{"XDG_CURRENT_DESKTOP": "GNOME"}, gsettings: says(`echo "'Yaru-dark'"`), dark: true},
		"which beats the file too": {env: map[string]string{"XDG_CURRENT_DESKTOP": "GNOME", "XDG_CONFIG_HOME": darkFile}, gsettings: says(`echo "'Yaru'"`)},
		"a desktop that says nothing": {
			env: map[string]string{"XDG_CURRENT_DESKTOP": "KDE", "XDG_CONFIG_HOME": darkFile}, gsettings: says("exit 1"), dark: true,
		},
	} {
		s := &System{
			goos: "linux",
			env:  func(key string) string { return c.env[key] },
			look: func(string) (string, error) {
				if c.gsettings == "" {
					return "", errors.New("not there")
				}
				return c.gsettings, nil
			},
		}
		if got := s.Dark(t.Context()); got != c.dark {
			t.Errorf("%s: dark %v", name, got)
		}
	}
}
