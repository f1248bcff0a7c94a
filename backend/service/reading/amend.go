package reading

import (
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/language/ground"
	"agentchat/backend/language/verdict"
)

// Amends tells whether words that hold a value are there to change a form that waits for its confirmation: they correct, are nothing
// but values, or name what they give. Others only happen to hold a value: 내일 봐.
func (r Reading) Amends() bool {
	_, _, by := r.By()
	return by || r.Corrects() || r.slots.Bare(r.request) || r.slots.Names(r.request)
}

// Corrects tells whether the words take something back or change it, or say one value and not another: not Minsu, mom.
func (r Reading) Corrects() bool {
	return verdict.Corrects(r.request.Words) || slices.ContainsFunc(r.slots, func(s ground.Slot) bool {
		found := r.slots.Find(s.Name, r.request)
		return slices.ContainsFunc(found, ground.Finding.Counts) && slices.ContainsFunc(found, func(f ground.Finding) bool { return f.Negated })
	})
}

// What stands behind an amount that is added to another, or taken from it.
var (
	more = regexp.MustCompile(`(?i)^\s*(만|씩|정도|쯤|을|를)?\s*(더|추가|more\b|extra\b)`)
	less = regexp.MustCompile(`(?i)^\s*(만|씩|정도|쯤|을|를)?\s*(덜|빼|깎|less\b)`)
)

// By gives the amount by which the words change what a slot holds, and nothing else: 천원만 더, 5천원 빼줘.
func (r Reading) By() (slot string, by int64, ok bool) {
	if len(r.tasks) != 1 || len(r.tasks[0]) != 1 {
		return "", 0, false
	}
	for name, f := range r.tasks[0] {
		n, whole := f.Value.(int64)
		rest := r.request.Words[f.End:]
		switch {
		case f.Kind != ground.Money || !whole || strings.ContainsAny(rest, "?"):
		case more.MatchString(rest):
			return name, n, true
		case less.MatchString(rest):
			return name, -n, true
		}
	}
	return "", 0, false
}
