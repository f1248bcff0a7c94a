package main

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"agentchat/backend/event"
	"agentchat/backend/library/extract"
	"agentchat/backend/shop"
)

// Library lists the documents of the library and the imports into it. Whoever looks may bring one, so the reader gets ready.
func (a *App) Library() (shop.LibraryView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.LibraryView, error) {
		s.ReadyReader()
		return s.Library(ctx)
	})
}

// ImportDocuments puts files, and every readable file of folders, into the library as one import, in the background. Kind is
// mine or standard.
func (a *App) ImportDocuments(paths []string, kind string) (event.LibraryImport, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryImport, error) {
		return s.ImportAll(ctx, paths, kind)
	})
}

// ResumeImport goes on with an import that was cancelled.
func (a *App) ResumeImport(id string) (event.LibraryImport, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.LibraryImport, error) {
		return s.ResumeImport(ctx, id)
	})
}

// MarkDocument says whose a document is: mine or standard.
func (a *App) MarkDocument(id, kind string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.MarkDocument(ctx, id, kind) })
}

// CancelImport ends an import; what is in the library already stays.
func (a *App) CancelImport(id string) error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CancelImport(id) })
}

// RemoveDocument takes a document out of the library, and gives what TakeBack takes back.
func (a *App) RemoveDocument(id string) (use string, err error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) { return s.RemoveDocument(ctx, id) })
}

// TakeBack takes back at once what was done by hand.
func (a *App) TakeBack(use string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.TakeBack(ctx, use) })
}

// Document gives a document to read, its text from byte from to byte to (0: its end).
func (a *App) Document(id string, from, to int) (shop.DocumentText, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.DocumentText, error) {
		return s.Document(ctx, id, from, to)
	})
}

// ChooseDocuments asks for files to put into the library; none when nothing was chosen.
func (a *App) ChooseDocuments(title string) ([]string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(ctx, runtime.OpenDialogOptions{
			Title: title, Filters: []runtime.FileFilter{{DisplayName: title, Pattern: extract.Patterns()}},
		})
	})
}
