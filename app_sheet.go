package main

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/shop"
)

// Present says whether the page is in sight from now on, and with it somebody there. Behind the icon in the tray it never is.
func (a *App) Present(is bool) error {
	return run(a, func(_ context.Context, s *shop.Shop) error {
		s.Present(is && !a.window.hidden.Load())
		return nil
	})
}

// Sheet gives what happened while nobody was there, and what waits for a person now.
func (a *App) Sheet() (shop.Sheet, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.Sheet, error) { return s.Sheet(ctx) })
}

// LookedAtSheet says that a person has looked at what the sheet tells.
func (a *App) LookedAtSheet() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.LookedAtSheet(ctx) })
}

// Approve approves each of several questions this once, by the digest of what was shown of it, and tells which of them were not.
func (a *App) Approve(shown []ask.Reply) ([]shop.SheetAnswer, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.SheetAnswer, error) { return s.Approve(ctx, shown) })
}
