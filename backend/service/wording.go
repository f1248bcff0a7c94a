package service

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/apperr"
)

// Wording is a model's sentence for the question about a missing value.
type Wording struct {
	Slot string // the slot it asks for
	Text string
}

var (
	digits = regexp.MustCompile(`[0-9]|[일이삼사오육칠팔구십백천만억]+\s?원`)
	// settled are words that claim something happened or will: a question says no such thing.
	settled = regexp.MustCompile(`(?i)완료|됐|되었|했어|했습|했고|보냈|끝났|처리|성공|실행|예약했|확인했|done|sent|complete|transferr|success|executed|booked|made|confirmed|already|finished`)
)

// keeps tells whether the sentence may be said: one short question in the session's language, about the slot that is
// asked for, that claims nothing and names no amount and no person beyond the session's own.
func (w *Wording) keeps(m *Manifest, s Session) bool {
	if w == nil || w.Slot != s.Asked || len(s.Errors) > 0 || s.FillTurns > 1 {
		return false
	}
	text := strings.TrimSpace(w.Text)
	if n := utf8.RuneCountInString(text); n < 4 || n > 120 || strings.ContainsAny(text, "\n\r\t`<>{}[]|\\@/:") {
		return false
	}
	if !strings.HasSuffix(text, "?") || strings.ContainsAny(strings.TrimSuffix(text, "?"), ".!?") || settled.MatchString(text) {
		return false
	}
	if hasHangul(text) != (s.Lang == apperr.KO) {
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
	return !digits.MatchString(left) && plain(left, m.ask(s))
}

// plain tells whether every word of the sentence also stands in the house's own question, by its first two letters, or
// is one of asking: so no name can be slipped in.
func plain(text, own string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !askingWords[word] && !strings.Contains(strings.ToLower(own), firstRunes(word, 2)) {
			return false
		}
	}
	return true
}

var askingWords = set("에게 에게는 한테 께 을 를 은 는 이 가 얼마 얼마를 얼마나 얼마큼 보낼까요 보내드릴까요 보내 드릴까요 원하세요 드리면 될까요 할까요 하시겠어요 누구 누구에게 누구한테 언제 어디 어느 무엇 무엇을 뭐 몇 몇시 how much many who whom what when where which should would shall i you like to send me please the it for do want be may is")

func firstRunes(s string, n int) string {
	rs := []rune(s)
	return string(rs[:min(n, len(rs))])
}

func hasHangul(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}
