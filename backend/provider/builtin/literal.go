package builtin

import (
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// literal tells a tool whose argument is taken to the request: an address, a command. It is found by that argument and never by
// what its examples sound like, because words inside an address or a command mean nothing to a person.
func (t *tool) literal() bool {
	_, address := t.kind(slot.KindURL)
	_, command := t.kind(slot.KindCommand)
	return address || command
}

// reading are the words that ask for what stands at an address.
var (
	readingKO = lazyregexp.New(`읽|요약|내용|보여|뭐라고|뭐래|뭐가|정리|알려|가져|설명|무슨|번역`)
	readingEN = lazyregexp.New(`(?i)\b(?:read|summari[sz]e|summary|fetch|show|say|says|tell|get|visit|browse|look|explain|about|content|contents|text)\b`)
	leaveEN   = lazyregexp.New(`(?i)\b(?:don'?t|do not|never|no need)\b`)
)

// verbatim reads a message that asks for a tool whose argument is taken to the request.
func (c *catalog) verbatim(text string, now time.Time) (wish, bool) {
	for _, t := range c.tools {
		if !t.literal() {
			continue
		}
		args := t.fill(text, now)
		if len(t.missing(args)) > 0 {
			continue
		}
		if _, address := t.kind(slot.KindURL); address {
			_, rest, _ := slot.Address(text)
			if !c.asksToRead(rest, now) {
				continue
			}
		}
		return wish{tool: t, args: args, request: text, count: 1}, true
	}
	return wish{}, false
}

// asksToRead tells whether the words around an address ask for what stands there, and for nothing another tool does.
func (c *catalog) asksToRead(rest string, now time.Time) bool {
	v := newView(phrase.Respace(phrase.Normalize(rest)))
	if other, ok := c.match(v, now); ok && other.noun {
		return false
	}
	if !v.korean {
		return readingEN.MatchString(rest) && !leaveEN.MatchString(rest) && v.act() != actNegative
	}
	switch v.act() {
	case actRequest, actWish, actQuestion:
		return readingKO.MatchString(rest)
	case actFragment:
		return readingKO.MatchString(rest) && len(v.words) <= 3
	case actTalk, actNegative:
	}
	return false
}
