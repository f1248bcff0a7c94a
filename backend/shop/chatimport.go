package shop

import (
	"context"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/chatimport"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// ChatsImported is what became of an export: how many chats and messages are new, how many chats were known with all they hold, how many files came with
// them, and how many the export does not hold or nobody can read.
type ChatsImported struct {
	Chats    int `json:"chats"`
	Messages int `json:"messages"`
	Known    int `json:"known"`
	Files    int `json:"files"`
	Missing  int `json:"missing"`
}

// ImportChats brings in the conversations of an export of ChatGPT or Claude, with their branches as chats of their own. What was brought in before is
// not again, and what was deleted here stays deleted. Nothing of it counts as the customer's words. Errors: not_an_export, storage errors; what came
// before a damaged place stays.
func (s *Shop) ImportChats(ctx context.Context, path string) (report ChatsImported, err error) {
	lang := s.Config.Get().Lang
	err = chatimport.Read(ctx, path, func(c chatimport.Conversation) error { return s.importChat(ctx, c, lang, &report) })
	return report, err
}

func (s *Shop) importChat(ctx context.Context, c chatimport.Conversation, lang bilingual.Lang, report *ChatsImported) error {
	known, deleted, err := s.store.ChatMessages(ctx, c.ID)
	if err != nil {
		return err
	}
	created := c.Created
	if created.IsZero() {
		created = time.Now().UTC()
	}
	var fresh []event.ChatMessage
	last := created
	for _, m := range c.Messages {
		if !m.Time.IsZero() {
			last = m.Time
		}
		if deleted || known[m.ID] {
			continue
		}
		fresh = append(fresh, s.imported(ctx, m, last, lang, report))
	}
	if len(fresh) == 0 {
		report.Known++
		return nil
	}
	title := c.Title
	if title == "" {
		title = string(c.Source)
	}
	if c.Branch > 0 {
		title += bilingual.Say(lang, " (다른 갈래 %d)", " (branch %d)", c.Branch+1)
	}
	if err := s.store.ImportChat(ctx, c.ID, title, created, fresh); err != nil {
		return err
	}
	if len(known) == 0 {
		report.Chats++
	}
	report.Messages += len(fresh)
	return nil
}

// imported is a message as it is kept. A file that cannot be had is named in it.
func (s *Shop) imported(ctx context.Context, m chatimport.Message, at time.Time, lang bilingual.Lang, report *ChatsImported) event.ChatMessage {
	msg := event.ChatMessage{ID: m.ID, Role: event.RoleImportedReply, Text: m.Text, Time: at.Format(time.RFC3339Nano)}
	if m.Mine {
		msg.Role = event.RoleImportedAsk
	}
	missing := m.Missing
	for _, f := range m.Files {
		a, err := s.attachImported(ctx, f)
		if err != nil {
			missing = append(missing, f.Name)
			continue
		}
		report.Files++
		msg.Attachments = append(msg.Attachments, a)
	}
	if len(missing) > 0 {
		report.Missing += len(missing)
		note := bilingual.Say(lang, "(가져온 파일에 없는 첨부: %s)", "(attached, but not in the export: %s)", strings.Join(missing, ", "))
		msg.Text = strings.TrimSpace(msg.Text + "\n\n" + note)
	}
	return msg
}

func (s *Shop) attachImported(ctx context.Context, f chatimport.File) (event.Attachment, error) {
	in, err := f.Open()
	if err != nil {
		return event.Attachment{}, apperr.Wrap(err, apperr.NotAnExport)
	}
	defer func() { _ = in.Close() }()
	return s.attachments.AttachFrom(ctx, f.Name, in)
}
