// Package notes holds the tools of the person's notes: note_add, note_list, note_search, note_edit and note_delete. What a
// note says is data to whoever reads it, never an order. Each tool is one .go file with its manual beside it.
package notes

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/undo"
	"agentchat/backend/undolog"
)

// Notes is what the tools need of the notes.
type Notes interface {
	Add(ctx context.Context, key, text string) (notes.Note, error)
	Get(ctx context.Context, id string) (notes.Note, error)
	List(ctx context.Context, limit int) ([]notes.Note, error)
	Find(ctx context.Context, text string, limit int) ([]notes.Note, error)
	Meant(ctx context.Context, text string) (notes.Note, error)
	Edit(ctx context.Context, key, id, text, base string) (notes.Note, error)
	Delete(ctx context.Context, id string) error
}

// Tools are the tools of the notes, sorted by key.
func Tools(n Notes) []toolbox.Tool {
	return []toolbox.Tool{&add{n}, &remove{n}, &edit{n}, &list{n}, &search{n}}
}

// undone adds the call that takes back what was done to notes: the ledger has kept what they were.
func undone(r toolbox.Result, call toolbox.Call) toolbox.Result {
	return r.UndoneBy(undo.Key, map[string]any{"use": undolog.Step(call.JobID, call.TodoID, call.Chat).ID})
}

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// args are the arguments of all five tools; the schemas say which of them one takes.
type args struct {
	Text  string `json:"text"`
	Note  string `json:"note"`
	Query string `json:"query"`
	Mode  string `json:"mode"`
}

// item is a note as a result carries it.
type item struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Updated string `json:"updated"`
}

// shownRunes is how much of a note's text a list carries.
const shownRunes = 500

func itemOf(n notes.Note) item {
	return item{n.ID, n.Title(), brief.Cut(n.Text, shownRunes), n.Updated.UTC().Format(time.RFC3339)}
}

// listed is how many notes a sentence and a result name.
const listed = 20

// tell lists notes under a head, each on a line of its own: what it is called, or the piece that was looked for.
func tell(head string, found []notes.Note, line func(notes.Note) string, lang bilingual.Lang) (toolbox.Result, error) {
	data := struct {
		Notes []item `json:"notes"`
		Total int    `json:"total"`
	}{[]item{}, len(found)}
	var b strings.Builder
	b.WriteString(head)
	for i, n := range found {
		if i == listed {
			more := len(found) - listed
			b.WriteString("\n" + bilingual.Say(lang, fmt.Sprintf("… 그 밖에 %d개", more), fmt.Sprintf("… and %d more", more)))
			break
		}
		data.Notes = append(data.Notes, itemOf(n))
		b.WriteString("\n- " + line(n))
	}
	return toolbox.ResultOf(data, b.String())
}

// base stands for the note that was shown to whoever approved a change of it.
func base(n notes.Note) string { return n.ID + "@" + n.Hash() }

// unbase gives the note and the hash that base stands for.
func unbase(b string) (id, hash string) {
	i := strings.LastIndexByte(b, '@')
	if i < 0 {
		return b, ""
	}
	return b[:i], b[i+1:]
}
