package notes

import (
	"context"
	"time"

	"agentchat/backend/event"
)

// View is what the notes page shows: the notes that hold what is sought, all without a query, and the trash.
type View struct {
	Notes []NoteView `json:"notes"`
	Trash []NoteView `json:"trash"`
	// TrashDays is how long the trash keeps a note.
	TrashDays int `json:"trashDays"`
}

// NoteView is one note. Times are RFC 3339 in UTC; Deleted is empty when it is not in the trash. Hash stands for the text.
type NoteView struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Hash    string `json:"hash"`
	Created string `json:"created"`
	Updated string `json:"updated"`
	Deleted string `json:"deleted,omitempty"`
}

// View gives the note as fronts show it.
func (n Note) View() NoteView {
	return NoteView{
		ID: n.ID, Title: n.Title(), Text: n.Text, Hash: n.Hash(),
		Created: event.Stamp(n.Created), Updated: event.Stamp(n.Updated), Deleted: event.Stamp(n.Deleted),
	}
}

// View gives the notes that hold what is sought ("" for all) and the trash. Errors: storage errors.
func (n *Notes) View(ctx context.Context, query string) (View, error) {
	v := View{Notes: []NoteView{}, Trash: []NoteView{}, TrashDays: int(TrashFor / (24 * time.Hour))}
	found, err := n.Find(ctx, query, MaxList)
	if err != nil {
		return v, err
	}
	thrown, err := n.Trash(ctx, MaxList)
	if err != nil {
		return v, err
	}
	for _, f := range found {
		v.Notes = append(v.Notes, f.View())
	}
	for _, f := range thrown {
		v.Trash = append(v.Trash, f.View())
	}
	return v, nil
}
