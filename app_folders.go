package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/shop"
)

// Folders lists the folders that the file tools may enter, and what was thrown away out of them.
func (a *App) Folders() (shop.FoldersView, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (shop.FoldersView, error) { return s.Folders(), nil })
}

// OpenFolder opens a folder to the file tools, or changes whether they may write in it. Without a path it shows the system's
// folder dialog, with title above it; nothing changes when the person closes it.
func (a *App) OpenFolder(path string, write bool, title string) (shop.FoldersView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.FoldersView, error) {
		if path == "" {
			chosen, err := runtime.OpenDirectoryDialog(ctx, runtime.OpenDialogOptions{Title: title, CanCreateDirectories: true})
			if err != nil || chosen == "" {
				return s.Folders(), err
			}
			path = chosen
		}
		return s.OpenFolder(path, write)
	})
}

// CloseFolder closes an opened folder to the file tools.
func (a *App) CloseFolder(path string) (shop.FoldersView, error) {
	return call(a, func(_ context.Context, s *shop.Shop) (shop.FoldersView, error) { return s.CloseFolder(path) })
}

// RestoreTrashed puts something that was thrown away back where it was.
func (a *App) RestoreTrashed(id string) (shop.FoldersView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.FoldersView, error) { return s.RestoreTrashed(ctx, id) })
}
