package frontdesk

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/words"
)

// Way is something that a room does, and how people ask for it.
type Way struct {
	Key      string // see the prefixes
	Acts     []act.Act
	Called   []string // what it is called, and what it is said to do
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
// this is wanted if anything is, and by how much the words that matter in it sound like one of the way's examples, or like what it is called.
func (d Rooms) Near(m Message, r Reading, lang bilingual.Lang) []Request {
	var ways []Way
	for _, room := range d {
		if guide, ok := room.(Guide); ok {
			ways = append(ways, guide.Ways(lang)...)
		}
	}
	said, rare := piecesOf(strings.Join(words.Question(m.Text), " ")), rarity(ways)
	type near struct {
		Request
		p float64
	}
	var all []near
	wanted := max(1-r.Guesses.Idle(), 1e-9)
	for _, w := range ways {
		best, alike := "", -1.0
		for _, e := range w.Examples {
			e = strings.TrimSpace(e)
			if utf8.RuneCountInString(e) > longestNear {
				continue
			}
			if a := said.alike(piecesOf(e), rare); a > alike {
				best, alike = e, a
			}
		}
		if alike < 0 {
			continue
		}
		for _, called := range w.Called {
			alike = max(alike, said.alike(piecesOf(called), rare))
		}
		all = append(all, near{Request{w.Key, best}, r.Wants(w.Acts...)/wanted + alike})
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

// pieces are the pairs and triples of letters in the words of a text, with where a word begins.
type pieces map[string]bool

func piecesOf(text string) pieces {
	all := pieces{}
	for _, word := range words.Of(phrase.Normalize(text)) {
		letters := []rune("^" + word)
		for n := 2; n <= 3; n++ {
			for i := 0; i+n <= len(letters); i++ {
				all[string(letters[i:i+n])] = true
			}
		}
	}
	return all
}

// rarity tells how much a piece says of which way is meant: what many ways speak of (my, the, 해줘) tells little, what one alone speaks of tells most.
func rarity(ways []Way) func(piece string) float64 {
	speak := map[string]int{}
	for _, w := range ways {
		for piece := range piecesOf(strings.Join(slices.Concat(w.Examples, w.Called), " ")) {
			speak[piece]++
		}
	}
	return func(piece string) float64 { return math.Log(float64(len(ways)+1) / float64(speak[piece]+1)) }
}

// alike is how much two texts have in common of what they say, 0 to 1.
func (p pieces) alike(other pieces, weight func(piece string) float64) float64 {
	var both, all float64
	for piece := range p {
		w := weight(piece)
		if all += w; other[piece] {
			both += 2 * w
		}
	}
	for piece := range other {
		all += weight(piece)
	}
	return both / max(all, 1e-9)
}
