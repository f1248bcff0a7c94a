package main

import (
	"context"

	"agentchat/backend/outbound"
	"agentchat/backend/shop"
	"agentchat/backend/tools/web"
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

// WebSearch tells how searching the web is set up; the key itself is never shown.
func (a *App) WebSearch() (shop.WebSearchView, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (shop.WebSearchView, error) { return s.WebSearch(), nil })
}

// SetWebSearch sets up searching the web. A key that is not given stays as it is, an empty one is forgotten.
func (a *App) SetWebSearch(service web.Service, address string, key *string) (shop.WebSearchView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.WebSearchView, error) {
		return s.SetWebSearch(ctx, service, address, key)
	})
}
