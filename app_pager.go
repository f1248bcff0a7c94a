package main

import (
	"context"

	"agentchat/backend/pager"
	"agentchat/backend/shop"
)

// Pager shows which phones are paired, and whether they can call.
func (a *App) Pager() (pager.View, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (pager.View, error) { return s.Pager() })
}

// InvitePhone makes what one phone is paired with, once and soon.
func (a *App) InvitePhone() (pager.Invitation, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (pager.Invitation, error) { return s.InvitePhone() })
}

// UninvitePhone voids what was made for a phone that did not come.
func (a *App) UninvitePhone() error {
	return run(a, func(_ context.Context, s *shop.Shop) error { s.UninvitePhone(); return nil })
}

// RemovePhone unpairs a phone.
func (a *App) RemovePhone(id string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.RemovePhone(id) })
}
