package shop

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/export"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/privatefile"
	"agentchat/backend/takeaway"
	"agentchat/backend/tools/files"
)

// Takeaway names what a person takes away as a file: a ticket by its Job; a reply by its Message, which stands in the Chat; else the Chat whole.
type Takeaway struct {
	Chat    string `json:"chat,omitempty"`
	Message string `json:"message,omitempty"`
	Job     string `json:"job,omitempty"`
}

// openTakeaway makes what makes documents. Pictures are there once attachments are open.
func (s *Shop) openTakeaway() {
	s.takeaway = takeaway.New(takeaway.Deps{
		Store:   s.store,
		Picture: func(ctx context.Context, id string) ([]byte, error) { return s.attachments.Picture(ctx, id) },
		Lang:    func() bilingual.Lang { return s.Config.Get().Lang },
		Zone:    func() *time.Location { return time.Local },
	})
}

// takenAway makes the document that the tool asks for.
func (s *Shop) takenAway(ctx context.Context, of files.Taken) (*export.Document, error) {
	switch {
	case of.Number > 0:
		return s.takeaway.Numbered(ctx, of.Number)
	case of.Whole:
		return s.takeaway.Before(ctx, of.Job, of.Chat)
	}
	return s.takeaway.For(ctx, of.Job, of.Todo, of.Chat, of.Tables)
}

// document makes the document of what a person named.
func (of Takeaway) document(ctx context.Context, by *takeaway.Maker) (*export.Document, error) {
	switch {
	case of.Job != "":
		return by.Ticket(ctx, of.Job)
	case of.Message != "":
		return by.Message(ctx, of.Chat, of.Message)
	}
	return by.Chat(ctx, of.Chat, "")
}

// Export makes a file of a conversation, a reply or a ticket: pdf, docx, html, md, or xlsx and csv with the tables alone; of a
// conversation also json; of it, or of all when nothing is named, a zip with all of that and what was attached. An empty format goes by the file's
// name. Only its owner can read the file, and it is written whole or not at all. Errors: not_found, invalid_args, nothing_to_export, storage errors.
func (s *Shop) Export(ctx context.Context, of Takeaway, path, format string) error {
	if path == "" {
		return apperr.New(apperr.InvalidArgs, "detail", "path")
	}
	if format = formatOf(path, format); format == zipped && of.whole() {
		return s.exportZip(ctx, of, path)
	}
	data, err := s.exported(ctx, of, format)
	if err != nil {
		return err
	}
	return writeWhole(path, func(file io.Writer) error {
		_, err := file.Write(data)
		return err
	})
}

// formatOf is the kind of file that is meant, by its name where none is told.
func formatOf(path, format string) string {
	return cmp.Or(format, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// Zips tells whether a zip is meant.
func Zips(path, format string) bool { return formatOf(path, format) == zipped }

func (s *Shop) exported(ctx context.Context, of Takeaway, format string) ([]byte, error) {
	if format == asJSON && of.whole() && of.Chat != "" {
		return s.chatJSON(ctx, of)
	}
	as, err := export.FormatOf(format)
	if err != nil {
		return nil, err
	}
	d, err := of.document(ctx, s.takeaway)
	if err != nil {
		return nil, err
	}
	return as.Bytes(d)
}

// whole tells whether conversations are meant, and nothing in one.
func (of Takeaway) whole() bool { return of.Message == "" && of.Job == "" }

// ExportFormats are the kinds of files that something can be made of: the keys that [Shop.Export] takes, those that make nothing of it left out.
func (s *Shop) ExportFormats(ctx context.Context, of Takeaway) ([]string, error) {
	d, err := of.document(ctx, s.takeaway.Blind())
	if err != nil {
		return nil, err
	}
	tables := len(d.Tables()) > 0
	var keys []string
	for _, f := range export.Formats {
		if !f.TablesOnly || tables {
			keys = append(keys, f.Key)
		}
	}
	if of.whole() {
		keys = append(keys, asJSON, zipped)
	}
	return keys, nil
}

// writeWhole writes a file that only its owner can read, whole or not at all: what was there before stays until it is done.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := privatefile.WriteWith(path, write); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return nil
}
