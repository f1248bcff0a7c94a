package main

import (
	"context"

	"agentchat/backend/shop"
	"agentchat/backend/update"
)

// Update tells what is known of newer versions of the program.
func (a *App) Update() (update.View, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (update.View, error) { return s.Update(), nil })
}

// LookForUpdate reads the list of versions now, as the person asked.
func (a *App) LookForUpdate() (update.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (update.View, error) { return s.LookForUpdate(ctx) })
}

// FetchUpdate downloads the package of the newer version; update.changed tells how far it is.
func (a *App) FetchUpdate() (update.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (update.View, error) { return s.FetchUpdate(ctx) })
}

// OpenUpdate opens the package that was downloaded, or its folder where a command installs it.
func (a *App) OpenUpdate() error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.OpenUpdate(ctx) })
}
