package main

import (
	"context"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/desktop"
)

// windowDesktop is the desktop as the window reaches it: its clipboard and its way to the browser. Files are opened by the
// system's helper.
type windowDesktop struct {
	*desktop.System
	window context.Context //nolint:containedctx // Wails hands out one context for the life of the window
}

func newWindowDesktop(window context.Context) windowDesktop {
	return windowDesktop{desktop.New(), window}
}

// ReadClipboard gives the text on the clipboard.
func (d windowDesktop) ReadClipboard(context.Context) (string, error) {
	text, err := runtime.ClipboardGetText(d.window) //nolint:contextcheck // the window's own
	if err != nil {
		return "", apperr.Wrap(err, apperr.ToolFailed, "tool", "clipboard", "detail", err.Error())
	}
	if len(text) > desktop.MaxClip {
		text = text[:desktop.MaxClip]
	}
	return strings.ToValidUTF8(text, ""), nil
}

// WriteClipboard puts text on the clipboard.
func (d windowDesktop) WriteClipboard(_ context.Context, text string) error {
	if err := runtime.ClipboardSetText(d.window, text); err != nil { //nolint:contextcheck // the window's own
		return apperr.Wrap(err, apperr.ToolFailed, "tool", "clipboard", "detail", err.Error())
	}
	return nil
}

// Open opens a link in the browser, or a file in the program for it.
func (d windowDesktop) Open(ctx context.Context, target string) error {
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		runtime.BrowserOpenURL(d.window, target) //nolint:contextcheck // the window's own
		return nil
	}
	return d.System.Open(ctx, target)
}
