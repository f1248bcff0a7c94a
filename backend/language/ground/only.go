package ground

import (
	"slices"
	"strings"

	"agentchat/backend/language/slot"
	"agentchat/backend/lazyregexp"
)

// leftovers are words that may stand around a bare answer.
var leftovers = lazyregexp.New(`^(?:한|약|대략|씩|정도|쯤|만|이요|요|이에요|예요|이야|야|입니다|으로|로|에|한테|에게|께|한테요|에게요|은|는|을|를|네|예|응|음|어|그럼|그냥|그래|좀|원|해줘|해주세요|할게|할게요|보내줘|보내주세요|부탁해|부탁해요|won|krw|to|on|at|please|ok|okay|it's|um|uh|yes|make|it|my)$`)

// Only gives a slot's value when the message is nothing but that value, as the answer to a question for it is.
func (s Slots) Only(name string, r Request) (any, bool) {
	p := parse(s, r)
	var only any
	for _, f := range p.findings {
		switch {
		case !f.Counts():
			return nil, false
		case f.Slot == name && (only == nil || only == f.Value):
			only = f.Value
		default:
			return nil, false
		}
	}
	if only == nil || !s.bare(p, name) {
		return nil, false
	}
	return only, true
}

// Bare tells whether the message is nothing but values, with what may stand around them.
func (s Slots) Bare(r Request) bool {
	p := parse(s, r)
	return len(p.findings) > 0 && !slices.ContainsFunc(p.findings, func(f Finding) bool { return !f.Counts() }) && s.bare(p, "")
}

// bare tells whether nothing but particles and the names of a slot, "" for any, is left of the words.
func (s Slots) bare(p *parsed, name string) bool {
	return !slices.ContainsFunc(tokenize(p.s, p.mark), func(t token) bool {
		return t.kind == word && !leftovers.MatchString(t.text) && !s.announces(name, t.text)
	})
}

// Names tells whether the words name a slot: 금액은 2만원으로 해줘.
func (s Slots) Names(r Request) bool {
	p := parse(s, r)
	return slices.ContainsFunc(tokenize(p.s, p.mark), func(t token) bool { return t.kind == word && s.announces("", t.text) })
}

// announces tells whether a word is a cue of the slot, "" for any.
func (s Slots) announces(name, word string) bool {
	return slices.ContainsFunc(s, func(sl Slot) bool {
		return (name == "" || sl.Name == name) && slices.ContainsFunc(sl.Cues, func(cue string) bool { return strings.HasPrefix(word, slot.Read(cue).Text) })
	})
}
