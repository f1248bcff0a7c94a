package builtin

import (
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// takesBack parts a message that puts itself right: what is said behind it takes the place of what was said last before it.
var takesBack = lazyregexp.New(`(?i)(?:[\s,.]+)(?:아니야|아니다|아니|아냐|아참|정정할게|정정)[\s,.]+|(?:\s*[,.;]|\s-)\s*(?:oh,?\s+)?(?:no wait|wait no|no|wait|sorry|actually|i mean|rather|scratch that)\b[\s,]+(?:make (?:it|that)\s+)?`)

// putRight reads a message that puts itself right; ok is false when it does not.
func (c *catalog) putRight(text string, now time.Time) (m *message, ok bool) {
	text = phrase.Normalize(text)
	at := takesBack.FindStringIndex(text)
	if at == nil || inQuotes(text, at[0]) {
		return nil, false
	}
	head, tail := text[:at[0]], text[at[1]:]
	if strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		return nil, false
	}
	if number := bareNumber.FindStringSubmatch(tail); number != nil { // 20 minutes, no, 25: of the same
		if last := lastNumber.FindStringIndex(head); last != nil {
			m = c.clauses(head[:last[0]]+number[1]+head[last[1]:], now)
			m.right = true
			return m, len(m.wishes) > 0
		}
	}
	if m = c.clauses(tail, now); len(m.wishes) > 0 {
		parts := split(head)
		if before := head[:parts[len(parts)-1].start]; strings.TrimSpace(before) != "" {
			first := c.clauses(before, now)
			m.wishes, m.stops = append(first.wishes, m.wishes...), append(first.stops, m.stops...)
		}
		m.right = true
		return m, true
	}
	m = c.clauses(head, now)
	if len(m.wishes) == 0 || !m.wishes[len(m.wishes)-1].amend(tail, now) {
		return nil, false
	}
	m.right = true
	return m, true
}

// renumbered is the newest wish that was said with a number, with another one that a message says and nothing more: make that 15, 아니 20.
func (c *catalog) renumbered(text string, req provider.Request) (w wish, ok bool) {
	said := ", " + phrase.Normalize(text)
	if !takesBack.MatchString(said) {
		said = ", no" + said
	}
	at := takesBack.FindStringIndex(said)
	if at[0] != 0 || !bareNumber.MatchString(said[at[1]:]) {
		return w, false
	}
	for old := range c.earlier(req) {
		m, right := c.putRight(old.request+said, req.Now)
		if right && len(m.wishes) == 1 && m.wishes[0].tool == old.tool && string(encode(m.wishes[0].args)) != string(encode(old.args)) {
			m.wishes[0].request = m.text
			return m.wishes[0], true
		}
	}
	return w, false
}

var (
	bareNumber = lazyregexp.New(`^\s*(\d+)\s*(?:으?로)?(?:\s?(?:해\s?줘|할게|해|please))?[.!]?\s*$`)
	lastNumber = lazyregexp.New(`\d+`)
)

// amend gives a wish the values that a text holds in the place of its own; false when it holds none.
func (w *wish) amend(text string, now time.Time) (changed bool) {
	for _, p := range w.tool.props {
		if p.Kind == slot.KindText || p.Kind == slot.KindTitle && w.args[p.Name] == nil {
			continue
		}
		if value, said := slot.Fill(p, w.tool.input(p, text, now)); said && fits(p, value) && w.tool.knows(p, value) && value != w.args[p.Name] {
			w.args[p.Name], changed = value, true
		}
	}
	if w.delay != nil {
		waits := *w.delay
		waits.args = maps.Clone(waits.args)
		if waits.amend(text, now) {
			w.delay, changed = &waits, true
		}
	}
	w.left = slices.DeleteFunc(w.left, func(stranger) bool { return changed })
	return changed
}
