package notes

import (
	"context"

	"github.com/aymanbagabas/go-udiff"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// remove throws a note away, into the trash.
type remove struct{ notes Notes }

func (*remove) Spec() toolbox.Spec { return manual("note_delete") }

func (t *remove) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	n, err := t.notes.Meant(ctx, a.Note)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{
		Text: bilingual.Say(call.Lang, "이 메모를 휴지통에 넣어요. 30일 안에는 메모 페이지에서 되살릴 수 있어요.", "This note goes into the trash. The notes page brings it back within 30 days."),
		Diff: udiff.Unified(n.Title(), "/dev/null", n.Text+"\n", ""), Base: base(n),
	}, nil
}

func (t *remove) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	n, hash, err := shown(ctx, t.notes, a, call.Base)
	if err != nil {
		return toolbox.Result{}, err
	}
	if n.Deleted.IsZero() && n.Hash() != hash {
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", n.Title())
	}
	if err := t.notes.Delete(ctx, n.ID); err != nil {
		return toolbox.Result{}, err
	}
	if n, err = t.notes.Get(ctx, n.ID); err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(itemOf(n), bilingual.Say(call.Lang, "메모를 휴지통에 넣었어요: ", "The note is in the trash: ")+n.Title())
	return undone(result, call), err
}

var (
	_ toolbox.Previewer = (*remove)(nil)
	_ toolbox.Previewer = (*edit)(nil)
)
