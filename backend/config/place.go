package config

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"agentchat/backend/language/bilingual"
)

// host is what the defaults depend on: the person's system, home and environment.
type host struct {
	os   string // runtime.GOOS
	home string
	env  map[string]string
}

func hostOf(environ []string) host {
	h := host{os: runtime.GOOS, env: map[string]string{}}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			h.env[name] = value
		}
	}
	h.home = h.env["HOME"]
	if h.os == "windows" {
		h.home = h.env["USERPROFILE"]
	}
	if h.home == "" {
		h.home, _ = os.UserHomeDir()
	}
	return h
}

// dataDir is the folder where the shop keeps its ledger, settings and logs when the person names none. It follows each system's
// custom (on Linux the XDG base directories) and is not created here.
func (h host) dataDir() string {
	const name = "agentchat"
	switch h.os {
	case "windows":
		if local := h.env["LOCALAPPDATA"]; local != "" {
			return filepath.Join(local, name)
		}
		return filepath.Join(h.home, "AppData", "Local", name)
	case "darwin":
		return filepath.Join(h.home, "Library", "Application Support", name)
	}
	if data := h.env["XDG_DATA_HOME"]; filepath.IsAbs(data) {
		return filepath.Join(data, name)
	}
	return filepath.Join(h.home, ".local", "share", name)
}

func (h host) musicDir() string { return h.mediaDir("XDG_MUSIC_DIR", "Music") }

func (h host) videoDir() string {
	if h.os == "darwin" {
		return filepath.Join(h.home, "Movies")
	}
	return h.mediaDir("XDG_VIDEOS_DIR", "Videos")
}

// mediaDir finds a media folder under its local name (such as ~/음악), which Linux desktops keep in user-dirs.dirs.
func (h host) mediaDir(variable, fallback string) string {
	fallback = filepath.Join(h.home, fallback)
	if h.os == "windows" || h.os == "darwin" {
		return fallback
	}
	settings := h.env["XDG_CONFIG_HOME"]
	if !filepath.IsAbs(settings) {
		settings = filepath.Join(h.home, ".config")
	}
	dirs, err := os.ReadFile(filepath.Join(settings, "user-dirs.dirs"))
	if err != nil {
		return fallback
	}
	lines := bufio.NewScanner(bytes.NewReader(dirs))
	for lines.Scan() {
		quoted, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), variable+"=")
		if !ok {
			continue
		}
		dir := strings.Trim(quoted, `"`)
		if rest, ok := strings.CutPrefix(dir, "$HOME"); ok {
			dir = filepath.Join(h.home, rest)
		}
		// A desktop that has no such folder points the variable at the home itself.
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) && dir != filepath.Clean(h.home) {
			return dir
		}
	}
	return fallback
}

// lang is the language of the person's system. A system without one (C, POSIX or nothing) gets Korean.
func (h host) lang() string {
	locale := h.env["LC_ALL"]
	for _, name := range []string{"LC_MESSAGES", "LANG"} {
		if locale == "" {
			locale = h.env[name]
		}
	}
	locale, _, _ = strings.Cut(strings.ToLower(locale), ".")
	if locale == "" || locale == "c" || locale == "posix" || strings.HasPrefix(locale, "ko") {
		return string(bilingual.KO)
	}
	return string(bilingual.EN)
}

// ollama is where Ollama's own tools look for the server, so that one OLLAMA_HOST serves them all.
func (h host) ollama() string {
	if value, wrong := ollamaAddress(h.env["OLLAMA_HOST"]); wrong == nil {
		return value.(string)
	}
	return "http://127.0.0.1:" + ollamaPort
}
