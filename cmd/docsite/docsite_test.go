package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The site of the real documents: every link in it leads to something that is there, and every word can be found.
func TestTheSite(t *testing.T) {
	site := t.TempDir()
	if err := write("../..", site); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(site, "*.html"))
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	text := map[string]string{}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text[filepath.Base(page)] = string(data)
	}
	links := regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	for page, body := range text {
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			to := m[1]
			if strings.Contains(to, "://") || to == "#" {
				continue
			}
			if strings.HasPrefix(to, "/") {
				t.Errorf("%s: %s does not work from a folder", page, to)
			}
			file, anchor, _ := strings.Cut(to, "#")
			if file == "" {
				file = page
			}
			if _, err := os.Stat(filepath.Join(site, file)); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, to)
			}
			if anchor != "" && !strings.Contains(text[file], `id="`+anchor+`"`) {
				t.Errorf("%s leads to %s, which has no such heading", page, to)
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(site, "search.js"))
	if err != nil {
		t.Fatal(err)
	}
	var index []found
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(string(data), "window.found="), ";")), &index); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"목적지 A로 네비 켜줘", "Tesseract", "make package"} {
		hit := false
		for _, f := range index {
			hit = hit || strings.Contains(f.Text, words)
		}
		if !hit {
			t.Errorf("%q cannot be found", words)
		}
	}
}
