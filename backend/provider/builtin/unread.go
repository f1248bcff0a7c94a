package builtin

import (
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// Unread gives the words of a message that its plan does not rest on: they are no words of asking, stand in none of the values, and
// without them the message would be read just the same; or they point at what was said before. Somebody who understands more may make something of them. Safe for
// concurrent use.
func (p *Provider) Unread(cards []provider.ToolCard, text string, now time.Time) (left []string) {
	c := p.catalogs.of(cards, p.Names)
	m := c.read(text, now)
	plain := phrase.Respace(phrase.Normalize(text))
	meant := m.meant()
	for _, w := range phrase.Words(plain) {
		if !m.carries(w.Lower) && c.understand(plain[:w.Start]+plain[w.End:], now).meant() == meant {
			left = append(left, w.Text)
		}
	}
	return left
}

// meant is what a message comes to, for comparison.
func (m *message) meant() string {
	var b strings.Builder
	for _, w := range m.wishes {
		b.WriteString(w.tool.card.Key)
		b.Write(encode(w.args))
		for range w.count {
			b.WriteByte('+')
		}
		if w.delay != nil {
			b.Write(encode(w.delay.args))
		}
	}
	for _, s := range m.stops {
		b.WriteString(" stop " + s.v.compact)
	}
	return b.String()
}

// carries tells whether a word only carries what is wished, or stands in a value of it.
func (m *message) carries(w string) bool {
	stem, particle := phrase.Stem(w)
	if particle == "로" || particle == "으로" { // how, and with what, is more than asking
		stem = w
	}
	points := slot.Points(w) || slot.Points(stem)
	for _, form := range []string{w, stem} {
		if slot.FunctionWord(form) && !points || m.known(form) {
			return true
		}
	}
	if !phrase.Korean(w) || points {
		return false
	}
	for end := len(w); end > 0; { // what a verb begins with, whatever it ends in
		_, size := utf8.DecodeLastRuneInString(w[:end])
		if end -= size; utf8.RuneCountInString(w[:end]) < 2 {
			break
		}
		if slot.FunctionWord(w[:end]) || m.known(w[:end]) {
			return true
		}
	}
	return false
}

// known tells whether a word is one of the tools' own, or stands in a value.
func (m *message) known(w string) bool {
	for _, wish := range m.wishes {
		if wish.tool.carrier(w) {
			return true
		}
		for _, v := range wish.args {
			if s, ok := v.(string); ok && strings.Contains(strings.ToLower(s), w) {
				return true
			}
		}
	}
	return false
}
