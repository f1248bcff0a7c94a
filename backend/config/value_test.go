package config

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/language/bilingual"
)

func TestModelTimeouts(t *testing.T) {
	for text, want := range map[string]ModelTimeouts{
		"connect=5s,first=120s,gap=30s":    DefaultModelTimeouts,
		"gap=1.5s, first=2m ,connect=10ms": {10 * time.Millisecond, 2 * time.Minute, 1500 * time.Millisecond},
		"first=1h":                         {5 * time.Second, time.Hour, 30 * time.Second},
	} {
		got, err := ParseModelTimeouts(text)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", ",", "connect", "connect=", "connect=5", "connect=-5s", "connect=0s", "connect=25h", "first=1ns", "connect=5s,", "connect=5s,connect=6s",
		"Connect=5s", "total=5s", "connect=5s;first=1s", "connect = 5s", "connect=5s first=1s", "connect==5s",
	} {
		if got, err := ParseModelTimeouts(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
	same(t, "text", DefaultModelTimeouts.String(), "connect=5s,first=120s,gap=30s")
}

func FuzzModelTimeouts(f *testing.F) {
	for _, text := range []string{"connect=5s,first=120s,gap=30s", "gap=1.5s", "", "connect=5s,,", "first=1h2m3.004s", "gap=9999999999h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseModelTimeouts(text)
		if err != nil {
			return
		}
		for _, d := range []time.Duration{parsed.Connect, parsed.First, parsed.Gap} {
			if d < minTimeout || d > maxTimeout {
				t.Errorf("%q: %v", text, parsed)
			}
		}
		if again, err := ParseModelTimeouts(parsed.String()); err != nil || again != parsed {
			t.Errorf("%q became %q, which is %v, %v", text, parsed, again, err)
		}
	})
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:11434/": "http://127.0.0.1:11434", "https://models.example.com": "https://models.example.com", "box": "http://box:11434",
		"box:9": "http://box:9", ":9": "http://127.0.0.1:9", "0.0.0.0": "http://127.0.0.1:11434", "0.0.0.0:9": "http://127.0.0.1:9",
		"[::1]:9": "http://[::1]:9", "http://box/ollama/": "http://box/ollama",
	} {
		if got, wrong := ollamaAddress(text); wrong != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, wrong)
		}
	}
	for _, bad := range []any{"", " ", "http://", "ftp://box", "http://kim:pw@box", "kim@box", "http://box:99999", "http://box?x=1", "a b", "http://box:x", 5, nil} {
		if got, wrong := ollamaAddress(bad); wrong == nil {
			t.Errorf("%v was taken as %v", bad, got)
		}
	}
	if got, wrong := address(""); wrong != nil || got != "" {
		t.Errorf("no address: %v, %v", got, wrong)
	}
}

func TestLanguageOfTheSystem(t *testing.T) {
	for environ, want := range map[string]string{
		"": "ko", "LANG=ko_KR.UTF-8": "ko", "LANG=en_US.UTF-8": "en", "LANG=C": "ko", "LANG=C.UTF-8": "ko", "LANG=POSIX": "ko", "LANG=de_DE": "en",
		"LANG=en_US.UTF-8 LC_ALL=ko_KR.UTF-8": "ko", "LC_MESSAGES=en_GB LANG=ko_KR.UTF-8": "en", "LC_ALL= LANG=en_US": "en",
	} {
		c, _ := load(t, Options{DataDir: t.TempDir(), Env: strings.Fields(environ)})
		same(t, environ, c.Get().Lang, bilingual.Lang(want))
	}
}

func TestFoldersFollowTheSystem(t *testing.T) {
	home := t.TempDir()
	linux := host{os: "linux", home: home, env: map[string]string{}}
	same(t, "data", linux.dataDir(), filepath.Join(home, ".local/share/agentchat"))
	same(t, "music", linux.musicDir(), filepath.Join(home, "Music"))
	linux.env["XDG_DATA_HOME"] = filepath.Join(home, "data")
	same(t, "data", linux.dataDir(), filepath.Join(home, "data/agentchat"))
	linux.env["XDG_DATA_HOME"] = "relative"
	same(t, "data", linux.dataDir(), filepath.Join(home, ".local/share/agentchat"))

	if err := os.Mkdir(filepath.Join(home, ".config"), 0o700); err != nil {
		t.Fatal(err)
	}
	dirs := "# made by the desktop\nXDG_MUSIC_DIR=\"$HOME/음악\"\nXDG_VIDEOS_DIR=\"$HOME/\"\n"
	if err := os.WriteFile(filepath.Join(home, ".config", "user-dirs.dirs"), []byte(dirs), 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, "music", linux.musicDir(), filepath.Join(home, "음악"))
	same(t, "videos", linux.videoDir(), filepath.Join(home, "Videos"))

	same(t, "mac data", host{os: "darwin", home: home}.dataDir(), filepath.Join(home, "Library/Application Support/agentchat"))
	same(t, "mac videos", host{os: "darwin", home: home}.videoDir(), filepath.Join(home, "Movies"))
	same(t, "windows data", host{os: "windows", home: home}.dataDir(), filepath.Join(home, "AppData/Local/agentchat"))
	same(t, "windows data", host{os: "windows", env: map[string]string{"LOCALAPPDATA": "L"}}.dataDir(), filepath.Join("L", "agentchat"))
	if here := hostOf(os.Environ()).dataDir(); !filepath.IsAbs(here) {
		t.Errorf("the data folder is %s", here)
	}

	for text, want := range map[string]string{"~": home, "~/노래": filepath.Join(home, "노래"), home + "/a/../b": filepath.Join(home, "b")} {
		got, wrong := folder(home)(text)
		if wrong != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, wrong)
		}
	}
}

func TestOllamaHostOfTheSystemIsTheDefault(t *testing.T) {
	c, _ := load(t, Options{DataDir: t.TempDir(), Env: []string{"OLLAMA_HOST=box:9"}})
	same(t, "address", c.Get().OllamaHost, "http://box:9")
	same(t, "source", item(t, c, "ollama_host").Source, SourceDefault)
	c, _ = load(t, Options{DataDir: t.TempDir(), Env: []string{"OLLAMA_HOST=box:9", "AGENTCHAT_OLLAMA_HOST=http://mine:1"}})
	same(t, "address", c.Get().OllamaHost, "http://mine:1")
}

func TestFlagsAreThoseOfTheProtocol(t *testing.T) {
	fs := flag.NewFlagSet("agentchat", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	given := RegisterFlags(fs)
	var names []string
	fs.VisitAll(func(f *flag.Flag) {
		names = append(names, f.Name)
		if f.Usage == "" {
			t.Errorf("--%s has no help", f.Name)
		}
	})
	want := []string{"data", "config", "provider", "model", "ollama-host", "workers", "pace", "lang", "model-timeouts", "openai-base", "log-level"}
	slices.Sort(want)
	same(t, "flags", names, want)

	dir := t.TempDir()
	err := fs.Parse([]string{
		"--data", dir, "--provider=builtin", "--model", "m", "--ollama-host=box", "--workers", "8", "--pace=100", "--lang", "en",
		"--model-timeouts", "connect=1s,first=2s,gap=3s", "--openai-base=http://b/v1", "--log-level=debug",
	})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := load(t, Options{Flags: given()})
	s := c.Get()
	same(t, "settings", []any{s.DataDir, s.Provider, s.Model, s.OllamaHost, s.Workers, s.Pace, s.Lang, s.ModelTimeouts.String(), s.OpenAIBase, s.LogLevel},
		[]any{dir, "builtin", "m", "http://box:11434", 8, 100.0, bilingual.EN, "connect=1s,first=2s,gap=3s", "http://b/v1", "debug"})
}

func TestNumbersAndAnswers(t *testing.T) {
	for _, good := range []any{8, int64(8), 8.0, "8", " 8 ", "8.0", "0.8e1"} {
		if got, wrong := whole(1, 64)(good); wrong != nil || got != 8 {
			t.Errorf("%#v: %v, %v", good, got, wrong)
		}
	}
	for _, bad := range []any{0, 65, 8.5, "", "eight", "0x8", "inf", "NaN", true, nil, []any{8}, "8 9"} {
		if got, wrong := whole(1, 64)(bad); wrong == nil {
			t.Errorf("%#v was taken as %v", bad, got)
		}
	}
	for raw, want := range map[any]any{true: true, "TRUE": true, "on": true, "1": true, false: false, "no": false, "0": false} {
		if got, wrong := yesNo(raw); wrong != nil || got != want {
			t.Errorf("%#v: %v, %v", raw, got, wrong)
		}
	}
}
