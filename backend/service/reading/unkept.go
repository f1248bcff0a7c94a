package reading

import (
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/language/ground"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/told"
)

// months are months as a whole, which need more than a day.
var months = regexp.MustCompile(`(?i)(?:^|\s)((?:1[0-2]|[1-9]|일|이|삼|사|오|유|칠|팔|구|시|십일|십이)월|in (?:january|february|march|april|may|june|july|august|september|october|november|december))(?:에|중에|쯤|쯤에)?(?:[\s,.!]|$)`)

// until is where a time ends that has a beginning.
var until = regexp.MustCompile(`(?i)(?:시|분|반)\s?(?:부터|에서|~|-)\s?(\S*\s?시(?:\s?(?:반|\S+분))?(?:까지)?|\S+까지)(?:[\s,.!?]|$)|(?:[ap]m|o'clock|:\d\d)\s?(?:to|till|until|-)\s?(\d{1,2}(?::\d\d)?(?:\s?[ap]m)?)(?:[\s,.!?]|$)`)

// Unkept gives, in order and as the words have it, what they say about when that no slot of the service can hold: a time of day
// where there is no slot for one, a month without a day, every month, a condition. What stands in free words asks for nothing.
func (r Reading) Unkept() []string {
	type span struct {
		start, end int
		text       string
	}
	var taken, free []span
	timed := false
	for _, s := range r.slots {
		timed = timed || s.Kind == ground.Time
		if s.Kind != ground.Text && s.Kind != ground.Date && s.Kind != ground.Enum {
			continue
		}
		for _, f := range r.slots.Find(s.Name, r.request) {
			taken = append(taken, span{start: f.Start, end: f.End})
			if s.Kind == ground.Text {
				free = append(free, taken[len(taken)-1])
			}
		}
	}
	var found []span
	note := func(start, end int) {
		if !slices.ContainsFunc(taken, func(t span) bool { return start < t.end && t.start < end }) {
			found = append(found, span{start, end, strings.TrimSpace(r.request.Words[start:end])})
		}
	}
	for _, m := range until.FindAllStringSubmatchIndex(r.request.Words, -1) { // no slot holds where a time ends
		note(max(m[2], m[4]), max(m[3], m[5]))
	}
	if !timed {
		const name = "\x00time"
		slots := append(slices.Clone(r.slots), ground.Slot{Name: name, Kind: ground.Time})
		for _, f := range slots.Find(name, r.request) {
			if f.Counts() {
				note(f.Start, f.End)
			}
		}
	}
	taken, all := free, taken // what happens again may name the day of the first time: 월요일마다
	for _, m := range slot.Repetitions(r.request.Words) {
		note(m[0], m[1])
	}
	for _, m := range told.Conditions(r.request.Words) { // whatever it names, nothing waits for it
		note(m[0], m[1])
	}
	taken = all
	for _, m := range months.FindAllStringSubmatchIndex(r.request.Words, -1) {
		note(m[2], m[3])
	}
	slices.SortFunc(found, func(a, b span) int { return a.start - b.start })
	texts := make([]string, len(found))
	for i, f := range found {
		texts[i] = f.text
	}
	return slices.Compact(texts)
}
