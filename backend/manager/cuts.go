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
	m.AwaitTold()
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatDeleted{ID: chat, Stopped: len(cut.Jobs)}))
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

// Instead is what is said in the place of an earlier request. Document is the one that is asked about, "" for none, nil: as the request had
// it; Attachments are the files it comes with, nil: as the request had them. Keep are jobs of what it replaces that go on. Model is the one
// that is to answer, as provider/model; "": whichever answers in the chat.
type Instead struct {
	Text        string
	Document    *string
	Attachments []event.Attachment
	Keep        []string
	Model       string
}

// SayInstead replaces an earlier request: the request, its results and everything after it go out of sight, as a version that can be shown
// again. That and the new message are one transaction, so nothing is hidden if the new message is refused or the program dies. The work that
// the request had started is stopped once its successor is stored. Errors: those of OnUserInput and SayWith, not_found, document_gone.
func (m *Manager) SayInstead(ctx context.Context, request string, in Instead) (event.ChatMessage, error) {
	text, empty := said(in.Text)
	if empty != nil && apperr.CodeOf(empty) != apperr.EmptyMessage {
		return event.ChatMessage{}, empty
	}
	if len(in.Model) > 256 {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "model")
	}
	chat, was, err := m.deps.Store.Request(ctx, request)
	if err != nil {
		return event.ChatMessage{}, err
	}
	attachments := in.Attachments
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
	if in.Document != nil && (about == nil || about.DocumentID != *in.Document) { // one that is gone meanwhile is answered for
		if about, err = m.titled(ctx, chat, *in.Document); err != nil {
			return event.ChatMessage{}, err
		}
	}
	turn := Turn{ID: m.deps.NewID(), Chat: chat, Text: text, About: about, Attachments: attachments, Message: m.deps.NewID(), Model: in.Model}
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
	cut, err := m.deps.Store.AddTurnInstead(ctx, turn, msg, Place{
		Request: request, Keep: in.Keep, Was: titleOf(was.Text, was.Attachments), Title: titleOf(text, turn.Attachments),
	})
	if err != nil {
		return event.ChatMessage{}, err
	}
	msg.Versions = cut.Versions
	m.AwaitTold()
	if cut.Title != "" {
		m.deps.Publisher.Publish(event.Of(chat, "", event.ChatCreated{ID: chat, Title: cut.Title}))
	}
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatCut{Messages: cut.Messages, Jobs: cut.Jobs}), event.Of(chat, "", msg))
	m.end(cut)
	m.forget(chat)
	m.enqueue(Pending{Turn: turn})
	return msg, nil
}

// ShowVersion shows another version of a request, with all that followed it; nothing that was started is stopped or started by that. Errors:
// not_found, chat_busy, storage errors.
func (m *Manager) ShowVersion(ctx context.Context, request string) (chat string, err error) {
	versions, err := m.deps.Store.Versions(ctx, request)
	if err != nil {
		return "", err
	}
	if len(versions) == 0 {
		return "", apperr.New(apperr.NotFound, "what", "message", "id", request)
	}
	chat, cut, err := m.deps.Store.ShowVersion(ctx, request)
	if err != nil || cut.Messages == nil {
		return chat, err
	}
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatVersion{Request: request, Messages: cut.Messages}))
	m.forget(chat)
	return chat, nil
}

// Versions gives all versions of a request with the work that each started, oldest first. Errors: storage errors.
func (m *Manager) Versions(ctx context.Context, request string) ([]Version, error) {
	return m.deps.Store.Versions(ctx, request)
}

// ForkChat makes a chat of what stands in another up to a message. What goes on in that one is its own. Errors: not_found, storage errors.
func (m *Manager) ForkChat(ctx context.Context, message, title string) (event.ChatCreated, error) {
	made := event.ChatCreated{ID: m.deps.NewID(), Title: title}
	if _, err := m.deps.Store.ForkChat(ctx, message, made.ID, title); err != nil {
		return made, err
	}
	m.deps.Publisher.Publish(event.Of(made.ID, "", made))
	return made, nil
}

// DropChat lets go for good of a chat that was deleted. Errors: not_found, storage errors.
func (m *Manager) DropChat(ctx context.Context, chat string) error {
	done, err := m.saying(ctx, chat)
	if err != nil {
		return err
	}
	defer done()
	if err := m.deps.Store.DropChat(ctx, chat); err != nil {
		return err
	}
	m.deps.Publisher.Publish(event.Of(chat, "", event.ChatDeleted{ID: chat, Gone: true}))
	return nil
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

// end stops the turns and jobs that a cut removed, after AwaitTold. The store already has these turns as ended, so a turn that was
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

// Telling runs what stores something of a chat and tells of it, as a step does: who ends the chat or names it after that is told of after it.
func (m *Manager) Telling(do func() error) error {
	m.steps.RLock()
	defer m.steps.RUnlock()
	return do()
}

// AwaitTold waits until everything that was stored is also published and its tickets are queued. So no event about a chat follows the event
// that ends it, and none with another title the one with the title that a person gave it. The store refuses what comes later.
func (m *Manager) AwaitTold() {
	m.steps.Lock()
	m.steps.Unlock() //nolint:staticcheck // it is only waited for
}

// over ends a turn whose steps the store refuses.
func (m *Manager) over(t *Turn) {
	t.out = &TurnStep{}
	t.stopped(nil)
	m.deps.Publisher.Publish(t.doneEvent())
}
