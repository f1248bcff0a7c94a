package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/config"
	"agentchat/backend/logging"
	"agentchat/backend/service"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// Settings lists every setting.
func (a *App) Settings() ([]config.Item, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]config.Item, error) { return s.Settings().Settings, nil })
}

// SetSettings changes settings at once and keeps them; null brings back the default. All are changed or none.
func (a *App) SetSettings(values map[string]any) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { _, err := s.SetSettings(values); return err })
}

// Tools lists the manuals of all tools.
func (a *App) Tools() ([]toolbox.Spec, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]toolbox.Spec, error) { return s.Tools(), nil })
}

// ChooseFolder shows the system's folder dialog and gives the chosen path, "" when the person closed it.
func (a *App) ChooseFolder(title string) (string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) (string, error) {
		return runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title, CanCreateDirectories: true})
	})
}

// Logs gives the newest lines of the app's own log, oldest first.
func (a *App) Logs() ([]logging.Line, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]logging.Line, error) { return s.Logs.Subscribe().Next(ctx) })
}

// Services lists the services of the counter, and the manifests that were refused with what to fix.
func (a *App) Services() ([]service.Info, error) {
	return call(a, func(_ context.Context, s *shop.Shop) ([]service.Info, error) { return s.Services(), nil })
}
