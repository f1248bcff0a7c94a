package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/privatefile"
	"agentchat/backend/shop"
)

// framePlaceName is the file in the data folder that says where the window was and how large.
const framePlaceName = "window.json"

// The window's size at first, and its least.
const (
	firstWidth, firstHeight = 1280, 840
	leastWidth, leastHeight = 720, 520
	mostPixels              = 32_768
)

// framePlace is where the window is and how large.
type framePlace struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// readPlace gives the place that was kept. One that cannot be is as if none was.
func readPlace(dir string) (p framePlace, kept bool) {
	text, err := os.ReadFile(filepath.Join(dir, framePlaceName))
	if err != nil || json.Unmarshal(text, &p) != nil || !p.possible() {
		return framePlace{Width: firstWidth, Height: firstHeight}, false
	}
	return p, true
}

func (p framePlace) possible() bool {
	far := func(n int) bool { return n < -mostPixels || n > mostPixels }
	return p.Width >= leastWidth && p.Height >= leastHeight && !far(p.Width) && !far(p.Height) && !far(p.X) && !far(p.Y)
}

// onScreen tells whether enough of a window at that place is seen to take hold of it: screens come and go.
func (p framePlace) onScreen(width, height int) bool {
	const grip = 80
	return p.X+p.Width >= grip && p.Y >= 0 && p.X <= width-grip && p.Y <= height-grip
}

// putBack moves the window to where it was.
func (w *window) putBack(ctx context.Context) {
	if !w.placeKept {
		return
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil {
		return
	}
	width, height := 0, 0
	for _, s := range screens {
		width, height = width+s.Size.Width, max(height, s.Size.Height)
	}
	if w.place.onScreen(width, height) {
		runtime.WindowSetPosition(ctx, w.place.X, w.place.Y)
	}
	if w.place.Maximised {
		runtime.WindowMaximise(ctx)
	}
}

// KeepPlace keeps where the window is and how large. The page says so when that has changed, so it holds after a kill, too. The size that it has when it
// is not maximised stays.
func (a *App) KeepPlace() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error {
		if a.window.line.is.Load() {
			return nil
		}
		dir := s.Config.Get().DataDir
		p, kept := readPlace(dir)
		if now := runtime.WindowIsMaximised(ctx); now {
			p.Maximised = true
		} else {
			p = framePlace{}
			p.Width, p.Height = runtime.WindowGetSize(ctx)
			p.X, p.Y = runtime.WindowGetPosition(ctx)
		}
		if !p.possible() || kept && p == a.window.place {
			return nil
		}
		text, err := json.Marshal(p)
		if err != nil {
			return err
		}
		a.window.place, a.window.placeKept = p, true
		return privatefile.Write(filepath.Join(dir, framePlaceName), text)
	})
}
