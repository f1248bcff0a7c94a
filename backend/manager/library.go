package manager

import (
	"context"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/library/agent"
)

// Librarian answers questions about the customer's documents.
type Librarian interface {
	// Answer walks an inquiry to its answer from where it stands. save journals it after every node.
	Answer(ctx context.Context, q *agent.Inquiry, save func(*agent.Inquiry) error) error
	// Plain tells whether no model is on duty: then a question that nobody understood may still be one for the library.
	Plain() bool
	// Keeping says where an inquiry is kept after each of its nodes, so that a crash in the middle loses nothing of it. own is
	// a place of its own, nil for none: then it is kept with its turn, if durable.
	Keeping(ctx context.Context) (own Checkpoints, durable bool)
}

// Checkpoints keeps how far inquiries are, by turn. Errors are storage errors.
type Checkpoints interface {
	Checkpoint(ctx context.Context, turn string) (q *agent.Inquiry, begun bool, err error)
	SaveCheckpoint(ctx context.Context, turn string, q *agent.Inquiry, now time.Time) error
	DropCheckpoint(ctx context.Context, turn string) error
}

// earlier is what a question may lean on: the last exchange of the chat, if the library answered it.
func (m *Manager) earlier(ctx context.Context, t *Turn) (*agent.Earlier, error) {
	msgs, err := m.deps.Store.History(ctx, t.Chat, "", 6)
	if err != nil {
		return nil, err
	}
	question := ""
	var last *agent.Earlier
	for _, msg := range msgs {
		switch {
		case msg.ID == t.ID:
			return last, nil
		case msg.Role == event.RoleCustomer:
			question = msg.Text
		case msg.Library != nil:
			last = &agent.Earlier{Question: question, Answer: msg.Text}
			for _, s := range msg.Library.Sources {
				if s.Article != "" {
					last.Articles = append(last.Articles, s.Article)
				}
			}
		case msg.Role == event.RoleShop:
			last = nil // the conversation has moved on
		}
	}
	return last, nil
}

// asksLibrary tells how sure it is that a message asks about the documents: 2 sure, 1 possible, 0 no. It readies the
// inquiry.
func (m *Manager) asksLibrary(ctx context.Context, t *Turn) (int, error) {
	if m.deps.Library == nil || t.steers() || t.Action != "" {
		return 0, nil
	}
	before, err := m.earlier(ctx, t)
	if err != nil {
		return 0, err
	}
	t.Inquiry = &agent.Inquiry{Chat: t.Chat, Message: t.Message, Lang: t.Lang, Text: t.Text, Before: before}
	return agent.Concerns(t.Text, before != nil), nil
}

// library answers from the documents. The inquiry is part of the turn: it goes on where it stood after a crash.
func (m *Manager) library(ctx context.Context, t *Turn) (graph.Move, error) {
	q := t.Inquiry
	if q == nil {
		q = &agent.Inquiry{Chat: t.Chat, Message: t.Message, Lang: t.Lang, Text: t.Text}
		t.Inquiry = q
	}
	own, durable := m.deps.Library.Keeping(ctx)
	if own != nil {
		kept, begun, err := own.Checkpoint(ctx, t.ID)
		switch {
		case err != nil: // whatever became of the place, the question can be answered
			m.deps.Log.Warn().Err(err).Msg("no checkpoint of the question can be had")
			own = nil
		case begun:
			*q = *kept
		}
	}
	err := m.deps.Library.Answer(ctx, q, func(q *agent.Inquiry) error {
		switch {
		case own != nil:
			if err := own.SaveCheckpoint(ctx, t.ID, q, m.deps.Now()); err != nil && ctx.Err() == nil {
				m.deps.Log.Warn().Err(err).Msg("the question goes on without checkpoints")
				own = nil
			}
		case durable:
			return m.deps.Store.SaveTurn(ctx, TurnStep{Turn: t, Node: nodeLibrary, Next: nodeLibrary})
		}
		return nil
	})
	if own != nil && ctx.Err() == nil {
		if lost := own.DropCheckpoint(ctx, t.ID); lost != nil { // it goes by itself in time
			m.deps.Log.Warn().Err(lost).Msg("a checkpoint stays")
		}
	}
	switch {
	case ctx.Err() != nil:
		return graph.Move{}, ctx.Err()
	case err != nil:
		t.fail(err)
		return graph.To(nodeSave), nil
	}
	t.Reply, t.Thought, t.Next = q.Answer, q.Reasoning, event.NextNone
	if len(q.Sources) > 0 {
		t.out.Events = append(t.out.Events, event.Of(t.Chat, "", event.Sources{MessageID: t.Message, Items: q.Sources}))
	}
	return graph.To(nodeSave), nil
}

// note is what stands with an answer from the library.
func (t *Turn) note() *event.LibraryNote {
	if t.Inquiry == nil || t.Inquiry.Answer == "" || t.Inquiry.Answer != t.Reply {
		return nil
	}
	n := &event.LibraryNote{Sources: t.Inquiry.Sources, Trail: t.Inquiry.Trail, Unverified: t.Inquiry.Unverified}
	if n.Sources == nil {
		n.Sources = []event.Source{}
	}
	return n
}
