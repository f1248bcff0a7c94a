package main

import (
	"context"

	"agentchat/backend/service"
	"agentchat/backend/shop"
)

// Services lists the services of the counter, and the manifests that were refused with what to fix.
func (a *App) Services() ([]service.Info, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]service.Info, error) { return s.Services(), nil })
}
