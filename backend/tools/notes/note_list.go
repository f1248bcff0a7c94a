package notes

import (
	"context"
	"fmt"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/notes"
	"agentchat/backend/toolbox"
)

// list names the notes, those changed last first.
type list struct{ notes Notes }

func (*list) Spec() toolbox.Spec { return manual("note_list") }

func (t *list) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	found, err := t.notes.List(ctx, notes.MaxList)
	if err != nil {
		return toolbox.Result{}, err
	}
	head := bilingual.Say(call.Lang, fmt.Sprintf("메모가 %d개 있어요.", len(found)), fmt.Sprintf("There are %d notes.", len(found)))
	switch len(found) {
	case 0:
		head = bilingual.Say(call.Lang, "아직 메모가 없어요. ‘메모해줘: 우유 사기’처럼 말씀해 주세요.", "There are no notes yet. Say “note: buy milk”.")
	case 1:
		head = bilingual.Say(call.Lang, "메모가 1개 있어요.", "There is 1 note.")
	}
	return tell(head, found, notes.Note.Title, call.Lang)
}
