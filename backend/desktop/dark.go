package desktop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// glance bounds how long the desktop may take to say what it looks like: the window waits for it.
const glance = 150 * time.Millisecond

// Dark tells whether the desktop is set to a dark look, as the page will find it by prefers-color-scheme. The window asks
// before there is a page, so that it comes up in the right colour.
func (s *System) Dark(ctx context.Context) bool {
	switch s.goos {
	case "darwin":
		return strings.TrimSpace(s.glance(ctx, "defaults", "read", "-g", "AppleInterfaceStyle")) == "Dark"
	case "windows":
		return darkWindows()
	}
	// GTK's order: the environment, the desktop's own settings, the file.
	if theme := s.env("GTK_THEME"); theme != "" {
		return darkTheme(theme)
	}
	if s.env("XDG_CURRENT_DESKTOP") != "" {
		if theme := s.glance(ctx, "gsettings", "get", "org.gnome.desktop.interface", "gtk-theme"); theme != "" {
			return darkTheme(strings.Trim(strings.TrimSpace(theme), "'"))
		}
	}
	return s.darkFile()
}

// darkTheme reads a GTK theme's name: Adwaita-dark, Adwaita:dark.
func darkTheme(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "-dark") || strings.HasSuffix(name, ":dark")
}

func (s *System) darkFile() bool {
	dir := s.env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.env("HOME"), ".config")
	}
	text, err := os.ReadFile(filepath.Join(dir, "gtk-3.0", "settings.ini"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.ToLower(strings.TrimSpace(value))
		switch strings.TrimSpace(key) {
		case "gtk-application-prefer-dark-theme":
			if value == "1" || value == "true" {
				return true
			}
		case "gtk-theme-name":
			if darkTheme(value) {
				return true
			}
		}
	}
	return false
}

// glance is what a helper says at once; "" when it is not there, fails or takes its time.
func (s *System) glance(ctx context.Context, name string, args ...string) string {
	program, err := s.look(name)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // one of the two programs named above
	cmd.WaitDelay = glance
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}
