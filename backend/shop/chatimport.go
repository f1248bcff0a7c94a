package shop

import (
	"cmp"
	"context"
	"slices"
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

// ChatsFound is what an export holds: Found as ImportChats would report it, and the names of the first chats that would be new.
type ChatsFound struct {
	Path   string        `json:"path"`
	Source string        `json:"source"` // who handed it out, as people call it
	Found  ChatsImported `json:"found"`
	Titles []string      `json:"titles"`
}

// mostTitles is how many names of chats are told before an import.
const mostTitles = 5

// ImportChats brings in the conversations of an export of ChatGPT or Claude, with their branches as chats of their own, and chats that this program saved. What was brought in before is
// not again, and what was deleted here stays deleted. Nothing of it counts as the customer's words. Errors: not_an_export, storage errors; what came
// before a damaged place stays.
func (s *Shop) ImportChats(ctx context.Context, path string) (report ChatsImported, err error) {
	lang := s.Config.Get().Lang
	err = chatimport.Read(ctx, path, func(c chatimport.Conversation) error {
		n, err := s.news(ctx, c)
		if err != nil || len(n.messages) == 0 {
			report.Known++
			return err
		}
		if c.Kept != nil {
			if err := s.returned(ctx, c, n, lang, &report); err != nil {
				return err
			}
			report.count(n)
			return nil
		}
		fresh := make([]event.ChatMessage, len(n.messages))
		for i, m := range n.messages {
			fresh[i] = s.imported(ctx, m, n.times[i], lang, &report)
		}
		if err := s.store.ImportChat(ctx, c.ID, titleOf(c, lang), n.created, fresh); err != nil {
			return err
		}
		report.count(n)
		return nil
	})
	return report, err
}

// LookAtChats tells what ImportChats would bring in, and brings in nothing. Errors: as ImportChats.
func (s *Shop) LookAtChats(ctx context.Context, path string) (ChatsFound, error) {
	lang, found := s.Config.Get().Lang, ChatsFound{Path: path, Titles: []string{}}
	err := chatimport.Read(ctx, path, func(c chatimport.Conversation) error {
		found.Source = string(c.Source)
		n, err := s.news(ctx, c)
		if err != nil || len(n.messages) == 0 {
			found.Found.Known++
			return err
		}
		for _, m := range n.messages {
			found.Found.Files += len(m.Files)
			found.Found.Missing += len(m.Missing)
		}
		if found.Found.count(n); n.first && len(found.Titles) < mostTitles {
			found.Titles = append(found.Titles, titleOf(c, lang))
		}
		return nil
	})
	return found, err
}

// news is what a conversation holds that is not here: its messages with their times, and whether the chat is a new one.
type news struct {
	messages []chatimport.Message
	times    []time.Time
	created  time.Time
	first    bool
}

func (s *Shop) news(ctx context.Context, c chatimport.Conversation) (n news, err error) {
	known, deleted, err := s.store.ChatMessages(ctx, c.ID)
	if err != nil || deleted {
		return n, err
	}
	if c.Kept != nil { // it comes as a whole, and not where it is at home
		home, _, err := s.store.ChatMessages(ctx, c.Kept.From)
		if err != nil || len(known) > 0 || slices.ContainsFunc(c.Messages, func(m chatimport.Message) bool { return home[m.Was] }) {
			return n, err
		}
	}
	n.created, n.first = c.Created, len(known) == 0
	if n.created.IsZero() {
		n.created = time.Now().UTC()
	}
	last := n.created
	for _, m := range c.Messages {
		if !m.Time.IsZero() {
			last = m.Time
		}
		if !known[m.ID] {
			n.messages, n.times = append(n.messages, m), append(n.times, last)
		}
	}
	return n, nil
}

func (r *ChatsImported) count(n news) {
	if n.first {
		r.Chats++
	}
	r.Messages += len(n.messages)
}

func titleOf(c chatimport.Conversation, lang bilingual.Lang) string {
	title := cmp.Or(c.Title, string(c.Source))
	if c.Branch > 0 {
		title += bilingual.Say(lang, " (다른 갈래 %d)", " (branch %d)", c.Branch+1)
	}
	return title
}

// imported is a message as it is kept. A file that cannot be had is named in it.
func (s *Shop) imported(ctx context.Context, m chatimport.Message, at time.Time, lang bilingual.Lang, report *ChatsImported) event.ChatMessage {
	msg := m.Said // of a chat that this program saved; else it is empty
	msg.ID, msg.Role, msg.Text, msg.Time = m.ID, event.RoleImportedReply, m.Text, event.Stamp(at)
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
