package main

import (
	"context"

	"agentchat/backend/notes"
	"agentchat/backend/shop"
)

// Notes gives the notes that hold the words of a query, all of them without one, and the trash.
func (a *App) Notes(query string) (notes.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (notes.View, error) { return s.Notes(ctx, query) })
}

// AddNote writes a note.
func (a *App) AddNote(text string) (notes.NoteView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (notes.NoteView, error) { return s.AddNote(ctx, text) })
}

// EditNote gives a note another text; base is the hash of the text that was edited, so that nothing written meanwhile is lost.
func (a *App) EditNote(id, text, base string) (notes.NoteView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (notes.NoteView, error) {
		return s.EditNote(ctx, id, text, base)
	})
}

// DeleteNote puts a note into the trash; RestoreNote takes it out again.
func (a *App) DeleteNote(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteNote(ctx, id) })
}

// RestoreNote undoes DeleteNote.
func (a *App) RestoreNote(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreNote(ctx, id) })
}
