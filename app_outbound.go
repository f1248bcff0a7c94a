package main

import (
	"context"

	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

// Outbound lists what left this computer, or was kept from it: up to limit entries before an entry's number (0: the newest), newest first.
func (a *App) Outbound(filter outbound.Filter, before int64, limit int) ([]outbound.Entry, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]outbound.Entry, error) {
		return s.Outbound(ctx, filter, before, limit)
	})
}

// OutboundState tells whether anything leaves this computer.
func (a *App) OutboundState() (shop.OutboundState, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.OutboundState, error) { return s.OutboundState(ctx) })
}
