package main

import (
	"context"
	"fmt"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/footprint"
	"agentchat/backend/shop"
)

// App is what the window may call: one method per thing a person can do. It owns the window and the shop behind it, and
// relays events. Errors reach the window as {code, message, fields}.
type App struct {
	window *window
}

// NewApp makes the app. It opens nothing: Wails also runs main to generate bindings.
func NewApp() *App { return &App{window: newWindow()} }

// call runs one bound method. It waits until the shop is open, and a panic becomes an error: otherwise the window's
// promise would never settle.
func call[T any](a *App, do func(ctx context.Context, s *shop.Shop) (T, error)) (out T, err error) {
	s, err := a.window.shop()
	if err != nil {
		return out, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = apperr.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), apperr.Internal)
			log := s.Log.Component("app")
			log.Error().Err(err).Msg("a bound method panicked")
		}
	}()
	return do(a.window.ctx, s)
}

// run is call for methods that give nothing back.
func run(a *App, do func(ctx context.Context, s *shop.Shop) error) error {
	_, err := call(a, func(ctx context.Context, s *shop.Shop) (struct{}, error) { return struct{}{}, do(ctx, s) })
	return err
}

// chosen is where something is to be written: path, or without one what a person chooses in the system's save dialog, with title above it
// and name as what the file would be called. It is "" when they closed it.
func chosen(ctx context.Context, path, title, name string, filters ...runtime.FileFilter) (string, error) {
	if path != "" {
		return path, nil
	}
	return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{Title: title, DefaultFilename: name, Filters: filters, CanCreateDirectories: true})
}

// settleAfter is how long after its first snapshot a page has asked for all that it begins with.
const settleAfter = 5 * time.Second

// Snapshot is the whole state of the shop. With the first one the start is nearly over: what it took, and nobody needs again, soon
// goes back to the system.
func (a *App) Snapshot() (shop.Snapshot, error) {
	defer a.window.settled.Do(func() { time.AfterFunc(settleAfter, footprint.Settle) })
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.Snapshot, error) { return s.Snapshot(ctx) })
}

// OpenLink opens an http or https address in the system's browser, and nothing else.
func (a *App) OpenLink(address string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error {
		link, err := webAddress(address)
		if err == nil {
			err = s.OpensLink(ctx, link)
		}
		if err == nil {
			runtime.BrowserOpenURL(ctx, link)
		}
		return err
	})
}

// webAddress is an address as a browser may get it: http or https, a host, and no name before an @ that could be taken for
// the host.
func webAddress(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", apperr.Wrap(err, apperr.InvalidArgs, "detail", "http(s)://…")
	}
	return u.String(), nil
}

// SetFocused tells whether the window has the person's attention; without it, questions raise system notifications.
func (a *App) SetFocused(focused bool) {
	a.window.focused.Store(focused)
	select {
	case <-a.window.opened:
		if focused && a.window.notices != nil {
			a.window.notices.look()
		}
	default:
	}
}
