package main

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// AddShelf has a folder followed as a shelf of the library; without a title it is called as the folder is, without a rule what is gone is
// asked about.
func (a *App) AddShelf(path, title, rule string) (event.LibraryShelf, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryShelf, error) {
		return s.AddShelf(ctx, path, title, rule)
	})
}

// ChangeShelf gives a shelf another title or rule, or has it follow its folder or not; what is "" stays.
func (a *App) ChangeShelf(id, title, rule, state string) (event.LibraryShelf, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryShelf, error) {
		return s.ChangeShelf(ctx, id, title, rule, state)
	})
}

// RemoveShelf takes a shelf away, its documents with it or not, in the background.
func (a *App) RemoveShelf(id string, documents bool) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RemoveShelf(ctx, id, documents) })
}

// RescanShelf goes through the folder of a shelf now, and has what was refused read again.
func (a *App) RescanShelf(id string) (event.LibraryShelf, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryShelf, error) { return s.RescanShelf(ctx, id) })
}

// SettleShelf answers what becomes of files that are gone from a shelf's folder: with drop their documents leave the library, else they stay.
// mark names those that were shown, path one of them; "": all.
func (a *App) SettleShelf(id, mark, path string, drop bool) (event.LibraryShelf, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryShelf, error) {
		return s.SettleShelf(ctx, id, mark, path, drop)
	})
}

// ShelfFiles lists files of a shelf behind a path ("": from the first), by their paths.
func (a *App) ShelfFiles(id string, filter shop.ShelfFilter, after string, limit int) ([]shop.ShelfFile, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.ShelfFile, error) {
		return s.ShelfFiles(ctx, id, filter, after, limit)
	})
}

// RereadShelfFile has a file read again that was refused or left out.
func (a *App) RereadShelfFile(id, path string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RereadShelfFile(ctx, id, path) })
}
