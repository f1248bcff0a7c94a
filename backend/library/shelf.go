package library

import (
	"cmp"
	"context"
	"path/filepath"

	"agentchat/backend/apperr"
	"agentchat/backend/failpoint"
	"agentchat/backend/library/extract"
)

// Shelving is a file of a folder that a shelf follows. Copy is where its content lies to be read, under its own name; Path where it stands in
// the folder; Title what it is called. Hash and Bytes are those of the copy. Pictures says that what takes long to read is read now.
type Shelving struct {
	Copy, Path, Title, Hash string
	Bytes                   int64
	Pictures                bool
}

// TakeIn puts a file of a shelf into the library. there says that its content was in it, and nothing was read; partly
// (document_partly) what of it could not be read. Errors: document_refused, extract.ErrPictures, storage errors, ctx's.
func (l *Library) TakeIn(ctx context.Context, f Shelving) (d Document, there bool, partly *apperr.Error, err error) {
	if failpoint.Enabled {
		failpoint.Hit("library.shelf before")
	}
	read := l.deps.Extract
	if f.Pictures {
		read = l.deps.Recognise
	}
	d = Document{Path: f.Path, Title: f.Title, Kind: KindMine, Hash: f.Hash, Bytes: f.Bytes, Shelved: true}
	d, text, there, err := l.shelve(ctx, d, f.Copy, read, func(text extract.Text, title string) string { return cmp.Or(text.Title, title) })
	if err != nil {
		return d, there, nil, err
	}
	if !there {
		if failpoint.Enabled {
			failpoint.Hit("library.shelf after")
		}
		l.meaning.loop.Wake()
	}
	if len(text.Gaps) > 0 {
		partly = apperr.New(apperr.DocumentPartly, "name", filepath.Base(f.Path), "detail", extract.Unread(text))
	}
	return d, there, partly, nil
}

// LetGo has documents go that no shelf holds any more: drop takes them out of the store and gives which went.
func (l *Library) LetGo(ctx context.Context, drop func(context.Context) ([]string, error)) error {
	return l.meaning.letGo(ctx, drop)
}

// Filled says that shelves were filled or emptied: fronts look again, and finding is made quick again.
func (l *Library) Filled() {
	l.queue.Wake()
	l.changed()
}
