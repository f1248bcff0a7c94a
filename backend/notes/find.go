package notes

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/words"
)

// named is how many notes a sentence names that asks which one is meant.
const named = 5

// snippetRunes is how many characters of a note a find shows, about its first word that was looked for.
const snippetRunes = 120

// Find gives up to limit notes that hold all the words of a text, particles aside, those changed last first; when none does,
// those that hold any of them. Without words it is List. Errors: storage errors.
func (n *Notes) Find(ctx context.Context, text string, limit int) ([]Note, error) {
	sought := words.Question(text)
	if len(sought) == 0 {
		return n.List(ctx, limit)
	}
	found, err := n.deps.Store.FindNotes(ctx, sought, bounded(limit))
	if err != nil || len(found) > 0 || len(sought) == 1 {
		return found, err
	}
	seen := map[string]bool{}
	for _, w := range sought {
		some, err := n.deps.Store.FindNotes(ctx, []string{w}, bounded(limit))
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			if !seen[f.ID] {
				seen[f.ID] = true
				found = append(found, f)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Note) int { return b.Updated.Compare(a.Updated) })
	return found[:min(len(found), bounded(limit))], nil
}

// Meant gives the one note a person means by an id, by its title, or by words that only it holds. Errors: note_missing;
// note_unclear, naming them, when several fit; storage errors.
func (n *Notes) Meant(ctx context.Context, text string) (Note, error) {
	text = strings.TrimSpace(text)
	if have, err := n.deps.Store.Note(ctx, text); err == nil && have.Deleted.IsZero() {
		return have, nil
	} else if err != nil && apperr.CodeOf(err) != apperr.NotFound {
		return Note{}, err
	}
	sought := words.Question(text)
	if len(sought) == 0 {
		return Note{}, apperr.New(apperr.NoteMissing, "note", text)
	}
	found, err := n.deps.Store.FindNotes(ctx, sought, MaxList)
	if err != nil {
		return Note{}, err
	}
	if exact := slices.DeleteFunc(slices.Clone(found), func(f Note) bool { return !strings.EqualFold(f.Title(), text) }); len(exact) > 0 {
		found = exact
	}
	switch len(found) {
	case 0:
		return Note{}, apperr.New(apperr.NoteMissing, "note", text)
	case 1:
		return found[0], nil
	}
	titles := make([]string, 0, named)
	for _, f := range found[:min(len(found), named)] {
		titles = append(titles, "‘"+f.Title()+"’")
	}
	list := strings.Join(titles, ", ")
	if len(found) > named {
		list += ", …"
	}
	return Note{}, apperr.New(apperr.NoteUnclear, "note", text, "list", list)
}

// Titles say which notes there are, for whoever would use one by its name.
func (n *Notes) Titles() Titles { return Titles{n} }

// Titles are the notes as names. Safe for concurrent use.
type Titles struct{ notes *Notes }

// Knows tells whether words may mean a note. Where nobody can tell, they may.
func (t Titles) Knows(name string) bool {
	_, err := t.notes.Meant(context.Background(), name)
	return apperr.CodeOf(err) != apperr.NoteMissing
}

// Near gives the notes that hold any of the words, or else those changed last.
func (t Titles) Near(name string, _ bilingual.Lang) (near []string) {
	found, err := t.notes.Find(context.Background(), name, named)
	if err == nil && len(found) == 0 {
		found, err = t.notes.List(context.Background(), named)
	}
	if err != nil {
		return nil
	}
	for _, f := range found {
		near = append(near, f.Title())
	}
	return near
}

// Snippet is a piece of the note about the first of the words of a text, on one line; its beginning when it holds none.
func (n Note) Snippet(text string) string {
	line := strings.Join(strings.Fields(n.Text), " ")
	all := []rune(line)
	if len(all) <= snippetRunes {
		return line
	}
	at := 0
	lower := strings.ToLower(line)
	for _, w := range words.Question(text) {
		if i := strings.Index(lower, w); i >= 0 && len(lower) == len(line) {
			at = utf8.RuneCountInString(line[:i])
			break
		}
	}
	from := max(0, min(at-snippetRunes/4, len(all)-snippetRunes))
	piece := string(all[from:min(from+snippetRunes, len(all))])
	if from > 0 {
		piece = "…" + piece
	}
	if from+snippetRunes < len(all) {
		piece += "…"
	}
	return piece
}
