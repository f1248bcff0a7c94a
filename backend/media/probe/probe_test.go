package probe

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Every file of testdata holds 2.5 seconds; lossy formats pad a little.
func TestSecondsOfEachFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) < 10 {
		t.Fatalf("testdata: %v %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Seconds(bytes.NewReader(data), int64(len(data)))
		if err != nil || math.Abs(got-2.5) > 0.12 {
			t.Errorf("%s: %.3f s, %v", name, got, err)
		}
	}
}

func TestWhatIsNotMediaIsUnknown(t *testing.T) {
	for _, text := range []string{"", "short", "plain text that is longer than a header", "RIFF\x00\x00\x00\x00WAVE", "OggS\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if s, err := Seconds(bytes.NewReader([]byte(text)), int64(len(text))); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v s, %v", text, s, err)
		}
	}
}

func FuzzSeconds(f *testing.F) {
	files, _ := filepath.Glob("testdata/*")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := Seconds(bytes.NewReader(data), int64(len(data))); err == nil && !(s > 0 && s <= longest) {
			t.Errorf("believed %v s", s)
		}
	})
}
