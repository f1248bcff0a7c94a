package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// noteCommand does what concerns the notes.
func noteCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	if c.Note == "" && c.Cmd != "notes" && c.Cmd != "note_add" {
		return nil, apperr.New(apperr.BadCommand, "detail", c.Cmd+" needs note")
	}
	done := struct {
		Note string `json:"note"`
	}{c.Note}
	switch c.Cmd {
	case "notes":
		return s.Notes(ctx, c.Query)
	case "note_add":
		return s.AddNote(ctx, c.Text)
	case "note_edit":
		return s.EditNote(ctx, c.Note, c.Text, c.Digest)
	case "note_delete":
		return done, s.DeleteNote(ctx, c.Note)
	default:
		return done, s.RestoreNote(ctx, c.Note)
	}
}
