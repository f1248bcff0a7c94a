package manager

import (
	"cmp"
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/frontdesk"
	"agentchat/backend/library/agent"
)

// SayWith takes a message with attachments, given by their ids and names; the message may have no text. document is the library document it
// asks about, "" for none; seen is as in OnUserInput. Errors: those of OnUserInput and SayAbout,
// too_many_attachments, attachment_gone.
func (m *Manager) SayWith(ctx context.Context, chat, text, document, seen string, attachments []event.Attachment) (event.ChatMessage, error) {
	text, err := said(text)
	if err != nil && (len(attachments) == 0 || apperr.CodeOf(err) != apperr.EmptyMessage) {
		return event.ChatMessage{}, err
	}
	if chat == "" {
		chat = "main"
	}
	if len(chat) > 128 || strings.HasPrefix(chat, JobChat) || len(seen) > 256 {
		return event.ChatMessage{}, apperr.New(apperr.InvalidArgs, "detail", "chat or seen")
	}
	if attachments, err = m.handedIn(ctx, attachments); err != nil {
		return event.ChatMessage{}, err
	}
	about := m.attachedRef() // of a message that brings the first of them nothing is attached in the chat yet
	if document != event.AttachedPlace || len(attachments) == 0 {
		if about, err = m.titled(ctx, chat, document); err != nil {
			return event.ChatMessage{}, err
		}
	}
	turn := Turn{Chat: chat, Text: text, Seen: seen, About: about, Attachments: attachments}
	if err := m.spell(ctx, &turn); err != nil {
		return event.ChatMessage{}, err
	}
	turn.Lang = m.tongue(chat, turn.Text)
	return m.take(ctx, turn)
}

// handedIn looks attachments up.
func (m *Manager) handedIn(ctx context.Context, named []event.Attachment) ([]event.Attachment, error) {
	switch {
	case len(named) == 0:
		return nil, nil
	case m.deps.Attachments == nil || m.deps.Library == nil:
		return nil, apperr.New(apperr.AttachmentGone)
	}
	return m.deps.Attachments(ctx, named)
}

// asksAttached tells whether a message is about its attachments. That they came with it counts as evidence, so only a message that is
// surely another kind of request is not.
func (m *Manager) asksAttached(ctx context.Context, t *Turn) bool {
	if len(t.Attachments) == 0 || t.Action != "" || t.steers() || m.deps.Library == nil {
		return false
	}
	if t.reading == nil || t.Text == "" {
		return true
	}
	for _, o := range m.offers(ctx, t) {
		if o.Key == frontdesk.KeyLibrary {
			return true // the most probable come first
		}
		if o.Ordered && !o.Spoken {
			return false
		}
	}
	return true
}

// inquires makes the inquiry of a message.
func (t *Turn) inquires(before *agent.Earlier) {
	text := cmp.Or(t.Asked, t.Text)
	if text == "" {
		text = t.say("첨부한 것에 무엇이 있는지 간추려 주세요.", "Sum up what is attached.")
	}
	t.Inquiry = &agent.Inquiry{Chat: t.Chat, Turn: t.ID, Message: t.Message, Lang: t.Lang, Text: text, Before: before, About: t.About}
}

// attached gives the inquiry the attachments of the message, or else those that the conversation it continues was about.
func (m *Manager) attached(ctx context.Context, t *Turn) error {
	list := t.Attachments
	if len(list) == 0 {
		list = t.Carried
	}
	if a := t.Inquiry.About; a != nil && a.DocumentID == event.AttachedPlace {
		all, err := m.deps.Library.ChatAttachments(ctx, t.Chat)
		if err != nil {
			return err
		}
		if t.Inquiry.About = nil; len(all) == 0 {
			return apperr.New(apperr.AttachmentGone)
		}
		list = all
	}
	if len(list) == 0 || t.Inquiry.Next != "" || t.Inquiry.Parts != nil {
		return nil
	}
	documents, pictures, err := m.deps.Library.HandedIn(ctx, list)
	if err != nil {
		return err
	}
	switch {
	case len(documents) == 0 && t.Inquiry.Loose: // nothing to look in first
	case len(documents)+len(pictures) == 0 && len(t.Attachments) > 0:
		return apperr.New(apperr.AttachmentGone)
	default:
		t.Inquiry.Attached, t.Inquiry.Pictures = documents, pictures
	}
	return nil
}
