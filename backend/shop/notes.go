package shop

import (
	"context"

	"agentchat/backend/notes"
)

// Notes gives the notes that hold the words of a query, all of them without one, and the trash. Errors: storage errors.
func (s *Shop) Notes(ctx context.Context, query string) (notes.View, error) {
	return s.notes.View(ctx, query)
}

// AddNote writes a note. Errors: invalid_args, storage errors.
func (s *Shop) AddNote(ctx context.Context, text string) (notes.NoteView, error) {
	n, err := s.notes.Add(ctx, "", text)
	return n.View(), err
}

// EditNote gives a note another text; base is the hash of the text that was edited, "" for whatever is there. Errors:
// not_found, changed, invalid_args, storage errors.
func (s *Shop) EditNote(ctx context.Context, id, text, base string) (notes.NoteView, error) {
	n, err := s.notes.Edit(ctx, "", id, text, base)
	return n.View(), err
}

// DeleteNote puts a note into the trash. Errors: not_found, storage errors.
func (s *Shop) DeleteNote(ctx context.Context, id string) error { return s.notes.Delete(ctx, id) }

// RestoreNote takes a note out of the trash. Errors: not_found, storage errors.
func (s *Shop) RestoreNote(ctx context.Context, id string) error { return s.notes.Restore(ctx, id) }
