package shop

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/folders"
	"agentchat/backend/library"
)

// A project bounds what its chats reach: of the opened folders those that it names, and of the library the shelves that it names.

type boundsKey struct{}

// scope is the context of a tool that is used for a chat. Errors: storage errors.
func (s *Shop) scope(ctx context.Context, chat string) (context.Context, error) {
	p, ok, err := s.store.ProjectOf(ctx, chat)
	if err != nil || !ok {
		return ctx, err
	}
	if len(p.Shelves) > 0 {
		ctx = context.WithValue(ctx, boundsKey{}, event.ShelfPlace(p.Shelves...))
	}
	return folders.Only(ctx, p.Folders), nil
}

// Bounds implements manager.Librarian.
func (l librarian) Bounds(ctx context.Context, chat string) (place event.DocumentRef, ok bool, err error) {
	p, ok, err := l.shop.store.ProjectOf(ctx, chat)
	if err != nil || !ok || len(p.Shelves) == 0 {
		return place, false, err
	}
	return event.DocumentRef{DocumentID: event.ShelfPlace(p.Shelves...), Title: p.Title}, true, nil
}

// scopedLibrary is the library as tools see it: where they name no document, the shelves of the chat's project.
type scopedLibrary struct{ *library.Library }

func bounded(ctx context.Context, kind library.Kind, document string) string {
	if place, ok := ctx.Value(boundsKey{}).(string); ok && document == "" && kind != library.KindStandard {
		return place
	}
	return document
}

// Search implements the tools' library.
func (l scopedLibrary) Search(ctx context.Context, q library.Query) (library.Result, error) {
	q.Document = bounded(ctx, q.Kind, q.Document)
	return l.Library.Search(ctx, q)
}

// ArticleByNumber implements the tools' library.
func (l scopedLibrary) ArticleByNumber(ctx context.Context, number string, kind library.Kind, document string) ([]library.Found, error) {
	return l.Library.ArticleByNumber(ctx, number, kind, bounded(ctx, kind, document))
}

// ArticleByTitle implements the tools' library.
func (l scopedLibrary) ArticleByTitle(ctx context.Context, title string, kind library.Kind, document string, limit int) ([]library.Found, error) {
	return l.Library.ArticleByTitle(ctx, title, kind, bounded(ctx, kind, document), limit)
}
