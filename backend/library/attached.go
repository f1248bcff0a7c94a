package library

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
)

// Attach has the text of a file that came with a message read, so that it can be looked in by name, and gives its document. Of a content
// that is in the library, or came before, that document is given. The file may go afterwards. Errors: document_refused, storage errors.
func (l *Library) Attach(ctx context.Context, path, name, hash string, bytes int64) (Document, error) {
	d := Document{Path: name, Title: name, Kind: KindAttached, Hash: hash, Bytes: bytes}
	d, _, there, err := l.shelve(ctx, d, path, l.deps.Recognise, func(_ extract.Text, title string) string { return title })
	if err == nil && !there {
		l.meaning.loop.Wake()
	}
	return d, err
}

// Attached gives the document of a content; ok is false when nothing was read of it.
func (l *Library) Attached(ctx context.Context, hash string) (d Document, ok bool, err error) {
	return l.deps.Store.DocumentWithHash(ctx, hash)
}

// Adopt makes a document that came with a message one of the person's own, which stays when the message goes. Errors: not_found,
// storage errors.
func (l *Library) Adopt(ctx context.Context, id string) error {
	d, err := l.deps.Store.Document(ctx, id)
	if err != nil || d.Kind != KindAttached {
		return err
	}
	if err := l.deps.Store.MarkDocument(ctx, id, KindMine); err != nil {
		return err
	}
	l.changed()
	return nil
}

// Text gives the text of a document if it has at most so many bytes; ok is false when it is longer. Errors: not_found, storage errors.
func (l *Library) Text(ctx context.Context, id string, most int) (d Document, text string, ok bool, err error) {
	d, passages, err := l.Pages(ctx, id, 0, most+1)
	if err != nil {
		return d, "", false, err
	}
	var b strings.Builder
	for _, p := range passages {
		b.WriteString(p.Text)
	}
	return d, b.String(), b.Len() <= most, nil
}

// Begins gives the first passages of a document, at most so many. Errors: not_found, storage errors.
func (l *Library) Begins(ctx context.Context, id string, most int) (list []Hit, err error) {
	d, passages, err := l.Pages(ctx, id, 0, beginning)
	for _, p := range passages[:min(len(passages), most)] {
		h := Hit{Passage: p, Document: d}
		if p.Article >= 0 {
			a, err := l.deps.Store.Article(ctx, id, p.Article)
			if err != nil && apperr.CodeOf(err) != apperr.NotFound {
				return nil, err
			}
			h.Article = &a
		}
		list = append(list, h)
	}
	return list, err
}

// beginning is how many bytes of a document are its beginning.
const beginning = 8 << 10
