package main

import (
	"bytes"
	"context"
	"html"
	"net/http"
	"strconv"

	"github.com/wailsapp/wails/v2/pkg/options"

	"agentchat/backend/config"
	"agentchat/backend/desktop"
)

// firstFrame is what the window must know to be right in its first picture, before the shop is open.
type firstFrame struct {
	lang, theme, dataDir string
	textSize             int // percent
}

// lookAhead reads the settings as the shop will. What is wrong with them the shop tells; here the defaults do.
func (s start) lookAhead() firstFrame {
	c, _, err := config.Load(config.Options{Flags: s.flags, Look: true})
	if err != nil {
		return firstFrame{lang: "ko", theme: "system", textSize: usualText}
	}
	return frameOf(c.Get())
}

func frameOf(s config.Settings) firstFrame {
	return firstFrame{string(s.Lang), s.Theme, s.DataDir, s.TextSize}
}

// paper is the colour of the window until its page is drawn: the one of --paper in tokens.css.
func (f firstFrame) paper(ctx context.Context) *options.RGBA {
	if f.theme == "contrast" {
		return &options.RGBA{A: 255}
	}
	if f.theme == "dark" || f.theme == "system" && desktop.New().Dark(ctx) {
		return &options.RGBA{R: 0x1E, G: 0x1D, B: 0x19, A: 255}
	}
	return &options.RGBA{R: 0xF4, G: 0xF1, B: 0xEA, A: 255}
}

// pageStart is how index.html begins; language and theme are written there.
const pageStart = `<html lang="ko" data-theme="system">`

// usualText is how large letters are before anybody chose.
const usualText = 100

// written is the page with its language, its theme and the size of its letters in it.
func (f firstFrame) written(page []byte) []byte {
	start := `<html lang="` + html.EscapeString(f.lang) + `" data-theme="` + html.EscapeString(f.theme) + `"`
	if f.textSize != usualText {
		start += ` style="font-size: ` + strconv.Itoa(f.textSize) + `%"`
	}
	start += ">"
	return bytes.Replace(page, []byte(pageStart), []byte(start), 1)
}

// writeFirstFrame writes into the page what it must know at once. A page that is loaded again gets what holds by then.
func (w *window) writeFirstFrame(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/" && r.URL.Path != "/index.html" {
			next.ServeHTTP(rw, r)
			return
		}
		answer := &heldAnswer{ResponseWriter: rw, code: http.StatusOK}
		next.ServeHTTP(answer, r)
		page := w.frame().written(answer.body.Bytes())
		rw.Header().Set("Content-Length", strconv.Itoa(len(page)))
		rw.WriteHeader(answer.code)
		_, _ = rw.Write(page)
	})
}

// frame is what holds now.
func (w *window) frame() firstFrame {
	select {
	case <-w.opened:
		if w.open != nil {
			return frameOf(w.open.Config.Get())
		}
	default:
	}
	return w.first
}

// heldAnswer keeps an answer back until it is whole.
type heldAnswer struct {
	http.ResponseWriter
	body bytes.Buffer
	code int
}

// Write implements http.ResponseWriter.
func (a *heldAnswer) Write(text []byte) (int, error) { return a.body.Write(text) }

// WriteHeader implements http.ResponseWriter.
func (a *heldAnswer) WriteHeader(code int) { a.code = code }
