package frontdesk

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
)

// Way is something that a room does, and how people ask for it.
type Way struct {
	Key      string // see the prefixes
	Acts     []act.Act
	Examples []string
}

// Guide is a room that can say what it does.
type Guide interface {
	Ways(lang bilingual.Lang) []Way
}

// Request is one that comes near to a message: Text asks for the way of Key.
type Request struct {
	Key  string
	Text string
}

// What is offered for a message that nobody understood: two requests or three, and none that is longer than a button.
const (
	fewestNear  = 2
	longestNear = 40
	// A third is offered only if it is so near beside the first.
	besideFirst = 0.5
)

// Near gives the requests that come nearest to a message that nobody understood, of each way one: by how probable it is, as the rooms read the message, that
// this is wanted if anything is, and by how much one of the way's examples sounds like it.
func (d Rooms) Near(m Message, r Reading, lang bilingual.Lang) []Request {
	type near struct {
		Request
		p float64
	}
	grams, wanted := phrase.Grams(phrase.Normalize(m.Text)), max(1-r.Guesses.Idle(), 1e-9)
	var all []near
	for _, room := range d {
		guide, ok := room.(Guide)
		if !ok {
			continue
		}
		for _, w := range guide.Ways(lang) {
			best, alike := "", -1.0
			for _, e := range w.Examples {
				said := strings.TrimSpace(e)
				if utf8.RuneCountInString(said) > longestNear {
					continue
				}
				if a := phrase.Alike(grams, phrase.Grams(phrase.Normalize(said))); a > alike {
					best, alike = said, a
				}
			}
			if alike >= 0 {
				all = append(all, near{Request{w.Key, best}, r.Wants(w.Acts...)/wanted + alike})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.p, a.p) })
	var list []Request
	for i, n := range all[:min(len(all), mostOffered)] {
		if i < fewestNear || n.p >= besideFirst*all[0].p {
			list = append(list, n.Request)
		}
	}
	return list
}
