//go:build unix

package mcp_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// What a server started holds one end of a pipe; the other end hears when it is gone.
func TestWhatAServerStartsEndsWithIt(t *testing.T) {
	for name, end := range map[string]func(h *house){
		"close": func(h *house) { _ = h.Close() },
		"crash": func(h *house) { _ = h.run(t.Context(), "good__crash", `{}`) },
		"gone":  func(h *house) { h.mount(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, quick)
			leash := filepath.Join(h.dir, "leash")
			if err := syscall.Mkfifo(leash, 0o600); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.OpenFile(leash, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = pipe.Close() }()
			h.consented("good", h.stdio("good", nil))
			if c := h.run(t.Context(), "good__child", `{}`); c.err != nil || c.result.Text != "started" {
				t.Fatalf("%q, %v", c.result.Text, c.err)
			}
			end(h)
			if err := pipe.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			if _, err := pipe.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("it still runs: %v", err)
			}
		})
	}
}
