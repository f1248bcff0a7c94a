package shop

import (
	"context"
	"encoding/base64"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/attachment"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/manager"
	"agentchat/backend/outbound"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/tools/web"
)

// openAttachments opens the room of what is handed in with messages.
func (s *Shop) openAttachments(now func() time.Time) {
	s.attachments = attachment.New(attachment.Deps{
		Dir: filepath.Join(filepath.Dir(s.store.Path()), attachment.Folder), Store: s.store, Shelf: s.library, Reads: extract.Known, Backups: s.oldestBackup,
		Now: now, Log: s.Log.Component("attachments"),
	})
}

// oldestBackup is when the oldest backup was made; zero when there is none.
func (s *Shop) oldestBackup(ctx context.Context) (time.Time, error) {
	copies, err := s.store.Backups(ctx)
	if err != nil || len(copies) == 0 {
		return time.Time{}, err
	}
	return copies[len(copies)-1].At, nil
}

// Attach takes a file in that is to be said with a message. Errors: attachment_refused, storage errors.
func (s *Shop) Attach(ctx context.Context, path string) (event.Attachment, error) {
	return s.attachments.Attach(ctx, path)
}

// AttachFrom is Attach of what a reader gives, under a name.
func (s *Shop) AttachFrom(ctx context.Context, name string, from io.Reader) (event.Attachment, error) {
	return s.attachments.AttachFrom(ctx, name, from)
}

// Words are what a customer says with files.
type Words struct {
	Chat        string             `json:"chat"`
	Text        string             `json:"text"`
	Document    string             `json:"document"` // the one that is asked about; empty: none
	Seen        string             `json:"seen"`     // the mark of the confirmation that the front was showing
	Attachments []event.Attachment `json:"attachments"`
}

// SayWith takes a message that comes with files that were handed in; it may have no words. Errors: those of Say and SayAbout,
// too_many_attachments, attachment_gone.
func (s *Shop) SayWith(ctx context.Context, w Words) (event.ChatMessage, error) {
	s.readIns.expect(w.Chat)
	return s.manager.SayWith(ctx, w.Chat, w.Text, w.Document, w.Seen, w.Attachments)
}

// KeepAttachment puts an attachment into the library under its name, where it stays when its message goes. Errors: attachment_gone,
// attachment_refused for a picture without text, storage errors.
func (s *Shop) KeepAttachment(ctx context.Context, id, name string) (DocumentView, error) {
	d, err := s.attachments.Keep(ctx, id, name)
	return viewOfDocument(d), err
}

// thumbnail is how many pixels a side a picture has beside a message.
const thumbnail = 320

// AttachmentPicture gives an attached picture as an address that holds it: small, or as large as it is shown. Errors: attachment_gone.
func (s *Shop) AttachmentPicture(ctx context.Context, id string, large bool) (string, error) {
	data, err := []byte(nil), error(nil)
	if large {
		data, err = s.attachments.Picture(ctx, id)
	} else {
		data, err = s.attachments.Thumbnail(ctx, id, thumbnail)
	}
	if err != nil {
		return "", err
	}
	return jpegAddress(data), nil
}

// jpegAddress is an address that holds a picture.
func jpegAddress(data []byte) string {
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data)
}

// AnswerPicture fetches a picture that an answer in a chat names by its address, as a person asked for it, and gives it as an address that
// holds it. Nothing is kept of it here. Errors: address_refused, picture_failed, nothing_leaves, offline, timeout.
func (s *Shop) AnswerPicture(ctx context.Context, chat, address string) (string, error) {
	data, err := s.pictures.Get(outbound.With(ctx, outbound.Cause{Chat: chat, Words: []string{address}}), address)
	if err != nil {
		return "", err
	}
	picture, err := s.attachments.Shown(ctx, data)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil || picture == nil:
		return "", web.NoPicture(address, err)
	}
	return jpegAddress(picture), nil
}

// AttachmentDocument gives the id of the document that was read of an attachment, to be opened. Errors: attachment_gone, storage errors.
func (s *Shop) AttachmentDocument(ctx context.Context, id, name string) (string, error) {
	a, err := s.attachments.Take(ctx, []event.Attachment{{ID: id, Name: name}})
	if err != nil {
		return "", err
	}
	documents, err := s.attachments.Documents(ctx, a)
	if err == nil && len(documents) == 0 {
		err = apperr.New(apperr.AttachmentGone)
	}
	if err != nil {
		return "", err
	}
	return documents[0].DocumentID, nil
}

// AttachmentsView is what can be handed in, and how much there is.
type AttachmentsView struct {
	Texts    []string `json:"texts"`    // formats that text is read out of, as people call them: of these the library takes files, too
	Pictures []string `json:"pictures"` // formats of pictures
	Most     int      `json:"most"`     // files with one message
	Largest  int64    `json:"largest"`  // bytes of a file
	Count    int      `json:"count"`    // contents that are kept
	Bytes    int64    `json:"bytes"`    // they have
}

// Attachments says what can be handed in, and how much there is. Errors: storage errors.
func (s *Shop) Attachments(ctx context.Context) (v AttachmentsView, err error) {
	v = AttachmentsView{Texts: textFormats(), Pictures: attachment.PictureFormats, Most: attachment.MostFiles, Largest: attachment.MostBytes}
	v.Count, v.Bytes, err = s.attachments.Use(ctx)
	return v, err
}

// textFormats are the formats that text is read out of, as people call them.
func textFormats() []string {
	var names []string
	for _, f := range extract.Formats() {
		if f.Family != extract.FamilyPicture {
			names = append(names, strings.ToUpper(f.Key))
		}
	}
	return names
}

// AttachmentPattern is what the names of files are like that can be handed in, as dialogs of systems take it.
func AttachmentPattern() string {
	endings := slices.Clone(attachment.PictureEndings)
	for _, f := range extract.Formats() {
		endings = append(endings, f.Endings...)
	}
	slices.Sort(endings)
	endings = slices.Compact(endings)
	for i, ending := range endings {
		endings[i] = "*" + ending
	}
	return strings.Join(endings, ";")
}

// sweepAttachments lets go of what belongs to nothing any more.
func (s *Shop) sweepAttachments(ctx context.Context) error {
	return s.attachments.Sweep(ctx, s.now().Add(-manager.ChatTrashFor))
}

// whole are those documents that a request to the model has room for, all of each; none where no model is on duty.
func (s *Shop) whole(ctx context.Context, documents []event.DocumentRef) (items []library.Item, err error) {
	if s.failover.Provider().Name() == builtin.Name {
		return nil, nil
	}
	left := s.passageRoom()
	for _, ref := range documents {
		d, text, fits, err := s.library.Text(ctx, ref.DocumentID, left)
		if err != nil {
			return nil, err
		}
		if !fits {
			continue
		}
		left -= len(text)
		items = append(items, library.Item{DocumentID: d.ID, Title: ref.Title, Kind: string(library.KindAttached), Page: 1, End: len(text), Quote: text, Whole: true})
	}
	return items, nil
}

// mostBegun is how many passages of what is attached are shown when none fits.
const mostBegun = 2

// begins are the first passages of a document.
func (s *Shop) begins(ctx context.Context, document string) (items []library.Item, err error) {
	hits, err := s.library.Begins(ctx, document, mostBegun)
	for _, h := range hits {
		it := library.Item{
			DocumentID: h.Document.ID, Title: h.Document.Title, Kind: string(h.Document.Kind), Page: h.Passage.Page, Unit: library.UnitOf(h.Document), Start: h.Passage.Start,
			End: h.Passage.Start + len(h.Passage.Text), Quote: h.Passage.Text,
		}
		if h.Article != nil {
			it.Article, it.Number, it.Deleted = h.Article.Label(), h.Article.Number, h.Article.Deleted
		}
		items = append(items, it)
	}
	return items, err
}

// sees tells whether the model on duty looks at pictures.
func (s *Shop) sees(ctx context.Context) bool {
	return slices.ContainsFunc(s.serversOf(provider.RoleResponder), func(v interpreter.Server) bool {
		seer, ok := v.Provider.(provider.Seer)
		return ok && seer.Sees(ctx)
	})
}
