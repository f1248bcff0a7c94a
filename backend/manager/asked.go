package manager

import (
	"context"
	"slices"

	"agentchat/backend/graph"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/service"
)

// asked is a question that a query of the counter answered: what is asked after it in fewer words is asked of the same (모레는?).
type asked struct {
	Service string
	Query   string
	Text    string
}

// asks notes the question that a query answered, where it could be asked of something else.
func (t *Turn) asks(q *service.Query) {
	if len(q.Slots) > 0 && t.spoke.asked == nil {
		t.spoke.asked = &asked{Service: t.Counter.Service, Query: q.ID, Text: t.Text}
	}
}

// asksOn takes a message that asks what was just asked once more, of something else.
func (m *Manager) asksOn(ctx context.Context, t *Turn) (move graph.Move, ok bool, err error) {
	if t.reading == nil || t.Action != "" || t.Standing != nil || m.deps.Counter == nil {
		return move, false, nil
	}
	mentions, err := m.mentioned(ctx, t.Chat)
	if err != nil || len(mentions) == 0 {
		return move, false, err
	}
	last := mentions[0].asked
	if last == nil || !m.asksAgain(t, last) {
		if last, err = m.asksOfList(ctx, t, mentions[:1]); last == nil || err != nil {
			return move, false, err
		}
	}
	if err := m.noteCounter(ctx, t); err != nil {
		return move, false, err
	}
	if top, any := t.Counter.Open.Top(); any && top.Stage != service.Confirmed && !(top.Stage == service.Ready && verdict.Asks(t.Text)) {
		t.Counter = nil // it is for what stands open there
		return move, false, nil
	}
	t.spoke.asked = last // in the words of the first one
	t.Counter.Certain, t.Counter.Service, t.Counter.Query = service.General, last.Service, last.Query
	return graph.To(nodeIntent), true, nil
}

// asksAgain tells that a message asks what was asked of another value.
func (m *Manager) asksAgain(t *Turn, last *asked) bool {
	q, ok := m.deps.Counter.Book.Query(last.Service, last.Query)
	if !ok {
		return false
	}
	bare, ok := q.GoesOn(t.Text, last.Text, m.readAt(t))
	top := t.reading.Guesses[0]
	return ok && (bare || top.P < surely || top.Act.Idle() || t.reading.Wants(q.Acts...) >= top.P)
}

// asksOfList is the question of what stands on the list that was spoken of, where a message probably asks that and names nothing (거기 뭐 있어?);
// nil where it does not.
func (m *Manager) asksOfList(ctx context.Context, t *Turn, mentions []mention) (*asked, error) {
	if !slot.NamesNothing(t.Text) {
		return nil, nil
	}
	list, ok, err := m.lastList(ctx, mentions)
	if !ok || err != nil {
		return nil, err
	}
	q, ok := m.deps.Counter.Book.Lists(list.Service)
	if !ok || !slices.Contains(q.Acts, t.reading.Guesses[0].Act) {
		return nil, nil
	}
	return &asked{Service: list.Service, Query: q.ID, Text: t.Text}, nil
}
