package main

import (
	"context"

	"agentchat/backend/shop"
	"agentchat/backend/standing"
)

// StandingOrders lists all standing orders with what became of their last moments, the oldest first.
func (a *App) StandingOrders() ([]shop.StandingOrder, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.StandingOrder, error) { return s.StandingOrders(ctx) })
}

// DoStanding pauses or resumes a standing order, runs it now, skips its next moment or deletes it, and gives it as it is then.
func (a *App) DoStanding(id string, verb standing.Verb) (shop.StandingOrder, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.StandingOrder, error) {
		return s.DoStanding(ctx, id, verb)
	})
}

// RemoveStanding deletes a standing order, and gives what TakeBack takes back.
func (a *App) RemoveStanding(id string) (use string, err error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.RemoveStanding(ctx, id) })
}

// ChangeStanding changes when a standing order runs, as words say it, and what becomes of moments that pass unseen; "" leaves either as it is.
func (a *App) ChangeStanding(id, when, missed string) (shop.StandingOrder, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.StandingOrder, error) {
		return s.ChangeStanding(ctx, id, when, missed)
	})
}
