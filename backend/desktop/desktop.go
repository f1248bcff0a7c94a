// Package desktop reaches what belongs to the person's desktop and not to the shop: the clipboard, the browser and the
// programs that open files. It starts the system's own helpers; where there are none it says so.
package desktop

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// MaxClip is how many bytes of the clipboard are read at most.
const MaxClip = 1 << 20

// helperTimeout bounds how long a helper may take.
const helperTimeout = 5 * time.Second

// System is the desktop as the system's own helpers reach it. Its zero value is not ready; use New. Safe for concurrent use.
type System struct {
	look func(program string) (string, error)
	env  func(name string) string
	goos string
}

// New makes the desktop of this computer.
func New() *System { return &System{look: exec.LookPath, env: os.Getenv, goos: runtime.GOOS} }

// helper is a program with its arguments.
type helper []string

// The helpers of each system, the first that is there is used. Those of Linux go by what kind of screen there is.
var (
	openers = map[string][]helper{
		"linux": {{"xdg-open"}}, "darwin": {{"open"}}, "windows": {{"rundll32", "url.dll,FileProtocolHandler"}},
	}
	readers = map[string][]helper{"wayland": {{"wl-paste", "--no-newline"}}, "x11": {{"xclip", "-selection", "clipboard", "-o"}, {"xsel", "--clipboard", "--output"}}, "darwin": {{"pbpaste"}}}
	writers = map[string][]helper{"wayland": {{"wl-copy"}}, "x11": {{"xclip", "-selection", "clipboard", "-i"}, {"xsel", "--clipboard", "--input"}}, "darwin": {{"pbcopy"}}}
)

var (
	clipboard = bilingual.Of("클립보드 쓰기와 읽기", "use the clipboard")
	opening   = bilingual.Of("링크와 파일 열기", "open links and files")
)

// ReadClipboard gives the text on the clipboard, at most MaxClip bytes. Error: no_desktop.
func (s *System) ReadClipboard(ctx context.Context) (string, error) {
	program, args, err := s.pick(s.screens(readers), clipboard, "wl-clipboard / xclip")
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, helperTimeout)
	defer cancel()
	var out capped
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // one of the helpers above
	cmd.Stdout, cmd.WaitDelay = &out, time.Second
	if err := cmd.Run(); err != nil && out.kept.Len() == 0 {
		var exit *exec.ExitError
		if errors.As(err, &exit) && ctx.Err() == nil {
			return "", nil // the helpers fail so when the clipboard holds no text
		}
		return "", apperr.Wrap(err, apperr.ToolFailed, "tool", "clipboard", "detail", program)
	}
	return strings.ToValidUTF8(out.kept.String(), ""), nil
}

// WriteClipboard puts text on the clipboard. Error: no_desktop.
func (s *System) WriteClipboard(ctx context.Context, text string) error {
	program, args, err := s.pick(s.screens(writers), clipboard, "wl-clipboard / xclip")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, helperTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // one of the helpers above
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(text), time.Second
	// The helper leaves a child behind that serves the text; it gets no pipe that would have to be waited for.
	if err := cmd.Run(); err != nil {
		return apperr.Wrap(err, apperr.ToolFailed, "tool", "clipboard", "detail", program)
	}
	return nil
}

// Open opens a link in the browser, or a file by its absolute path in the program for it. Error: no_desktop.
func (s *System) Open(ctx context.Context, target string) error {
	list := openers[s.goos]
	if s.goos == "linux" && s.env("WAYLAND_DISPLAY") == "" && s.env("DISPLAY") == "" {
		list = nil // a browser would begin in a terminal nobody looks at
	}
	program, args, err := s.pick(list, opening, "xdg-utils")
	if err != nil {
		return err
	}
	// The helper may become the browser itself: it is left alone once it has had its time to fail.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, append(args, target)...) //nolint:gosec // a helper above, and what a person approved
	if err := cmd.Start(); err != nil {
		return apperr.Wrap(err, apperr.ToolFailed, "tool", "open", "detail", program)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late := time.NewTimer(helperTimeout)
	defer late.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return apperr.Wrap(err, apperr.ToolFailed, "tool", "open", "detail", program)
		}
	case <-late.C:
	case <-ctx.Done():
	}
	return nil
}

// screens are the helpers of this computer's kind of screen.
func (s *System) screens(all map[string][]helper) (list []helper) {
	if s.goos != "linux" {
		return all[s.goos]
	}
	if s.env("WAYLAND_DISPLAY") != "" {
		list = append(list, all["wayland"]...)
	}
	if s.env("DISPLAY") != "" {
		list = append(list, all["x11"]...)
	}
	return list
}

func (s *System) pick(list []helper, what bilingual.Text, need string) (program string, args []string, err error) {
	for _, h := range list {
		if path, err := s.look(h[0]); err == nil {
			return path, append([]string(nil), h[1:]...), nil
		}
	}
	return "", nil, apperr.New(apperr.NoDesktop, "what", what, "need", need)
}

// capped keeps the first MaxClip bytes and lets the rest pass.
type capped struct{ kept bytes.Buffer }

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	if room := MaxClip - c.kept.Len(); room > 0 {
		_, _ = c.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
