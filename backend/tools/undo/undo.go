// Package undo holds the shop's own tool that takes back what a step or a turn changed in the ledger: notes, reminders and what else
// services keep, standing orders, what is remembered, documents of the library. What became of files, backend/tools/files takes back.
package undo

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
	"agentchat/backend/undolog"
)

// Key is the tool's key.
const Key = "ledger_undo"

// Deps are the parts the tool works with. All are required.
type Deps struct {
	Log undolog.Log
	// Record says what a record of a service is, from its values.
	Record func(service string, values []byte, lang bilingual.Lang) string
	// Changed is told of rows that were put back.
	Changed func(ctx context.Context, list []undolog.Change)
}

// Tool takes back what one use changed. It is a use like any other, and can be taken back itself.
type Tool struct{ deps Deps }

// New makes the tool.
func New(deps Deps) *Tool { return &Tool{deps} }

//go:embed *.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

// Spec implements toolbox.Tool.
func (*Tool) Spec() toolbox.Spec { return manual(Key) }

type args struct {
	Use string `json:"use"`
}

// Call is the call that takes a use back.
func Call(use string) toolbox.Undo {
	return *toolbox.Result{}.UndoneBy(Key, map[string]any{"use": use}).Undo
}

// Kept says what a use changed, in words; ok is false when that is nothing that can be taken back.
func (t *Tool) Kept(ctx context.Context, use string, lang bilingual.Lang) (what string, ok bool) {
	list, err := t.deps.Log.Changed(ctx, use)
	if err != nil {
		return "", false
	}
	for _, c := range list {
		if c.Table.Told() {
			return t.name(c, lang), true
		}
	}
	return "", false
}

// Lines says in a line each what taking changes back does, and for those that stay as they are why. n is how many do not.
func (t *Tool) Lines(list []undolog.Change, lang bilingual.Lang) (lines []string, n int) {
	for _, c := range list {
		if !c.Table.Told() {
			continue
		}
		line := t.line(c, lang)
		if c.Why != undolog.Can {
			line = bilingual.Say(lang, "되돌릴 수 없어요 — %s: %s", "Cannot be taken back — %s: %s", t.name(c, lang), reasons[c.Why].In(lang))
		} else {
			n++
		}
		lines = append(lines, line)
	}
	return lines, n
}

var reasons = map[undolog.Why]bilingual.Text{
	undolog.Changed: {KO: "그 뒤에 바뀌었어요", EN: "it has changed since"},
	undolog.Taken:   {KO: "그 자리에 다른 것이 있어요", EN: "something else is in its place"},
}

// Preview implements toolbox.Previewer.
func (t *Tool) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	list, err := t.deps.Log.Changed(ctx, a.Use)
	if err != nil {
		return toolbox.Preview{}, err
	}
	lines, n := t.Lines(list, call.Lang)
	if n == 0 {
		return toolbox.Preview{}, nothing(call.Title, lines)
	}
	p := toolbox.Preview{Text: strings.Join(lines, "\n"), Base: base(list)}
	if len(lines) == 1 {
		p.Diff = diff(list)
	}
	return p, nil
}

// nothing says that nothing can be taken back, and why.
func nothing(what string, lines []string) error {
	if len(lines) > 0 {
		what = strings.Join(lines, "; ")
	}
	return apperr.New(apperr.NothingToUndo, "what", what)
}

// base stands for the rows as they are now and what would become of them.
func base(list []undolog.Change) string {
	raw, err := json.Marshal(list)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// diff shows what becomes of a note's text; "" where there is none.
func diff(list []undolog.Change) string {
	for _, c := range list {
		if c.Table != undolog.Notes {
			continue
		}
		name := notes.Note{Text: c.Is.Text("text") + c.Was.Text("text")}.Title()
		text := func(r undolog.Row) string {
			if r == nil || r.Number("deleted") > 0 {
				return ""
			}
			return r.Text("text") + "\n"
		}
		return udiff.Unified(name, name, text(c.Is), text(c.Was))
	}
	return ""
}

// Run takes the use back. Run again, it finds it done.
func (t *Tool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	own := undolog.Step(call.JobID, call.TodoID, call.Chat)
	done, err := t.deps.Log.Changed(ctx, own.ID)
	if err != nil {
		return toolbox.Result{}, err
	}
	if len(done) == 0 && call.Base != "" {
		list, err := t.deps.Log.Changed(ctx, a.Use)
		if err != nil {
			return toolbox.Result{}, err
		}
		if base(list) != call.Base {
			return toolbox.Result{}, apperr.New(apperr.Changed, "what", call.Title)
		}
	}
	list, err := t.deps.Log.TakeBack(undolog.Under(ctx, own), a.Use)
	if err != nil {
		return toolbox.Result{}, err
	}
	t.deps.Changed(ctx, list)
	lines, n := t.Lines(list, call.Lang)
	if n == 0 && len(done) == 0 {
		return toolbox.Result{}, nothing(call.Title, lines)
	}
	left := len(lines) - n
	text := bilingual.Say(call.Lang, "%s가지를 되돌렸어요.", "Took back %s things.", strconv.Itoa(max(n, 1)))
	if max(n, 1) == 1 {
		text = bilingual.Say(call.Lang, "되돌렸어요.", "Taken back.")
	}
	if left > 0 {
		text += "\n" + strings.Join(lines, "\n")
	}
	result, err := toolbox.ResultOf(struct {
		Done int `json:"done"`
		Left int `json:"left,omitempty"`
	}{n, left}, text)
	return result.UndoneBy(Key, map[string]any{"use": own.ID}), err
}

var _ toolbox.Previewer = (*Tool)(nil)
