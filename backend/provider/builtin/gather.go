package builtin

import (
	"maps"
	"strings"
	"time"

	"agentchat/backend/language/slot"
)

// borrow fills a place that the wish itself does not name from the words before it: 부산 가는데 날씨 어때?
func (w *wish) borrow(before string, now time.Time) {
	for name, v := range w.tool.fill(before, now) {
		for _, p := range w.tool.props {
			if p.Name == name && w.args[name] == nil && w.tool.knows(p, v) && (p.Kind == slot.KindPlace || p.Kind == slot.KindDate || p.Kind == slot.KindDuration) {
				w.args[name] = v
			}
		}
	}
}

// add appends a wish, or completes the last one when both are the same wish said twice.
func (m *message) add(w wish) {
	if n := len(m.wishes); n > 0 {
		last := &m.wishes[n-1]
		if last.tool == w.tool && !w.more && (len(last.args) == 0 || len(w.args) == 0 || sameArgs(last.args, w.args)) && last.count == 1 && w.count == 1 {
			maps.Copy(last.args, w.args)
			last.request = strings.TrimSpace(last.request + " " + w.request)
			return
		}
	}
	m.wishes = append(m.wishes, w)
}

func sameArgs(a, b map[string]any) bool {
	for k, v := range b {
		if old, ok := a[k]; ok && old != v {
			return false
		}
	}
	for k := range a {
		if _, ok := b[k]; ok {
			return true
		}
	}
	return len(a) == 0 || len(b) == 0 || disjoint(a, b)
}

// disjoint: one names the place and the other the day of the same wish.
func disjoint(a, b map[string]any) bool {
	for k := range a {
		if _, ok := b[k]; ok {
			return false
		}
	}
	return true
}

// extend adds the words of a clause without a wish of its own to the wish before it: play Beauty and the Beast.
func (m *message) extend(n int, p *part, now time.Time) {
	w := &m.wishes[n]
	i := strings.LastIndex(m.text[:p.start], w.request)
	if i < 0 {
		return
	}
	w.request = strings.TrimSpace(m.text[i:p.end])
	maps.Copy(w.args, w.tool.fill(w.request, now))
}

// share makes a wish of a name that shares the tool of its neighbour: 부산이랑 서울 날씨, weather in Busan and Seoul.
func (m *message) share(i int, now time.Time) bool {
	p := &m.parts[i]
	if p.bare && i+1 < len(m.parts) && m.parts[i+1].hit && m.parts[i+1].allowed() {
		next := m.parts[i+1]
		return m.shareArg(p.v.text, next.found, true, now, p.rel)
	}
	if !p.v.korean && !p.sentence && i > 0 && m.parts[i-1].hit && m.parts[i-1].allowed() && len(p.v.words) <= 3 && p.v.words[0].Text != p.v.words[0].Lower {
		return m.shareArg("in "+p.v.text, m.parts[i-1].found, false, now, p.rel)
	}
	return false
}

func (m *message) shareArg(text string, with found, titles bool, now time.Time, rel relation) bool {
	for _, prop := range with.tool.props {
		if _, own := with.args[prop.Name]; !own || prop.Kind != slot.KindPlace && !(titles && prop.Kind == slot.KindTitle) {
			continue
		}
		if prop.Kind == slot.KindPlace && !with.tool.answers {
			continue
		}
		v, ok := slot.Fill(prop, with.tool.input(prop, text, now))
		if !ok || v == with.args[prop.Name] || !with.tool.knows(prop, v) {
			continue
		}
		args := map[string]any{}
		maps.Copy(args, with.args)
		args[prop.Name] = v
		for _, other := range with.tool.props {
			if other.Kind == prop.Kind && other.Name != prop.Name {
				delete(args, other.Name)
			}
		}
		m.wishes = append(m.wishes, wish{tool: with.tool, args: args, rel: rel, request: strings.TrimSpace(strings.TrimPrefix(text, "in ")), count: 1})
		return true
	}
	return false
}
