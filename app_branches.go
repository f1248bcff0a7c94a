package main

import (
	"context"

	"agentchat/backend/branch"
	"agentchat/backend/guest"
	"agentchat/backend/shop"
)

// Branches shows the other shops that were paired.
func (a *App) Branches() (branch.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (branch.View, error) { return s.Branches(ctx) })
}

// InviteBranch makes what one other shop is paired with, which will use the guest's tools within its limits.
func (a *App) InviteBranch(g guest.Guest) (branch.Invitation, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (branch.Invitation, error) { return s.InviteBranch(g) })
}

// UninviteBranch voids it.
func (a *App) UninviteBranch() error {
	return run(a, func(_ context.Context, s *shop.Shop) error { s.UninviteBranch(); return nil })
}

// JoinBranch pairs with the shop at an address that gave the code.
func (a *App) JoinBranch(address, code string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.JoinBranch(ctx, address, code) })
}

// MoveBranch has a shop that lends called at another address.
func (a *App) MoveBranch(id, address string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.MoveBranch(ctx, id, address) })
}

// RemoveBranch unpairs another shop.
func (a *App) RemoveBranch(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveBranch(ctx, id) })
}
