package manager

import (
	"context"
	"fmt"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/refer"
)

// spells puts the name of a thing into a message that says only where it stands in what a tool listed last (둘째 메모 지워줘): from then on the
// message is read like one with the name in it. told says that the list has no such place, and the turn says so.
func (m *Manager) spells(ctx context.Context, t *Turn) (told bool, err error) {
	if m.deps.Listed == nil || t.Action != "" || t.Standing != nil || t.Resume != "" || t.steers() || !refer.Counts(t.Text) {
		return false, nil
	}
	list, err := m.listed(ctx, t.Chat)
	if err != nil || len(list.Names) == 0 {
		return false, err
	}
	spelled, short, ok := list.Spell(t.Text)
	if short {
		t.Reply, t.Next = t.say(fmt.Sprintf("보여 드린 것은 %d개예요.", len(list.Names)), fmt.Sprintf("What I showed has %d.", len(list.Names))), event.NextNone
	}
	if ok {
		t.Text = spelled
	}
	return short, nil
}

// listed is what a tool listed last in a chat, if nothing else was shown since.
func (m *Manager) listed(ctx context.Context, chat string) (list refer.Listing, err error) {
	mentions, err := m.mentioned(ctx, chat)
	for _, one := range mentions[:min(len(mentions), mostBack)] {
		if one.list {
			return list, nil
		}
		for _, r := range slices.Backward(one.of) {
			if r.Job == "" {
				continue
			}
			rec, err := m.deps.Store.LoadRun(ctx, r.Job)
			if err != nil && apperr.CodeOf(err) != apperr.NotFound {
				return list, err
			}
			if list, ok := m.lists(rec.Run.Job); ok {
				return list, nil
			}
		}
	}
	return list, err
}

// lists is what the last step of a ticket that lists something listed.
func (m *Manager) lists(j job.Job) (list refer.Listing, ok bool) {
	for _, todo := range slices.Backward(j.Todos) {
		if list = m.deps.Listed(todo.Tool, todo.Data); len(list.Names) > 0 {
			return list, true
		}
	}
	return list, false
}
