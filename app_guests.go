package main

import (
	"context"

	"agentchat/backend/guest"
	"agentchat/backend/shop"
)

// Guests shows the programs that may use the shop's tools, and where they call.
func (a *App) Guests() (shop.GuestsView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.GuestsView, error) { return s.Guests(ctx) })
}

// AddGuest lets a program in and gives its key, which is shown this once.
func (a *App) AddGuest(g guest.Guest) (shop.GuestAdded, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.GuestAdded, error) { return s.AddGuest(ctx, g) })
}

// ChangeGuest gives a program other tools and limits.
func (a *App) ChangeGuest(g guest.Guest) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ChangeGuest(ctx, g) })
}

// RemoveGuest takes a program's key away and stops what it has open.
func (a *App) RemoveGuest(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveGuest(ctx, id) })
}
