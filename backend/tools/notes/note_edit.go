package notes

import (
	"context"

	"github.com/aymanbagabas/go-udiff"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
)

// edit gives a note another text, or adds to it. What runs is what was shown: the note and its text stand in the base.
type edit struct{ notes Notes }

// modeAppend adds the text as new lines instead of putting it in the place of what is there, as modeReplace does.
const (
	modeAppend  = "append"
	modeReplace = "replace"
)

func (*edit) Spec() toolbox.Spec { return manual("note_edit") }

// edited is the text a note has afterwards.
func (a args) edited(n notes.Note) (string, error) {
	if a.Mode == modeAppend {
		return notes.Tidy(n.Text + "\n" + a.Text)
	}
	return notes.Tidy(a.Text)
}

func (t *edit) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	n, err := t.notes.Meant(ctx, a.Note)
	if err != nil {
		return toolbox.Preview{}, err
	}
	text, err := a.edited(n)
	if err != nil {
		return toolbox.Preview{}, err
	}
	name := "‘" + n.Title() + "’"
	return toolbox.Preview{
		Text: bilingual.Say(call.Lang, name+" 메모를 고쳐요.", "The note "+name+" is changed."),
		Diff: udiff.Unified(n.Title(), n.Title(), n.Text+"\n", text+"\n"), Base: base(n),
	}, nil
}

func (t *edit) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	n, hash, err := shown(ctx, t.notes, a, call.Base)
	if err != nil {
		return toolbox.Result{}, err
	}
	text, err := a.edited(n)
	if err != nil {
		return toolbox.Result{}, err
	}
	n, err = t.notes.Edit(ctx, call.TodoID, n.ID, text, hash)
	if err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(itemOf(n), bilingual.Say(call.Lang, "메모를 고쳤어요: ", "The note was changed: ")+n.Title())
	return undone(result, call), err
}

// shown gives the note that a base stands for, and the hash of its text as it was shown; without a base the one the words mean.
func shown(ctx context.Context, all Notes, a args, b string) (notes.Note, string, error) {
	if b == "" {
		n, err := all.Meant(ctx, a.Note)
		return n, n.Hash(), err
	}
	id, hash := unbase(b)
	n, err := all.Get(ctx, id)
	return n, hash, err
}
