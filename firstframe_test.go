package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePageIsRightBeforeTheShopIsOpen(t *testing.T) {
	page, err := os.ReadFile("frontend/index.html")
	if err != nil {
		t.Fatal(err)
	}
	files := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write(page)
	})
	w := newWindow()
	w.first = firstFrame{lang: "en", theme: "dark", textSize: 150}
	for path, whole := range map[string]bool{"/": true, "/index.html": true, "/assets/other.html": false} {
		answer := httptest.NewRecorder()
		w.writeFirstFrame(files).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		got := answer.Body.String()
		if strings.Contains(got, `<html lang="en" data-theme="dark" style="font-size: 150%">`) != whole || answer.Code != http.StatusOK {
			t.Errorf("%s: %d %.80s", path, answer.Code, got)
		}
		if whole && !strings.HasSuffix(strings.TrimSpace(got), "</html>") {
			t.Errorf("%s is cut: %s", path, got)
		}
	}
}

func TestSettingsAreReadAheadAndLeftAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("AGENTCHAT_DATA", dir)
	file := filepath.Join(dir, "settings.json")
	for text, want := range map[string]firstFrame{
		`{"lang": "en", "theme": "dark", "text_size": 80}`: {lang: "en", theme: "dark", dataDir: dir, textSize: 80},
		`{"lang": "ko"}`: {lang: "ko", theme: "system", dataDir: dir, textSize: 100},
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := (start{}).lookAhead(); got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if err := os.WriteFile(file, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := (start{}).lookAhead(); got.theme != "system" {
		t.Errorf("a broken file: %+v", got)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "{broken" {
		t.Errorf("the broken file was touched: %q, %v", text, err)
	}
	if paper := (firstFrame{lang: "ko", theme: "dark"}).paper(t.Context()); paper.R != 0x1E {
		t.Errorf("dark is not dark: %+v", paper)
	}
}
