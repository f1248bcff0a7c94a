package notes

import (
	"context"
	"fmt"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
)

// search finds notes by their words.
type search struct{ notes Notes }

func (*search) Spec() toolbox.Spec { return manual("note_search") }

func (t *search) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	a, err := toolbox.ArgsOf[args](call)
	if err != nil {
		return toolbox.Result{}, err
	}
	found, err := t.notes.Find(ctx, a.Query, notes.MaxList)
	if err != nil {
		return toolbox.Result{}, err
	}
	head := bilingual.Say(call.Lang, fmt.Sprintf("‘%s’ 메모를 %d개 찾았어요.", a.Query, len(found)), fmt.Sprintf("%d notes hold “%s”.", len(found), a.Query))
	switch len(found) {
	case 0:
		head = bilingual.Say(call.Lang, "‘"+a.Query+"’ 메모는 없어요.", "No note holds “"+a.Query+"”.")
	case 1:
		head = bilingual.Say(call.Lang, "‘"+a.Query+"’ 메모를 찾았어요.", "One note holds “"+a.Query+"”.")
	}
	return tell(head, found, func(n notes.Note) string { return n.Snippet(a.Query) }, call.Lang)
}
