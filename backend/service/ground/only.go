package ground

import (
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/slot"
)

// leftovers are words that may stand around a bare answer.
var leftovers = regexp.MustCompile(`^(?:한|약|대략|씩|정도|쯤|만|이요|요|이에요|예요|이야|야|입니다|으로|로|에|한테|에게|께|한테요|에게요|은|는|을|를|네|예|응|음|어|그럼|그냥|그래|좀|원|해줘|해주세요|할게|할게요|보내줘|보내주세요|부탁해|부탁해요|won|krw|to|on|at|please|ok|okay|it's|um|uh|yes|make|it|my)$`)

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
	if only == nil {
		return nil, false
	}
	for _, t := range tokenize(p.s, p.mark) {
		if t.kind == word && !leftovers.MatchString(t.text) && !s.announces(name, t.text) {
			return nil, false
		}
	}
	return only, true
}

// announces tells whether a word is a cue of the slot.
func (s Slots) announces(name, word string) bool {
	return slices.ContainsFunc(s, func(sl Slot) bool {
		return sl.Name == name && slices.ContainsFunc(sl.Cues, func(cue string) bool { return strings.HasPrefix(word, slot.Read(cue).Text) })
	})
}
