package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"testing"
	"testing/fstest"
)

// What was packed is what the page gets, below the folder it was packed from; without a zip there is no page, and nothing breaks.
func TestWindowFiles(t *testing.T) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{"dist/index.html": "<html>", "dist/assets/window.js": "let a"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	files := windowFiles(fstest.MapFS{"frontend/packed/window.zip": {Data: out.Bytes()}})
	if text, err := fs.ReadFile(files, "dist/assets/window.js"); err != nil || string(text) != "let a" {
		t.Errorf("a script: %q, %v", text, err)
	}
	for name, folder := range map[string]fstest.MapFS{"nothing built": {}, "no zip": {"frontend/packed/window.zip": {Data: []byte("half of one")}}} {
		if _, err := fs.Stat(windowFiles(folder), "dist/index.html"); err == nil {
			t.Errorf("%s: there is a page", name)
		}
	}
}
