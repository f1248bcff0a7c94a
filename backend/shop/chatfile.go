package shop

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/privatefile"
)

// exportPage is how many messages are read at once.
const exportPage = 500

// ExportChat writes a conversation as Markdown, oldest first, into a file that only its owner can read, whole or not at all.
// What is hidden in it stays behind. Errors: not_found, invalid_args, storage errors.
func (s *Shop) ExportChat(ctx context.Context, id, path string) error {
	if path == "" {
		return apperr.New(apperr.InvalidArgs, "detail", "path")
	}
	chats, err := s.store.Chats(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(chats, func(c manager.Chat) bool { return c.ID == id })
	if at < 0 {
		return apperr.New(apperr.NotFound, "what", "chat", "id", id)
	}
	var pages [][]event.ChatMessage
	for before := ""; ; {
		page, err := s.store.History(ctx, id, before, exportPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		pages = append(pages, page)
		before = page[0].ID
	}
	slices.Reverse(pages)
	return writeWhole(path, func(file io.Writer) error {
		w := bufio.NewWriter(file)
		s.markdown(w, chats[at], slices.Concat(pages...))
		return w.Flush()
	})
}

// markdown writes a conversation: who said it, when, and what an answer rests on. A writer that fails says so when it is flushed.
func (s *Shop) markdown(w *bufio.Writer, chat manager.Chat, messages []event.ChatMessage) {
	lang := s.Config.Get().Lang
	title := chat.Title
	if title == "" {
		title = bilingual.Say(lang, "대화", "Conversation")
	}
	_, _ = fmt.Fprintf(w, "# %s\n", title)
	for _, m := range messages {
		who := bilingual.Say(lang, "가게", "Shop")
		if m.Role == event.RoleCustomer {
			who = bilingual.Say(lang, "나", "You")
		}
		when := m.Time
		if at, err := time.Parse(time.RFC3339Nano, m.Time); err == nil {
			when = at.Local().Format(time.DateTime)
		}
		if m.About != nil {
			when += " · " + bilingual.Say(lang, "‘"+m.About.Title+"’에서", "in “"+m.About.Title+"”")
		}
		_, _ = fmt.Fprintf(w, "\n**%s** · %s\n\n%s\n", who, when, m.Text)
		for i, a := range m.Attachments {
			_, _ = fmt.Fprintf(w, "%s- %s %s", map[bool]string{true: "\n"}[i == 0], bilingual.Say(lang, "첨부:", "Attached:"), attachedAs(a))
			_, _ = w.WriteString("\n")
		}
		if m.Library == nil {
			continue
		}
		for i, source := range m.Library.Sources {
			_, _ = fmt.Fprintf(w, "%s[%d] %s %s", map[bool]string{true: "\n> ", false: " · "}[i == 0], i+1, source.Title, source.Article)
		}
		if len(m.Library.Sources) > 0 {
			_, _ = w.WriteString("\n")
		}
	}
}

// attachedAs is an attachment in the text of a conversation.
func attachedAs(a event.Attachment) string {
	name := strings.NewReplacer("*", "＊", "_", "＿", "`", "’", "[", "［", "]", "］", "<", "‹", ">", "›").Replace(a.Name)
	if a.Kind == event.AttachmentImage {
		return fmt.Sprintf("%s (%s, %d×%d)", name, strings.ToUpper(a.Format), a.Width, a.Height)
	}
	return fmt.Sprintf("%s (%s)", name, strings.ToUpper(a.Format))
}

// writeWhole writes a file that only its owner can read, whole or not at all: what was there before stays until it is done.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := privatefile.WriteWith(path, write); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return nil
}
