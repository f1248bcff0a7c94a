// Package attachment keeps the files that people hand in with their messages. A content lies once, under its hash, in a folder beside
// the ledger; what a message says of it is in the message. Files are other people's words, and hostile until they are read.
package attachment

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/library"
)

// Bounds of what is handed in.
const (
	MostFiles  = 10        // with one message
	MostBytes  = 100 << 20 // of a file
	MostPixels = 50 << 20  // of a picture
)

// Folder is the folder of contents inside the data folder.
const Folder = "attachments"

// HeldFor is how long what was handed in waits for its message.
const HeldFor = 7 * 24 * time.Hour

// strayFor is how long a file, or a document, that no row knows of may be one that is being handed in.
const strayFor = time.Hour

// Store keeps what is known of contents. Safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// HoldAttachment keeps what is known of a content, which is held anew as of now.
	HoldAttachment(ctx context.Context, a event.Attachment) error
	// Attachment gives a content, without a name; attachment_gone when there is none.
	Attachment(ctx context.Context, id string) (event.Attachment, error)
	Attachments(ctx context.Context) (ids []string, err error)
	// LooseAttachments are those held last before a moment that belong to no message which is there or could come back: that of a
	// chat which was not deleted before another.
	LooseAttachments(ctx context.Context, held, deleted time.Time) ([]string, error)
	// DropAttachment takes one out, with what was read of it for messages alone; gone is false when it is not loose any more.
	DropAttachment(ctx context.Context, id string, held, deleted time.Time) (gone bool, err error)
	// DropUnattached takes documents out that were read before a moment, for contents that never came to be kept.
	DropUnattached(ctx context.Context, added time.Time) error
	AttachmentUse(ctx context.Context) (count int, bytes int64, err error)
}

// Shelf reads texts and keeps them to be searched.
type Shelf interface {
	Attach(ctx context.Context, path, name, hash string, bytes int64) (library.Document, error)
	Attached(ctx context.Context, hash string) (library.Document, bool, error)
	Adopt(ctx context.Context, document string) error
}

// Deps are the parts a Room works with.
type Deps struct {
	Dir   string // of the contents
	Store Store
	Shelf Shelf
	// Reads tells whether a file's name says that there is text to be read.
	Reads func(name string) bool
	// Backups tells when the oldest backup of the ledger was made, which may name what is gone since; zero for none.
	Backups func(ctx context.Context) (oldest time.Time, err error)
	Now     func() time.Time
	Log     zerolog.Logger
}

// Room keeps contents. Safe for concurrent use.
type Room struct {
	deps    Deps
	reading chan struct{} // holds one while a file is taken in, or let go of
}

// New makes a room. The folder is made when it is needed.
func New(deps Deps) *Room { return &Room{deps: deps, reading: make(chan struct{}, 1)} }

// alone waits until nobody else takes a file in or lets one go, until done is called. Errors: ctx's.
func (r *Room) alone(ctx context.Context) (done func(), err error) {
	select {
	case r.reading <- struct{}{}:
		return func() { <-r.reading }, nil
	case <-ctx.Done():
		return nil, apperr.From(ctx.Err())
	}
}

// Attach takes a file in. Nothing is left of one that is refused. Errors: attachment_refused, which says why and what to do; storage errors.
func (r *Room) Attach(ctx context.Context, path string) (event.Attachment, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return event.Attachment{}, refuse(name, err, "파일이 그 자리에 없어요. 옮겼거나 지웠다면 있는 곳에서 다시 골라 주세요", "it is not there; if it was moved, choose it where it is now")
	case err != nil:
		return event.Attachment{}, unopened(name, err)
	case info.IsDir():
		return event.Attachment{}, refuse(name, nil, "폴더는 메시지에 첨부할 수 없어요. 안의 파일을 첨부하거나 도서관 페이지에 폴더를 놓아 주세요", "a folder cannot be attached; attach the files in it, or drop it on the library page")
	case !info.Mode().IsRegular():
		return event.Attachment{}, refuse(name, nil, "보통 파일이 아니에요. 보통 파일로 복사한 다음 첨부해 주세요", "it is not a regular file; copy it to one and attach that")
	case info.Size() > MostBytes:
		return event.Attachment{}, tooLarge(name)
	}
	file, err := os.Open(path)
	if err != nil {
		return event.Attachment{}, unopened(name, err)
	}
	defer func() { _ = file.Close() }()
	return r.AttachFrom(ctx, name, file)
}

// AttachFrom is Attach of what a reader gives, under a name.
func (r *Room) AttachFrom(ctx context.Context, name string, from io.Reader) (a event.Attachment, err error) {
	done, err := r.alone(ctx)
	if err != nil {
		return a, err
	}
	defer done()
	name = tidy(name)
	in, err := r.receive(name, from)
	if err != nil {
		return a, err
	}
	defer func() { _ = os.Remove(in.path) }() // unless it has its name
	if a, err = r.look(ctx, in); err != nil {
		return a, err
	}
	if err := r.deps.Store.HoldAttachment(ctx, a); err != nil {
		return a, err
	}
	if err := settle(in.path, r.path(a.ID)); err != nil {
		return a, apperr.Wrap(err, apperr.StorageFailed)
	}
	a.Name = name
	return a, nil
}

// Take gives the contents of some names, held anew: a message is about to say that it comes with them. Errors: too_many_attachments,
// attachment_gone, storage errors.
func (r *Room) Take(ctx context.Context, named []event.Attachment) ([]event.Attachment, error) {
	if len(named) > MostFiles {
		return nil, apperr.New(apperr.TooManyAttachments, "limit", MostFiles)
	}
	list := make([]event.Attachment, 0, len(named))
	for _, n := range named {
		a, err := r.deps.Store.Attachment(ctx, n.ID)
		if err == nil {
			err = r.deps.Store.HoldAttachment(ctx, a)
		}
		if err != nil {
			return nil, err
		}
		a.Name, a.From = tidy(n.Name), n.From
		list = append(list, a)
	}
	return list, nil
}

// Documents gives what was read of attachments, in their order, to be searched: nothing of a picture without text, and of none whose
// content is gone. What was taken out of the library meanwhile is read again. Errors: storage errors.
func (r *Room) Documents(ctx context.Context, list []event.Attachment) (documents []event.DocumentRef, err error) {
	for _, a := range list {
		d, there, err := r.deps.Shelf.Attached(ctx, a.ID)
		if err == nil && !there && a.Kind == event.AttachmentText {
			d, err = r.readAgain(ctx, a)
			there = err == nil
		}
		switch code := apperr.CodeOf(err); {
		case err != nil && code != apperr.DocumentRefused && code != apperr.AttachmentGone:
			return nil, err
		case there:
			documents = append(documents, event.DocumentRef{DocumentID: d.ID, Title: a.Name})
		}
	}
	return documents, nil
}

// Keep puts an attachment into the library, where it stays when its message goes. Errors: attachment_gone, document_refused for what has
// no text, storage errors.
func (r *Room) Keep(ctx context.Context, id, name string) (library.Document, error) {
	a, err := r.deps.Store.Attachment(ctx, id)
	if err != nil {
		return library.Document{}, err
	}
	a.Name = tidy(name)
	d, there, err := r.deps.Shelf.Attached(ctx, id)
	switch {
	case err != nil:
		return d, err
	case !there && a.Kind == event.AttachmentImage:
		return d, refuse(a.Name, nil, "글자가 없는 그림이라 도서관에 둘 것이 없어요", "it is a picture without text, so there is nothing for the library to keep")
	case !there:
		if d, err = r.readAgain(ctx, a); err != nil {
			return d, err
		}
	}
	return d, r.deps.Shelf.Adopt(ctx, d.ID)
}

// Content opens a content to be read. Errors: attachment_gone.
func (r *Room) Content(id string) (io.ReadCloser, error) { return r.open(id) }

// Use is how many contents there are, and how many bytes they have.
func (r *Room) Use(ctx context.Context) (count int, bytes int64, err error) {
	return r.deps.Store.AttachmentUse(ctx)
}

// hash is the name of a content.
var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// path is where a content lies.
func (r *Room) path(id string) string { return filepath.Join(r.deps.Dir, id) }

// readAgain reads the text of a content that is kept.
func (r *Room) readAgain(ctx context.Context, a event.Attachment) (library.Document, error) {
	file, err := r.open(a.ID)
	if err != nil {
		return library.Document{}, err
	}
	defer func() { _ = file.Close() }()
	done, err := r.alone(ctx)
	if err != nil {
		return library.Document{}, err
	}
	defer done()
	in, err := r.receive("again."+a.Format, file)
	if err != nil {
		return library.Document{}, err
	}
	defer func() { _ = os.Remove(in.path) }()
	return r.deps.Shelf.Attach(ctx, in.path, a.Name, a.ID, a.Bytes)
}

// open opens a content. Errors: attachment_gone.
func (r *Room) open(id string) (*os.File, error) {
	if !hash.MatchString(id) {
		return nil, apperr.New(apperr.AttachmentGone)
	}
	file, err := os.Open(r.path(id))
	if err != nil {
		return nil, apperr.Wrap(err, apperr.AttachmentGone)
	}
	return file, nil
}
