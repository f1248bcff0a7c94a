package manager

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
)

// Where words say in which place a question is to be answered: 계약서 서가에서 …, in the contracts shelf, …, 첨부한 파일들에서 …
var (
	onShelfKO = lazyregexp.New(`\s*["'“”‘’]?\s*서가(?:에서는|에서만|에서|에선|에다가|에다|에게|한테|에|의)\s+`)
	onShelfEN = lazyregexp.New(`(?i)(?:^|[\s,])(?:ask|in|on|from|through|search|look in|according to)\s+(?:the\s+|my\s+|our\s+)?["“‘']?([^,?!.]{1,80}?)["”’']?\s+shelf\b\s*[,:]?\s*`)

	ofAttached = lazyregexp.New(`^\s*(?:(?:이|여기|지금)\s*(?:대화|채팅|방)에\s*)?(?:첨부한|첨부된|올린)\s*(?:파일|문서|것|자료)(?:들|\s*모두|\s*전부)?(?:에서는|에서만|에서|중에서|\s중에서)\s+` +
		`|(?i)^\s*(?:in|from)\s+(?:all\s+)?(?:the\s+|my\s+)?(?:attached\s+(?:files|documents)|attachments|files\s+(?:attached|in\s+this\s+chat))\s*[,:]?\s+`)
)

// mostShelfWords is of how many words a shelf's name may be that stands before the word for it.
const mostShelfWords = 8

// places finds the place that a message names: a shelf there is, or what is attached in the chat. A shelf that is named like one and is none
// is an error, shelf_unknown, with those there are.
func (m *Manager) places(ctx context.Context, t *Turn) error {
	if m.deps.Library == nil || t.About != nil || t.Action != "" || t.steers() || t.Resume != "" || len(t.Attachments) > 0 {
		return nil
	}
	if rest := ofAttached.ReplaceAllString(t.Text, ""); rest != t.Text && strings.TrimSpace(rest) != "" {
		about, err := m.attachedIn(ctx, t.Chat)
		if apperr.CodeOf(err) == apperr.AttachmentGone {
			return nil // then it means something else
		}
		t.About, t.Asked = about, strings.TrimSpace(rest)
		return err
	}
	name, rest, found := shelfNamed(t.Text, m.deps.Library.Shelves().Knows)
	switch {
	case name == "" || strings.TrimSpace(rest) == "":
		return nil
	case !found:
		near := m.deps.Library.Shelves().Near(name, t.Lang)
		if len(near) == 0 { // who has no shelf means no shelf of the library
			return nil
		}
		return apperr.New(apperr.ShelfUnknown, "name", name, "list", strings.Join(near, ", "))
	}
	about, ok := m.deps.Library.Shelf(ctx, name)
	if ok {
		t.About, t.Asked = &about, rest
	}
	return nil
}

// shelfNamed finds the shelf that a message names, and what it says besides. known is false of a name that no shelf has; then name is what
// stands where one would.
func shelfNamed(text string, knows func(string) bool) (name, rest string, known bool) {
	if at := onShelfKO.FindStringIndex(text); at != nil && at[0] > 0 {
		before, after := text[:at[0]], text[at[1]:]
		bare := strings.TrimRight(before, "\"'“”‘’ ")
		words := strings.Fields(bare)
		for n := min(len(words), mostShelfWords); n > 0; n-- { // the longest name there is
			said := strings.Trim(strings.Join(words[len(words)-n:], " "), "\"'“”‘’")
			if knows(said) {
				return said, strings.TrimSpace(strings.Join(words[:len(words)-n], " ") + " " + after), true
			}
		}
		// Without a space before it the word is the end of another one: 보고서가, 도서가.
		if apart := !strings.HasPrefix(text[len(bare):], "서가"); apart && len(words) <= 3 && strings.Contains(text[at[0]:at[1]], "에서") {
			return strings.Trim(bare, "\"'“”‘’ "), strings.TrimSpace(after), false
		}
		return "", "", false
	}
	if at := onShelfEN.FindStringSubmatchIndex(text); at != nil {
		said := strings.TrimSpace(text[at[2]:at[3]])
		rest := strings.NewReplacer(" ?", "?", " .", ".", " ,", ",").Replace(strings.TrimSpace(text[:at[0]] + " " + text[at[1]:]))
		if knows(said) {
			return said, rest, true
		}
		if at[0] == 0 && !strings.HasPrefix(strings.ToLower(text), "on") && len(strings.Fields(said)) <= 4 {
			return said, rest, false
		}
	}
	return "", "", false
}

// attachedIn names what is attached in a chat. Error: attachment_gone when nothing is.
func (m *Manager) attachedIn(ctx context.Context, chat string) (*event.DocumentRef, error) {
	list, err := m.deps.Library.ChatAttachments(ctx, chat)
	if err == nil && len(list) == 0 {
		err = apperr.New(apperr.AttachmentGone)
	}
	if err != nil {
		return nil, err
	}
	return m.attachedRef(), nil
}

// attachedRef stands for what is attached in a chat.
func (m *Manager) attachedRef() *event.DocumentRef {
	return &event.DocumentRef{DocumentID: event.AttachedPlace, Title: bilingual.Say(m.deps.Lang(), "이 대화에 첨부한 것", "what is attached in this chat")}
}
