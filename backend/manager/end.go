package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/service"
)

// againAction is the prefix of the button that says once more what was not carried out; the id of the message follows.
const againAction = "again:"

// answer runs one turn. A turn that fails still ends: the customer is told, and the end is stored with that message, so that the turn is not
// run again.
func (m *Manager) answer(ctx context.Context, p Pending) {
	m.writeDown(p.Turn.Chat)
	t := p.Turn
	ctx = interpreter.Asking(ctx, t.Model)
	t.out, t.kept = &TurnStep{}, p.Next
	_, at, err := m.graph.Run(ctx, &t, p.Next, m, nil)
	switch {
	case err == nil:
		if p.left {
			m.closed(1)
		}
		return
	case m.base.Err() != nil:
		return
	case ctx.Err() == nil:
		m.deps.Log.Error().Err(err).Str("turn", t.ID).Msg("turn broke")
	}
	if errors.Is(err, ErrTurnOver) {
		if at == nodeAwait && t.Resume == "" {
			m.owe(t.Chat, t.Counter.Job) // unless the chat is gone
		}
		m.over(&t)
		if p.left {
			m.closed(1)
		}
		return
	}
	if t.Resume != "" { // nobody waits for it; it tells the outcome when it can
		m.later(func() bool { m.enqueue(Pending{Turn: p.Turn, Next: p.Next}); return true })
		return
	}
	decided := at == nodeSave || at == nodeAnswer
	if decided && at != t.kept && (len(t.out.Jobs) > 0 || m.saveAgain(ctx, &t, at) != nil) {
		at = t.kept // tickets that are not in the ledger were not handed out, and a reply that is not was not given
	}
	if t.kept == graph.End {
		return
	}
	switch end := m.conclude(ctx, &t, at, err, true); {
	case errors.Is(end, ErrTurnOver):
		m.over(&t)
		return
	case end == nil:
		return
	}
	sure := m.deps.Store.Distrust() == nil
	end := m.conclude(ctx, &t, at, err, sure)
	if end == nil {
		m.closed(0)
		return
	}
	m.deps.Log.Error().Err(end).Str("turn", t.ID).Msg("the end of a turn could not be saved")
	m.mu.Lock()
	m.open++
	m.told[t.Chat] = append(m.told[t.Chat], t)
	m.mu.Unlock()
	m.deps.Publisher.Publish(t.out.Events...)
	m.later(func() bool { return m.writeDown(t.Chat) })
}

// saveAgain continues, once, at a node whose journal entry (shared with the nodes before it) could not be written.
func (m *Manager) saveAgain(ctx context.Context, t *Turn, at string) error {
	t.out = &TurnStep{}
	_, _, err := m.graph.Run(context.WithoutCancel(ctx), t, at, m, nil)
	return err
}

// conclude ends a turn that failed. sure tells whether the store knows about it, so that the next start does not simply continue it.
func (m *Manager) conclude(ctx context.Context, t *Turn, at string, cause error, sure bool) error {
	t.out = &TurnStep{}
	outcome, from := "", nodeSave
	switch {
	case at == nodeSave || at == nodeAnswer:
		from = at // everything was decided and done; only the end is missing
	case at == nodeAwait:
		outcome = t.Counter.Job
		m.stillOut(t)
	case ctx.Err() != nil:
		t.stopped(cause)
	default:
		t.fail(cause)
		if !sure {
			t.Reply += t.say(" 저장할 수 없어서, 다시 켰을 때 이어서 할 수도 있어요.", " It could not be written down, so it may still be done after the next start.")
		}
	}
	_, _, err := m.graph.Run(context.WithoutCancel(ctx), t, from, m, nil)
	if outcome != "" {
		m.owe(t.Chat, outcome)
	}
	return err
}

// stillOut is the reply when waiting for a task failed: the task itself goes on.
func (m *Manager) stillOut(t *Turn) {
	t.Code, t.Next, t.Buttons = "", event.NextNone, nil
	t.Reply = t.say("아직 처리하고 있어요. 끝나면 알려 드릴게요.", "It is still being worked on. I will tell you when it is done.")
	if s, ok := t.Counter.Open.ByJob(t.Counter.Job); ok {
		if manifest, ok := m.deps.Counter.Book.Get(s.Service); ok {
			t.Reply = manifest.Question(s).Message
			state := manifest.State(t.Chat, s, false)
			t.Counter.State = &state
		}
	}
}

// putAside sets aside turns that cannot be read and reports them, so that one damaged record does not keep the program from starting.
func (m *Manager) putAside(pending []Pending) []Pending {
	return slices.DeleteFunc(pending, func(p Pending) bool {
		if p.Unreadable == nil {
			return false
		}
		m.deps.Log.Error().Err(p.Unreadable).Str("turn", p.Turn.ID).Msg("what is stored of a turn cannot be read; it is left as it is")
		e := apperr.From(p.Unreadable)
		m.deps.Publisher.Publish(event.Of(p.Turn.Chat, "", event.Error{Code: string(e.Code), Message: e.Text(m.deps.Lang()), Fields: e.Fields}))
		return true
	})
}

// lookBack decides what happens to the turns that the last run of the program left. If that run reported something that it could not
// store, unfinished turns are not simply continued: one of them may have been reported as failed.
func (m *Manager) lookBack(pending []Pending) {
	if !m.deps.Store.Distrusted() {
		m.closed(0)
		return
	}
	for i := range pending {
		p := &pending[i]
		p.left = true
		m.open++
		if p.Next == nodeSave || p.Next == nodeAwait || p.Turn.Resume != "" {
			continue // it only tells what was done
		}
		t := &p.Turn
		p.Next = nodeSave
		t.Next, t.Jobs, t.Buttons = event.NextNone, nil, nil
		t.Reply = fmt.Sprintf(t.say("지난번에 끝까지 하지 못한 말씀이 있어요: ‘%s’. 그대로 두었어요.", "Last time this could not be carried through: “%s”. I have left it alone."), t.Text)
		verb, _ := service.Pressed(t.Action)
		switch {
		case verb != service.VerbNone || service.VerbOf(t.Text) != service.VerbNone || t.Counter != nil && t.Counter.Verb != service.VerbNone:
			t.Counter = &CounterTurn{} // what still stands open at the counter is asked anew
		case t.Action == "" && !t.steers():
			t.Reply += t.say(" 아직 원하시나요?", " Do you still want it?")
			t.Buttons = []event.Button{{ID: againAction + t.ID, Label: t.say("지금 하기", "Do it now")}}
			t.Next = event.NextConfirm
		}
	}
	m.closed(0)
}

// said gives an earlier message of the customer.
func (m *Manager) said(ctx context.Context, chat, id string) (event.ChatMessage, error) {
	list, err := m.deps.Store.History(ctx, chat, "", 1000)
	if err != nil {
		return event.ChatMessage{}, err
	}
	for _, msg := range list {
		if msg.ID == id && msg.Role == event.RoleCustomer && strings.TrimSpace(msg.Text) != "" {
			return msg, nil
		}
	}
	return event.ChatMessage{}, apperr.New(apperr.NotFound, "what", "message", "id", id)
}

// writeDown stores the ends of a chat's turns that could not be stored when they ended, and tells whether all are stored. It returns false
// while another goroutine does the same, because that one may fail and someone must try again.
func (m *Manager) writeDown(chat string) bool {
	m.mu.Lock()
	if m.writing[chat] {
		m.mu.Unlock()
		return false
	}
	list := m.told[chat]
	delete(m.told, chat)
	m.writing[chat] = true
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.writing, chat)
	}()
	for i := range list {
		t := list[i]
		t.out, t.told = &TurnStep{}, true
		if _, _, err := m.graph.Run(context.WithoutCancel(m.base), &t, nodeSave, m, nil); err != nil && !errors.Is(err, ErrTurnOver) {
			m.mu.Lock()
			m.told[chat] = append(list[i:], m.told[chat]...)
			m.mu.Unlock()
			return false
		}
		m.closed(1)
	}
	return true
}

// writeDownAll is writeDown for every chat, when no turn is left.
func (m *Manager) writeDownAll() {
	m.mu.Lock()
	chats := slices.Sorted(maps.Keys(m.told))
	m.mu.Unlock()
	for _, chat := range chats {
		m.writeDown(chat)
	}
}

// closed records that the ends of n turns are stored. With the last one the store is complete again.
func (m *Manager) closed(n int) {
	m.mu.Lock()
	m.open -= n
	sound := m.open == 0
	m.mu.Unlock()
	if sound && !m.deps.Jobs.Unwritten() {
		if err := m.deps.Store.Trust(); err != nil {
			m.deps.Log.Warn().Err(err).Msg("no room is left for what a full disk interrupts")
		}
	}
}

// doneEvent says how the turn ended.
func (t *Turn) doneEvent() event.Event {
	next := t.Next
	if next == "" {
		next = event.NextNone
	}
	buttons := t.Buttons
	if buttons == nil {
		buttons = []event.Button{}
	}
	state := event.TurnState{Slots: map[string]any{}, Meta: map[string]any{}}
	if t.Counter != nil && t.Counter.State != nil {
		state = *t.Counter.State
	}
	if t.Command != nil && len(buttons) > 0 {
		state.Meta["mark"] = buttons[0].ID // what a yes is to
	}
	if t.Counter != nil && t.Counter.Query != "" {
		state.Meta["query"] = t.Counter.Query
	}
	return event.Of(t.Chat, "", event.TurnDone{
		Message: t.Reply, MessageID: t.ID, NextAction: next, UIHint: event.UIHint{Buttons: buttons},
		State: state, Jobs: t.Jobs,
	})
}
