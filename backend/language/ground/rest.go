package ground

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/lazyregexp"
)

// rest finds free words that nothing announces: what is left of a message that asks for the service itself, once the other values, the
// request and the words around it (the slot's frame: 일정에, to my … list, remind me to) are taken off. What holds them (장보기에 …, my shopping
// list) goes to the slot for that.
func (p *parsed) rest() {
	if p.request.Asked != "" || len(p.slots.of(Name)) > 0 || asked.MatchString(p.s) {
		return
	}
	for _, sl := range p.slots.of(Text) {
		if len(sl.Frame) == 0 || slices.ContainsFunc(p.items, func(it item) bool { return it.Slot == sl.Name }) {
			continue
		}
		from, to, hold, held := p.freeWords(sl.Frame)
		if from >= to || utf8.RuneCountInString(p.s[from:to]) > 200 {
			continue
		}
		p.add(item{Finding: Finding{Slot: sl.Name, Kind: Text, Value: p.free(sl, from, to, hold < held || lists.MatchString(p.s))}, from: from, to: to})
		for _, of := range p.slots.of(Text) {
			if of.Holds == sl.Name && hold < held {
				p.add(item{Finding: Finding{Slot: of.Name, Kind: Text, Value: p.original(hold, held)}, from: hold, to: held})
			}
		}
	}
}

// lists are words that say that something is put on a list.
var lists = lazyregexp.New(`목록|리스트|\blists?\b`)

// free is the value of free words: several things in as many lines, where the slot takes them and the words are no appointment.
func (p *parsed) free(sl Slot, from, to int, listed bool) string {
	words := p.original(from, to)
	if to := toldTo.FindStringSubmatch(p.s[to:]); to != nil {
		words = slot.Nominal(words, to[1])
	}
	timed := slices.ContainsFunc(p.items, func(it item) bool { return it.Counts() && (it.Kind == Time || it.Kind == Date && !listed) })
	if quoted := from > 0 && strings.ContainsAny(p.s[from-1:from], `"'`); !sl.Several || timed || quoted {
		return words
	}
	if things := Things(words, listed); things != nil {
		return strings.Join(things, "\n")
	}
	return words
}

// freeWords gives where the words stand that are left of a message once everything around them is taken off: the request, other values
// and the words of a frame. hold..held is what holds them, where something does.
func (p *parsed) freeWords(words []string) (from, to, hold, held int) {
	frame := map[string]bool{}
	for _, w := range words {
		frame[slot.Read(w).Text] = true
	}
	p.repetitions()
	begins := len(takenBack.FindString(p.s))
	begins += len(goesOn.FindString(p.s[begins:]))
	from, to = p.unmarked(p.trimRequest(begins, len(p.s)))
	for begin, end := -1, -1; (begin != from || end != to) && from < to; {
		begin, end = from, to
		if m := askTail.FindStringIndex(p.s[from:to]); m != nil && m[0] > 0 {
			to = from + m[0]
		}
		if m := besides.FindStringIndex(p.s[from:to]); m != nil && m[0] > 0 {
			to = from + m[0]
		}
		if in, end, ok := p.parted(from, to, frame); ok {
			from, to = in, end
		}
		if h, ok := p.holderBehind(from, to, frame); ok {
			to = h.cut
			hold, held = h.or(hold, held)
		}
		if h, ok := p.holderAhead(from, to, frame); ok {
			from = h.cut
			hold, held = h.or(hold, held)
		}
		from, to = p.unmarked(p.trimRequest(from, to))
	}
	if from, to = p.bareBegin(from, to), p.bareEnd(from, to); from < to && named(p.s[from:to], frame) {
		return from, to, hold, held
	}
	return to, to, hold, held
}

// unnamed are words that name nothing by themselves.
var unnamed = wordlist.Of("a an the my something anything some one thing things item items stuff 하나 뭐 뭔가 무언가 것 거 걸 좀")

// named tells whether words name anything, and are not the words of the frame alone: add a to-do, 할 일 추가해줘.
func named(words string, frame map[string]bool) bool {
	return !frame[words] && slices.ContainsFunc(phrase.Words(words), func(w phrase.Word) bool { return !frame[w.Lower] && !unnamed[w.Lower] && !slot.Points(w.Lower) })
}

// parted gives what stands between a verb of the frame and its particle: take … off.
func (p *parsed) parted(from, to int, frame map[string]bool) (begin, end int, ok bool) {
	begin = from + len(politely.FindString(p.s[from:to]))
	for lead := range frame {
		verb, particle, two := strings.Cut(lead, " ")
		if !two || !particles[particle] {
			continue
		}
		rest, starts := strings.CutPrefix(p.s[begin:to], verb+" ")
		if inner, ends := strings.CutSuffix(rest, " "+particle); starts && ends && inner != "" {
			return begin + len(verb) + 1, to - len(particle) - 1, true
		}
	}
	return from, to, false
}

var particles = wordlist.Of("off out down up away")

// unmarked is a stretch from its first to its last word that is no value yet, without the particles and prepositions of values at its ends.
func (p *parsed) unmarked(from, to int) (int, int) {
	for begin := -1; begin != from; {
		begin = from
		for from < to && (p.mark[from] != "" || p.s[from] == ' ') {
			from++
		}
		if from > 0 && p.mark[from-1] != "" {
			from += len(leadParticle.FindString(p.s[from:to]))
		}
		if at := len(strings.TrimRight(p.s[:from], " ")); at > 0 && p.mark[at-1] != "" && strings.HasPrefix(p.s[from:to], "to ") {
			from += len("to ") // of what stands before the value: remind me tomorrow to …
		}
		if before := leadPreposition.FindString(p.s[from:to]); before != "" && from+len(before) < to && p.mark[from+len(before)] != "" {
			from += len(before)
		}
	}
	return from, p.unmarkedEnd(from, to)
}

var (
	leadParticle    = lazyregexp.New(`^(?:에는|에|까지|부터|은|는)(?:$| )`) // belongs to the value before it
	leadPreposition = lazyregexp.New(`^(?:on|at|by|for|this|till|until|from|in) `)
)

func (p *parsed) unmarkedEnd(from, to int) int {
	for end := -1; end != to; {
		end = to
		for to > from && (p.mark[to-1] != "" || strings.ContainsRune(" .,!~", rune(p.s[to-1]))) {
			to--
		}
		for _, particle := range []string{"으로", "로", "에는", "에", "까지", "부터", "쯤"} {
			if at := to - len(particle); at > from && p.mark[at-1] != "" && p.s[at:to] == particle {
				to = at
				break
			}
		}
		for _, before := range []string{" on", " at", " by", " for", " this", " to", " till", " until", " from"} {
			if to < len(p.s) && strings.HasSuffix(p.s[from:to], before) {
				to -= len(before)
			}
		}
	}
	return to
}

// holder is what free words stand in, read at one of their ends: cut is where they end or begin then, name..end how it is called.
type holder struct{ cut, name, end int }

// or is how it is called, or else what was found before.
func (h holder) or(name, end int) (int, int) {
	if h.name < h.end {
		return h.name, h.end
	}
	return name, end
}

var (
	takenBack = lazyregexp.New(`^\s*` + verdict.TakeBack + `(?:[\s,.]+|$)`)
	heldBy    = wordlist.Of("to on onto in into from off")
	politely  = lazyregexp.New(`^(?:(?:hey|ok|okay|please|kindly|can|could|would|will|you|we|i'd like to|i want to|i need to)[ ,]+)+`)
	articles  = wordlist.Of("my the our a an this")
	inside    = wordlist.Of("에 에는 에다 에다가 에도")
	goesOn    = lazyregexp.New(`^(?:(?:그리고|또|아|참|oh|and|also|then|plus|so)[ ,]+|(?:하나\s?더|one more(?: thing)?)\s?[,:]\s*)+`)
	besides   = lazyregexp.New(`,? (?:too|as well|also)$`)
	heldKO    = lazyregexp.New(`\s(?:([^\s,]+)\s)?((?:할 )?[^\s,]+?)(?:에다가?|에는|에서|에|으로|로)$`)
	aheadKO   = lazyregexp.New(`^((?:할 )?[^\s,]+?)(?:에다가?|에는|에서|에|으로|로) `)
	toldTo    = lazyregexp.New(`^((?:하|으|이)?라고)\s?(?:알려|말해|얘기|일러|깨워|전해|상기|챙겨)`) // what is written down stands as it is: 축하라고 적어
	askTail   = lazyregexp.New(`(?:(?:하라고|으라고|이라고|라고|다고|하게|도록)\s?|\s|^)\S+(?:줘|줘요|줘라|주세요|주십시오|줄래|줄래요|주라)\s*$`)
)

// holderBehind reads words of the frame at the end: to my shopping list, 목록에서.
func (p *parsed) holderBehind(from, to int, frame map[string]bool) (h holder, ok bool) {
	words := phrase.Words(p.s[from:to])
	last := len(words) - 1
	if last < 1 {
		return h, false
	}
	if at := heldKO.FindStringSubmatchIndex(p.s[from:to]); at != nil && frame[p.s[from+at[4]:from+at[5]]] {
		if h.cut = from + at[4] - 1; at[2] >= 0 && lists.MatchString(p.s[from+at[4]:from+at[5]]) && strings.Contains(strings.TrimSpace(p.s[from:from+at[3]]), " ") {
			h.cut, h.name, h.end = from+at[2], from+at[2], from+at[3]
		}
		return h, true
	}
	if stem, _ := phrase.Stem(words[last].Lower); !frame[stem] {
		return h, false
	}
	h = holder{cut: from + words[last].Start}
	for i := last - 1; i > 0 && i >= last-4; i-- {
		if !heldBy[words[i].Lower] {
			continue
		}
		h.cut = from + words[i].Start
		for i++; i < last && articles[words[i].Lower]; i++ {
		}
		if i < last {
			h.name, h.end = from+words[i].Start, from+words[last-1].End
		}
		break
	}
	return h, true
}

// holderAhead reads words of the frame at the beginning: 일정에, 장보기 목록에, remind me to; and what something is put into: 장보기에 우유. Where
// somebody does something (병원에 가기) is none of these.
func (p *parsed) holderAhead(from, to int, frame map[string]bool) (h holder, ok bool) {
	begin := from + len(politely.FindString(p.s[from:to]))
	for lead := range frame {
		if rest, found := strings.CutPrefix(p.s[begin:to], lead+" "); found && !strings.ContainsFunc(lead, phrase.Hangul) && to-len(rest) > h.cut {
			h.cut, ok = to-len(rest), true
		}
	}
	words := phrase.Words(p.s[from:to])
	if ok {
		if words := phrase.Words(p.s[h.cut:to]); len(words) > 1 && articles[words[0].Lower] {
			h.cut += words[1].Start
		}
		return h, true
	}
	if at := aheadKO.FindStringSubmatchIndex(p.s[from:to]); at != nil && frame[p.s[from+at[2]:from+at[3]]] {
		return holder{cut: from + at[1]}, true
	}
	for i := 0; i < min(len(words)-1, 3); i++ {
		stem, particle := phrase.Stem(words[i].Lower)
		next := from + words[i+1].Start
		switch {
		case !inside[particle] && (particle != "에서" || !frame[stem]):
		case i == 0 && (frame[stem] || slot.Points(stem) || slot.Points(words[i].Lower)): // what only points says no name
			return holder{cut: next}, true
		case frame[stem]:
			return holder{next, from, from + words[i-1].End}, true
		case i == 0 && !strings.HasSuffix(words[len(words)-1].Lower, "기"):
			return holder{next, from, from + words[i].End - len(particle)}, true
		}
	}
	return h, false
}

// repetitions hides what says that something happens again and again: it is no part of what is to be kept.
func (p *parsed) repetitions() {
	for _, span := range slot.Repetitions(p.s) {
		for i := span[0]; i < span[1]; i++ {
			if p.mark[i] == "" {
				p.mark[i] = repeated
			}
		}
	}
}

// repeated marks what says how often.
const repeated Kind = "repeated"

// bareBegin takes the article off the first of free words.
func (p *parsed) bareBegin(from, to int) int {
	if words := phrase.Words(p.s[from:to]); len(words) > 1 && articles[words[0].Lower] {
		return from + words[1].Start
	}
	return from
}

// bareEnd takes the particle off the last of free words: 우유는, 계란도.
func (p *parsed) bareEnd(from, to int) int {
	words := phrase.Words(p.s[from:to])
	if len(words) == 0 {
		return from
	}
	switch _, particle := phrase.Stem(words[len(words)-1].Lower); particle {
	case "은", "는", "도", "을", "를", "만":
		return to - len(particle)
	}
	return to
}
