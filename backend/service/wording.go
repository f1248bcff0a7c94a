package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/wordlist"
)

// Wording is a model's sentence for the question about a missing value.
type Wording struct {
	Slot string // the slot it asks for
	Text string
}

// keeps tells whether the sentence may be said: one short question in the session's language, about the slot that is
// asked for, with the session's own values and otherwise nothing but words of asking. Of these no claim can be made, nor
// another name or amount said.
func (w *Wording) keeps(m *Manifest, s Session) bool {
	if w == nil || w.Slot != s.Asked || len(s.Errors) > 0 || s.FillTurns > 1 {
		return false
	}
	text := strings.TrimSpace(w.Text)
	if n := utf8.RuneCountInString(text); n < 4 || n > 120 || strings.ContainsAny(text, "\n\r\t`<>{}[]|\\@/:") {
		return false
	}
	if !strings.HasSuffix(text, "?") || strings.ContainsAny(strings.TrimSuffix(text, "?"), ".!?") {
		return false
	}
	if hasHangul(text) != (s.Lang == bilingual.KO) {
		return false
	}
	left := text
	for _, slot := range m.Slots {
		if v, ok := s.Slots[slot.Name]; ok {
			said := display(slot, v, s.Lang)
			if !strings.Contains(left, said) {
				return false // a question that leaves out what is known could be about something else
			}
			left = strings.ReplaceAll(left, said, "")
		}
	}
	return !strings.ContainsFunc(left, unicode.IsNumber) && plain(left, m.ask(s))
}

// plain tells whether every word of the sentence stands in the house's own question, too, or is one of asking.
func plain(text, own string) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	house := words(own)
	return !slices.ContainsFunc(words(text), func(word string) bool { return !askingWords[word] && !slices.Contains(house, word) })
}

var askingWords = wordlist.Of("에게 에게는 한테 께 을 를 은 는 이 가 얼마 얼마를 얼마나 얼마큼 보낼까요 보내드릴까요 보내 드릴까요 원하세요 드리면 될까요 할까요 하시겠어요 누구 누구에게 누구한테 언제 어디 어느 무엇 무엇을 뭐 몇 몇시 how much many who whom what when where which should would shall i you like to send me please the it for do want be may is")

func hasHangul(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}
