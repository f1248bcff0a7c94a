package builtin

import (
	"fmt"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// How far the clocks of two places are apart is asked in forms of its own: of two places of which one is named as the other one, or here,
// or by what time it is in one of them.
var (
	apartWords = lazyregexp.New(`(?i)시차\S*|몇\s?시간\s?(?:이나\s?|정도\s?|쯤\s?)?(?:차이|빨라|빠르|빠른|느려|느리|느린|앞서|뒤처|늦어|늦은|늦나|이르)\S*|\btime difference\b|\bhow (?:many hours|far|much) (?:ahead|behind)\b|\bhours? (?:ahead|behind)\b`)
	isAhead    = lazyregexp.New(`(?i)^\s*(?:is|are)\s.*\b(?:ahead of|behind)\b`) // of two places
	thenWords  = lazyregexp.New(`(?i)시(?:\s?\S{0,4}분|\s?반)?(?:이?면|일\s?때)\s.*몇\s?시|\b(?:if|when) it(?:'s| is)\b.*\bwhat(?:'s| is)?(?: the)? time\b|\bwhat(?:'s| is)?(?: the)? time\b.*\b(?:if|when) it(?:'s| is)\b`)
	otherWords = lazyregexp.New(`(?i)\b(?:behind|of|than|ahead)\s$`)
)

// apart reads a question about the clocks of two places; ok is false when it is none.
func (c *catalog) apart(text string) (w wish, ok bool) {
	then := thenWords.MatchString(text)
	plain := then || apartWords.MatchString(text)
	if !plain && !isAhead.MatchString(text) {
		return w, false
	}
	t, place, than, at := c.comparing()
	if t == nil {
		return w, false
	}
	found := t.placesIn(text, place)
	if len(found) == 0 || len(found) > 2 || !plain && len(found) < 2 {
		return w, false
	}
	w = wish{tool: t, args: map[string]any{}, request: strings.TrimSpace(text), count: 1}
	to, other := found[len(found)-1], ""
	if len(found) == 2 {
		other = found[0].name
		if found[1].other {
			to, other = found[0], found[1].name
		}
		w.args[than] = other
	}
	w.args[place.Name] = to.name
	if !then {
		return w, true
	}
	clocks := slot.Clocks(strings.ToLower(text), false)
	if len(clocks) != 1 || clocks[0].Hour > 23 {
		return w, false
	}
	if len(found) == 2 && clocks[0].Start > to.at && clocks[0].Start > found[0].at { // what time is it in London when it is 9 in Seoul
		w.args[place.Name], w.args[than] = found[0].name, found[1].name
	}
	w.args[at] = fmt.Sprintf("%02d:%02d", clocks[0].Hour, clocks[0].Minute)
	return w, true
}

// comparing is the tool that compares the clocks of places, with its parameters for the place that is asked about, the other one, and the
// time there; nil when there is none.
func (c *catalog) comparing() (t *tool, place slot.Property, than, at string) {
	for _, t := range c.tools {
		for _, p := range t.props {
			switch p.Kind {
			case slot.KindPlace:
				place = p
			case slot.KindOther:
				than = p.Name
			case slot.KindClock:
				at = p.Name
			}
		}
		if place.Name != "" && than != "" && at != "" && !t.card.Outside {
			return t, place, than, at
		}
		place, than, at = slot.Property{}, "", ""
	}
	return nil, place, "", ""
}

// placed is a place in a text; other tells that it is named as the one to compare with.
type placed struct {
	name  string
	at    int
	other bool
}

// placesIn are the places there are that a text names.
func (t *tool) placesIn(text string, p slot.Property) (list []placed) {
	if t.there[p.Names] == nil {
		return nil // nobody can tell
	}
	ws := phrase.Words(apartWords.ReplaceAllStringFunc(text, func(w string) string { return strings.Repeat(" ", len(w)) }))
	for i := 0; i < len(ws); i++ {
		for n := min(3, len(ws)-i); n > 0; n-- {
			last := ws[i+n-1]
			stem, particle := phrase.Stem(last.Text)
			name := text[ws[i].Start : last.End-len(particle)]
			if n == 1 && (slot.FunctionWord(last.Lower) || slot.FunctionWord(stem) || len([]rune(name)) < 2) || !t.knows(p, name) {
				continue
			}
			list = append(list, placed{name, ws[i].Start, particle == "보다" || otherWords.MatchString(text[:ws[i].Start])})
			i += n - 1
			break
		}
	}
	return list
}
