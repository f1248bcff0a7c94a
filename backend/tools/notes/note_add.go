package notes

import (
	"context"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
)

// add writes a note. Running it again for the same step writes nothing new: the step is the note's key.
type add struct{ notes Notes }

func (*add) Spec() toolbox.Spec { return manual("note_add") }

func (t *add) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	kept, err := t.notes.Add(ctx, call.TodoID, a.Text)
	if err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(itemOf(kept), bilingual.Say(call.Lang, "메모했어요: ", "Noted: ")+kept.Title())
	return undone(result, call), err
}

var _ Notes = (*notes.Notes)(nil)
