package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhereTheWindowWas(t *testing.T) {
	dir := t.TempDir()
	if p, kept := readPlace(dir); kept || p.Width != firstWidth || p.Height != firstHeight {
		t.Errorf("a new one: %+v, %v", p, kept)
	}
	for text, want := range map[string]bool{
		`{"x":10,"y":20,"width":900,"height":700}`: true, `{"x":-1900,"y":0,"width":900,"height":700,"maximised":true}`: true,
		`{"x":10,"y":20,"width":9,"height":700}`: false, `{"x":1e9,"y":0,"width":900,"height":700}`: false, `{`: false, ``: false, `[]`: false,
	} {
		if err := os.WriteFile(filepath.Join(dir, framePlaceName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, kept := readPlace(dir); kept != want {
			t.Errorf("%s: %v", text, kept)
		}
	}
	at := func(x, y int) framePlace { return framePlace{X: x, Y: y, Width: 900, Height: 700} }
	for p, want := range map[framePlace]bool{at(0, 0): true, at(1000, 400): true, at(1900, 0): false, at(-880, 0): false, at(0, 1070): false, at(0, -5): false} {
		if p.onScreen(1920, 1080) != want {
			t.Errorf("%+v", p)
		}
	}
}
