package builtin

import (
	"cmp"
	"slices"
	"strings"

	"agentchat/backend/language/act"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/words"
	"agentchat/backend/provider"
)

// So many of the words that matter in a question must stand together in one thing that the person keeps, so that the question is taken for one
// about it: a single word stands in too much, and who says more than a few tells something.
const (
	fewestNoted = 2
	mostNoted   = 8
)

// asking are the acts of questions that could be about what the person keeps: those to nobody in particular, and those to the notes.
var asking = []act.Act{act.Knowledge, act.MemoryAsk, act.DocumentAsk, act.NoteShow}

// noted reads a question that names nothing to look in as one about what the person keeps (x-seeks), where something of it holds the words of the
// question: what was the wifi password again? One word may be left over, which only asks (again).
func (c *catalog) noted(m *message, req provider.Request) (w wish, ok bool) {
	if m.denied || req.State.Counter != nil {
		return w, false
	}
	read, asks := m.reading(req), 0.0
	for _, a := range asking {
		asks += read.Of(a)
	}
	matter := words.Matter(m.text)
	if asks < half || len(matter) < fewestNoted || len(matter) > mostNoted {
		return w, false
	}
	for _, t := range c.tools {
		for _, p := range t.props {
			room, kept := t.there[p.Seeks]
			if p.Seeks == "" || !kept || !slices.Equal(t.required, []string{p.Name}) {
				continue
			}
			for _, held := range leavingOne(matter) {
				if len(held) >= fewestNoted && room.Knows(strings.Join(held, " ")) {
					return wish{tool: t, args: map[string]any{p.Name: strings.Join(held, " ")}, request: m.text, count: 1}, true
				}
			}
		}
	}
	return w, false
}

// sought finds what a request names of the things that are kept, where nothing in its form says so (which notes mention Anna?): its words that
// matter, without those that only carry the wish, if something kept holds them. What is only looked for may do without one of them.
func (t *tool) sought(p slot.Property, text string) (string, bool) {
	room, kept := t.there[cmp.Or(p.Names, p.Seeks)]
	if !kept || p.Kind != slot.KindWords || !slices.Contains(t.required, p.Name) {
		return "", false
	}
	matter := slices.DeleteFunc(words.Matter(text), t.carrier)
	if len(matter) == 0 || len(matter) > mostNoted {
		return "", false
	}
	all := [][]string{matter} // what is to be changed or thrown away is named by all of its words
	if p.Seeks != "" {
		all = leavingOne(matter)
	}
	for _, held := range all {
		if name := strings.Join(held, " "); name != "" && room.Knows(name) {
			return name, true
		}
	}
	return "", false
}

// leavingOne are the words, and then the words without each one of them, the last first.
func leavingOne(all []string) [][]string {
	list := [][]string{all}
	for i := range slices.Backward(all) {
		list = append(list, slices.Delete(slices.Clone(all), i, i+1))
	}
	return list
}
