package manager

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// DeleteChat removes a conversation and stops its work. After it returns nothing of the conversation is written, started or reported any
// more, also not after a restart. Errors: not_found, storage errors.
func (m *Manager) DeleteChat(ctx context.Context, chat string) error {
	done, err := m.saying(ctx, chat)
	if err != nil {
		return err
	}
	defer done()
	cut, err := m.deps.Store.DeleteChat(ctx, chat)
	if err != nil {
		return err
	}
	m.awaitSteps()
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatDeleted{ID: chat}))
	m.end(cut)
	m.forget(chat)
	return nil
}

// ChatTrashFor is how long a conversation that was deleted can be taken back.
const ChatTrashFor = 30 * 24 * time.Hour

// DeletedChat is a conversation that can be taken back. Deleted is zero for one that has been opened anew meanwhile.
type DeletedChat struct {
	ID, Title        string
	Deleted, Updated time.Time
}

// RestoreChat brings a deleted conversation back with its messages. Work that was called off by the deletion stays called off. Errors:
// not_found, storage errors.
func (m *Manager) RestoreChat(ctx context.Context, chat string) error {
	done, err := m.saying(ctx, chat)
	if err != nil {
		return err
	}
	defer done()
	title, err := m.deps.Store.RestoreChat(ctx, chat, m.deps.Now().Add(-ChatTrashFor))
	if err != nil {
		return err
	}
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatRestored{ID: chat, Title: title}))
	return nil
}

// DeletedChats lists the conversations that can be taken back, the last deleted first. Errors: storage errors.
func (m *Manager) DeletedChats(ctx context.Context) ([]DeletedChat, error) {
	return m.deps.Store.DeletedChats(ctx, m.deps.Now().Add(-ChatTrashFor))
}

// SayInstead replaces an earlier request: the request, its results and everything after it are removed. Removal and the new message are one
// transaction, so nothing is lost if the new message is refused. The work that the request had started is stopped once its successor is
// stored. document is the one that is asked about, "" for none; attachments are the files it comes with; nil:
// as the request had it. Errors: those of OnUserInput and SayWith, not_found, document_gone.
func (m *Manager) SayInstead(ctx context.Context, request, text string, document *string, attachments []event.Attachment) (event.ChatMessage, error) {
	text, empty := said(text)
	if empty != nil && apperr.CodeOf(empty) != apperr.EmptyMessage {
		return event.ChatMessage{}, empty
	}
	chat, was, err := m.deps.Store.Request(ctx, request)
	if err != nil {
		return event.ChatMessage{}, err
	}
	if attachments == nil {
		attachments = was.Attachments
	}
	if attachments, err = m.handedIn(ctx, attachments); err != nil {
		return event.ChatMessage{}, err
	}
	if len(attachments) == 0 && empty != nil {
		return event.ChatMessage{}, empty
	}
	about := was.About
	if document != nil && (about == nil || about.DocumentID != *document) { // one that is gone meanwhile is answered for
		if about, err = m.titled(ctx, chat, *document); err != nil {
			return event.ChatMessage{}, err
		}
	}
	turn := Turn{ID: m.deps.NewID(), Chat: chat, Text: text, About: about, Attachments: attachments, Message: m.deps.NewID()}
	if err := m.spell(ctx, &turn); err != nil {
		return event.ChatMessage{}, err
	}
	text, turn.Lang = turn.Text, language(turn.Text, m.deps.Lang(), m.deps.English)
	if turn.steers() { // what was said to a job has been passed on
		return event.ChatMessage{}, apperr.New(apperr.NotFound, "what", "message", "id", request)
	}
	msg := m.message(turn)
	done, err := m.saying(ctx, chat)
	if err != nil {
		return event.ChatMessage{}, err
	}
	defer done()
	cut, err := m.deps.Store.AddTurnInstead(ctx, turn, msg, request, titleOf(was.Text, was.Attachments), titleOf(text, turn.Attachments))
	if err != nil {
		return event.ChatMessage{}, err
	}
	m.awaitSteps()
	if cut.Title != "" {
		m.deps.Publisher.Publish(event.Of(chat, "", event.ChatCreated{ID: chat, Title: cut.Title}))
	}
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatCut{Messages: cut.Messages, Jobs: cut.Jobs}), event.Of(chat, "", msg))
	m.end(cut)
	m.forget(chat)
	m.enqueue(Pending{Turn: turn})
	return msg, nil
}

// said checks the words of a message. Errors: empty_message, message_too_long.
func said(text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if n := utf8.RuneCountInString(text); n > MaxMessage {
		return "", apperr.New(apperr.MessageTooLong, "size", n, "limit", MaxMessage)
	}
	if text == "" {
		return "", apperr.New(apperr.EmptyMessage)
	}
	return text, nil
}

// end stops the turns and jobs that a cut removed, after awaitSteps. The store already has these turns as ended, so a turn that was
// storing tickets has either queued them before or cannot store them any more.
func (m *Manager) end(cut Cut) {
	m.mu.Lock()
	for _, q := range m.queues {
		if q.cancel != nil && slices.Contains(cut.Turns, q.turn) {
			q.cancel()
		}
	}
	m.mu.Unlock()
	m.deps.Jobs.Disown(cut.Jobs)
}

// awaitSteps waits until every stored step is also published and its tickets are queued. So no event about a chat follows the event that
// ends it. The store refuses steps that come later.
func (m *Manager) awaitSteps() {
	m.steps.Lock()
	m.steps.Unlock() //nolint:staticcheck // it is only waited for
}

// over ends a turn whose steps the store refuses.
func (m *Manager) over(t *Turn) {
	t.out = &TurnStep{}
	t.stopped(nil)
	m.deps.Publisher.Publish(t.doneEvent())
}
