package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"agentchat/backend/apperr"
)

func open(t *testing.T, o Options) *Log {
	t.Helper()
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestNoPlaceSeesASecret(t *testing.T) {
	var console bytes.Buffer
	file := filepath.Join(t.TempDir(), "logs", "agentchat.log")
	stream := NewStream(10)
	l := open(t, Options{File: file, Console: &console, Stream: stream})
	logger := l.Component("provider")
	logger.Info().Str("api_key", "hunter2").Str("job", "7").Err(errors.New("dial http://kim:hunter2@host")).
		Msg("sent Authorization: Bearer hunter2hunter2")

	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := stream.Subscribe().Next(t.Context())
	shown, _ := json.Marshal(lines)
	for place, got := range map[string]string{"file": string(text), "console": console.String(), "stream": string(shown)} {
		if strings.Contains(got, "hunter2") || !strings.Contains(got, Redacted) {
			t.Errorf("%s: %s", place, got)
		}
		if !strings.Contains(got, "provider") || !strings.Contains(got, "sent Authorization") || strings.Count(got, "\n") > 1 {
			t.Errorf("%s lost its line: %s", place, got)
		}
	}
	if lines[0].Component != "provider" || lines[0].Level != "info" || lines[0].Time.IsZero() || lines[0].Fields["job"] != "7" {
		t.Errorf("the stream's line: %+v", lines[0])
	}
}

func TestFileIsPrivateEvenIfItWasNot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows keeps files private by the folder's rights")
		return
	}
	file := filepath.Join(t.TempDir(), "agentchat.log")
	if err := os.WriteFile(file, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{File: file})
	logger := l.Component("test")
	logger.Info().Msg("new")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	text, _ := os.ReadFile(file)
	if !strings.HasPrefix(string(text), "old\n{") {
		t.Errorf("the file holds %s", text)
	}
}

func TestLevelChangesForAllLoggers(t *testing.T) {
	var console bytes.Buffer
	l := open(t, Options{Level: "warn", Console: &console})
	logger := l.Component("a").With().Str("more", "1").Logger()
	logger.Info().Msg("first")
	if err := l.SetLevel("debug"); err != nil {
		t.Fatal(err)
	}
	logger.Debug().Msg("second")
	if err := l.SetLevel("error"); err != nil {
		t.Fatal(err)
	}
	logger.Warn().Msg("third")
	logger.Error().Msg("fourth")
	if got := console.String(); strings.Contains(got, "first") || strings.Contains(got, "third") ||
		!strings.Contains(got, "second") || !strings.Contains(got, "fourth") {
		t.Errorf("got %s", got)
	}
	if err := l.SetLevel("loud"); apperr.CodeOf(err) != apperr.InvalidSetting {
		t.Errorf("a level that is none: %v", err)
	}
}

func TestOpeningFails(t *testing.T) {
	if _, err := New(Options{Level: "loud"}); apperr.CodeOf(err) != apperr.InvalidSetting {
		t.Errorf("level: %v", err)
	}
	if _, err := New(Options{File: filepath.Join(os.Args[0], "below a file")}); apperr.CodeOf(err) != apperr.StorageFailed {
		t.Errorf("file: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestOneBrokenPlaceDoesNotSilenceTheOthers(t *testing.T) {
	stream := NewStream(10)
	if _, err := (redactor{tee{failing{}, stream}}).Write([]byte("{\"message\":\"kept\"}\n")); err == nil {
		t.Error("the failure was lost")
	}
	if lines, _ := stream.Subscribe().Next(t.Context()); messages(lines) != "kept" {
		t.Errorf("got %s", messages(lines))
	}
}

func TestManyGoroutinesLog(t *testing.T) {
	var console bytes.Buffer
	stream := NewStream(1000)
	l := open(t, Options{Console: &console, Stream: stream, File: filepath.Join(t.TempDir(), "a.log")})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			logger := l.Component("busy")
			for range 50 {
				logger.Info().Msg("line")
				_ = l.SetLevel("info")
			}
		})
	}
	all.Wait()
	if lines, _ := stream.Subscribe().Next(t.Context()); len(lines) != 400 {
		t.Errorf("%d lines in the stream", len(lines))
	}
	if n := strings.Count(console.String(), "\n"); n != 400 {
		t.Errorf("%d lines on the console", n)
	}
}

func BenchmarkBelowLevel(b *testing.B) {
	l, err := New(Options{Stream: NewStream(0)})
	if err != nil {
		b.Fatal(err)
	}
	logger := l.Component("bench")
	b.ReportAllocs()
	for b.Loop() {
		logger.Debug().Str("job", "1").Msg("nothing")
	}
}

func BenchmarkLine(b *testing.B) {
	l, err := New(Options{Stream: NewStream(0), File: filepath.Join(b.TempDir(), "a.log")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	logger := l.Component("bench")
	b.ReportAllocs()
	for b.Loop() {
		logger.Info().Str("job", "0192f").Int("todo", 3).Msg("노래를 재생해요")
	}
}
