// Package notes keeps the person's notes: short texts, found again by their words, edited and thrown away. What is thrown
// away lies in the trash for a while and can be taken out again.
//
// A note may hold anything, also what was copied from a page or written by somebody else. So its text is data wherever it
// is read: nothing in it is an order, and none of it becomes memory by itself.
package notes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
)

// MaxText is how many characters a note has at most.
const MaxText = 20_000

// MaxList is how many notes one answer lists at most.
const MaxList = 500

// titleRunes is how many characters of its first line a note is called by.
const titleRunes = 60

// TrashFor is how long the trash keeps a note.
const TrashFor = 30 * 24 * time.Hour

// Note is one note. Its words are the person's own, or whatever they had written down.
type Note struct {
	ID      string
	Text    string
	Created time.Time
	Updated time.Time
	Deleted time.Time // zero: it is not in the trash

	ChangedBy string // the step that changed its text last; "": a person did, or nobody
}

// Title is what a note is called by: its first line that says something, cut short.
func (n Note) Title() string {
	for line := range strings.Lines(n.Text) {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" {
			return brief.Fit(line, titleRunes)
		}
	}
	return ""
}

// Hash stands for the text as it is now: whoever changes a note says with it what they have seen.
func (n Note) Hash() string {
	sum := sha256.Sum256([]byte(n.Text))
	return hex.EncodeToString(sum[:])
}

// Store keeps notes. Safe for concurrent use; errors are *apperr.Error, those of storage everywhere.
type Store interface {
	// AddNote writes a note; one with the same ID is there already and changes nothing. It gives the note that is kept.
	AddNote(ctx context.Context, n Note) (Note, error)
	// Note gives a note, also out of the trash. Error: not_found.
	Note(ctx context.Context, id string) (Note, error)
	// Notes lists up to limit notes, those changed last first; or the trash, those thrown away last first.
	Notes(ctx context.Context, trash bool, limit int) ([]Note, error)
	// FindNotes lists up to limit notes that hold all the words, those changed last first.
	FindNotes(ctx context.Context, words []string, limit int) ([]Note, error)
	// ChangeNote puts a note's new text, Updated and ChangedBy in the place of what was seen. It gives false when the text is
	// another meanwhile, or the note is in the trash.
	ChangeNote(ctx context.Context, seen, to Note) (bool, error)
	// TrashNote throws a note away; one that is in the trash already stays as it is. Error: not_found.
	TrashNote(ctx context.Context, id string, at time.Time) error
	// RestoreNote takes a note out of the trash; one that is not there stays as it is. Error: not_found.
	RestoreNote(ctx context.Context, id string) error
	// EmptyTrash lets go for good of what was thrown away before a moment, and gives how many that were.
	EmptyTrash(ctx context.Context, before time.Time) (int, error)
}

// Deps are the parts Notes work with. All are required.
type Deps struct {
	Store     Store
	Publisher event.Publisher
	Now       func() time.Time
	NewID     func() string
}

// Notes are the person's notes. Safe for concurrent use.
type Notes struct{ deps Deps }

// New makes the notes.
func New(deps Deps) *Notes { return &Notes{deps} }

// Add writes a note. A key names the step that does it: the same step again writes nothing new and gives the note it wrote.
// Errors: invalid_args for a text that is empty or too long; storage errors.
func (n *Notes) Add(ctx context.Context, key, text string) (Note, error) {
	text, err := Tidy(text)
	if err != nil {
		return Note{}, err
	}
	if key == "" {
		key = n.deps.NewID()
	}
	now := n.deps.Now()
	kept, err := n.deps.Store.AddNote(ctx, Note{ID: key, Text: text, Created: now, Updated: now})
	if err != nil {
		return Note{}, err
	}
	n.changed(kept.ID)
	return kept, nil
}

// Get gives a note, also out of the trash. Errors: not_found, storage errors.
func (n *Notes) Get(ctx context.Context, id string) (Note, error) { return n.deps.Store.Note(ctx, id) }

// List gives up to limit notes, those changed last first. Errors: storage errors.
func (n *Notes) List(ctx context.Context, limit int) ([]Note, error) {
	return n.deps.Store.Notes(ctx, false, bounded(limit))
}

// Trash gives up to limit notes that were thrown away, the last first. Errors: storage errors.
func (n *Notes) Trash(ctx context.Context, limit int) ([]Note, error) {
	return n.deps.Store.Notes(ctx, true, bounded(limit))
}

// Edit gives a note another text. Base is the Hash of what the editor saw; "" overwrites whatever is there. A key names the
// step that does it: the same step again finds it done. Errors: not_found, also for one in the trash; changed; invalid_args; storage errors.
func (n *Notes) Edit(ctx context.Context, key, id, text, base string) (Note, error) {
	text, err := Tidy(text)
	if err != nil {
		return Note{}, err
	}
	for {
		have, err := n.deps.Store.Note(ctx, id)
		switch {
		case err != nil:
			return Note{}, err
		case !have.Deleted.IsZero():
			return Note{}, apperr.New(apperr.NotFound, "what", "note", "id", id)
		case key != "" && have.ChangedBy == key, have.Text == text:
			return have, nil
		case base != "" && base != have.Hash():
			return Note{}, apperr.New(apperr.Changed, "what", have.Title())
		}
		to := have
		to.Text, to.Updated, to.ChangedBy = text, n.deps.Now(), key
		done, err := n.deps.Store.ChangeNote(ctx, have, to)
		if err != nil {
			return Note{}, err
		}
		if done {
			n.changed(id)
			return to, nil
		}
	}
}

// Delete throws a note away, into the trash. One that lies there already is as wanted. Errors: not_found, storage errors.
func (n *Notes) Delete(ctx context.Context, id string) error {
	if err := n.deps.Store.TrashNote(ctx, id, n.deps.Now()); err != nil {
		return err
	}
	n.changed(id)
	return nil
}

// Restore takes a note out of the trash. Errors: not_found, storage errors.
func (n *Notes) Restore(ctx context.Context, id string) error {
	if err := n.deps.Store.RestoreNote(ctx, id); err != nil {
		return err
	}
	n.changed(id)
	return nil
}

// Sweep lets go for good of what has lain in the trash for TrashFor. Errors: storage errors.
func (n *Notes) Sweep(ctx context.Context) (gone int, err error) {
	gone, err = n.deps.Store.EmptyTrash(ctx, n.deps.Now().Add(-TrashFor))
	if gone > 0 {
		n.changed("")
	}
	return gone, err
}

func (n *Notes) changed(id string) {
	n.deps.Publisher.Publish(event.Of("", "", event.NotesChanged{Note: id}))
}

// Tidy brings a text into the form in which it is kept: whole characters, composed, plain line ends, nothing empty before or
// behind. Error: invalid_args when nothing is left, or too much.
func Tidy(text string) (string, error) {
	text = norm.NFC.String(strings.ToValidUTF8(text, ""))
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\x00", "")
	text = strings.TrimRight(strings.Trim(text, "\n"), " \t\n")
	if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > MaxText {
		return "", apperr.New(apperr.InvalidArgs, "detail", "text: 1…20000")
	}
	return text, nil
}

func bounded(limit int) int {
	if limit <= 0 || limit > MaxList {
		return MaxList
	}
	return limit
}
