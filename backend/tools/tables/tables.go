// Package tables holds the tool that puts a question to a table: one that is attached, in an opened folder or in the library. Whoever
// calls it fills in a closed form or passes the customer's words on; package tablequery computes. Its manual stands beside it.
package tables

import (
	"context"
	"embed"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tablequery"
	"agentchat/backend/toolbox"
)

// File is a table that may be read: what it is called, and its rows. Close it.
type File struct {
	Name  string
	From  tablequery.Source
	Close func()
}

// Deps are what the tool needs of the shop. Find opens the table that is called so in a chat; "" is the one that the chat is about.
// Dir is where the files of a question lie while it is answered.
type Deps struct {
	Find func(ctx context.Context, chat, name string) (File, error)
	Dir  string
	Now  func() time.Time // its location is the person's
}

// Key names the tool.
const Key = "table_query"

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// New makes the tool.
func New(d Deps) toolbox.Tool { return &query{d} }

type query struct{ Deps }

func (*query) Spec() toolbox.Spec { return manual(Key) }

// args are a closed form, or words that are read into one.
type args struct {
	Table  string `json:"table"`
	Ask    string `json:"ask"`
	GoesOn bool   `json:"goes_on"`
	tablequery.Query
}

func (t *query) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	f, err := t.Find(ctx, call.Chat, a.Table)
	if err != nil {
		return toolbox.Result{}, err
	}
	defer f.Close()
	table, err := tablequery.Open(ctx, f.Name, f.From, t.Dir)
	if err != nil {
		return toolbox.Result{}, refused(f.Name, err)
	}
	q, err := t.form(a, table)
	if err != nil {
		return toolbox.Result{}, err
	}
	r, err := table.Ask(ctx, q, call.Lang)
	if err != nil {
		return toolbox.Result{}, refused(f.Name, err)
	}
	return toolbox.ResultOf(r, Words(r, call.Lang))
}

// form is the closed form of a call: what was filled in, or what the words say.
func (t *query) form(a args, table *tablequery.Table) (tablequery.Query, error) {
	switch {
	case a.Ask != "" && a.GoesOn:
		var before *tablequery.Query
		if a.Do != "" {
			before = &a.Query
		}
		return asked(table, a.Ask, before, t.Now())
	case a.Ask != "" && a.Do == "" && a.Column == "" && len(a.By)+len(a.Where) == 0:
		q, err := table.Read(a.Ask, nil, t.Now())
		if q.Sheet == "" {
			q.Sheet = a.Sheet
		}
		return q, err
	}
	return a.Query, nil
}

// asked reads questions, a line each, of which every one goes on with the one before.
func asked(table *tablequery.Table, text string, before *tablequery.Query, now time.Time) (q tablequery.Query, err error) {
	for line := range strings.SplitSeq(text, "\n") {
		if q, err = table.Read(line, before, now); err != nil {
			return q, err
		}
		before = &q
	}
	return q, nil
}

// refused says why a table cannot be read. The extractor's reasons speak of the library.
func refused(name string, err error) error {
	if apperr.CodeOf(err) != apperr.DocumentRefused {
		return err
	}
	detail, ok := apperr.From(err).Fields["detail"].(bilingual.Text)
	if !ok {
		detail = bilingual.Text{KO: "읽을 수 없는 파일이에요", EN: "it cannot be read"}
	}
	return apperr.Wrap(err, apperr.FileRefused, "path", name, "detail", detail)
}
