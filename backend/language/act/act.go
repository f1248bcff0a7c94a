// Package act says what a message wants of the shop by its words alone: to hear the weather, to have an event kept, to be
// answered from a document, to be left to talk. It is a log-linear model over letters and words; its weights are learned by
// cmd/learn from sentences in this repository and, where they are at hand, from public ones. What the shop has
// comes in as evidence: the rooms say what they make of a message, and how far that is to be believed is learned too. Everything is pure and safe for concurrent use.
package act

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
)

// Act is what a message wants, such as "weather.ask". The part before the dot is the matter, the part after it what is to be
// done with it.
type Act string

// The acts that are spoken of by name. All of them stand in acts.tsv, in the order of the model's classes.
const (
	Talk        Act = "talk"         // nothing is wanted
	Greet       Act = "greet"        // a courtesy: nothing is wanted but politeness
	DocumentAsk Act = "document.ask" // the answer would stand in a document
	Knowledge   Act = "knowledge"    // what one may know: the shop has nothing for it
	Create      Act = "create"       // a text is to be written: only a model can
	MemoryAsk   Act = "memory.ask"   // what the customer told of themselves, or what is remembered
	NoteShow    Act = "note.show"    // a note is looked for
	Stop        Act = "stop"         // running work is to end
)

// Acts are all acts, in the order of the model's classes.
func Acts() []Act { return slices.Clone(acts) }

// Matter is what an act is about: "note" of "note.add".
func (a Act) Matter() string {
	matter, _, _ := strings.Cut(string(a), ".")
	return matter
}

// Beyond tells an act that wants something which the shop has nothing for: general knowledge, a text, a place nearby, what it lacks. Talk
// is none: it stands beside what is wanted.
func (a Act) Beyond() bool {
	return beyond[a.Matter()]
}

var beyond = map[string]bool{"knowledge": true, "create": true, "lack": true, "place": true}

// Idle tells an act for which nothing may be started: talk, general knowledge, and what the shop lacks.
func (a Act) Idle() bool {
	return idle[a.Matter()]
}

var idle = map[string]bool{"talk": true, "greet": true, "help": true, "knowledge": true, "create": true, "lack": true, "place": true}

// Guess is one reading of a message and how probable it is, 0 to 1.
type Guess struct {
	Act Act     `json:"act"`
	P   float64 `json:"p"`
}

// Guesses are the readings of one message, most probable first.
type Guesses []Guess

// Of is how probable the act is.
func (g Guesses) Of(a Act) float64 {
	for _, x := range g {
		if x.Act == a {
			return x.P
		}
	}
	return 0
}

// Beyond is how probable it is that the message wants something that the shop has nothing for.
func (g Guesses) Beyond() (p float64) {
	for _, x := range g {
		if x.Act.Beyond() {
			p += x.P
		}
	}
	return p
}

// Idle is how probable it is that the message wants nothing that the shop could start.
func (g Guesses) Idle() (p float64) {
	for _, x := range g {
		if x.Act.Idle() {
			p += x.P
		}
	}
	return p
}

// Read guesses what a message wants, from its words and from what the shop's rooms make of it: short tags such as
// "service:money.send" (a pattern of that service fits) or "held:7" (how much of it stands in a document). A tag that the model
// never learned from says nothing.
func Read(text string, evidence ...string) Guesses {
	m := model()
	return m.weigh(m.scores(features(phrase.Plain(text))), evidence)
}

// trust is how what the words say and what the rooms say are put together: the score of an act is what the words give it, times
// words, and what each tag adds.
type trust struct {
	words float64
	tags  map[string][]float32 // by tag, for every act
}

// weigh gives the acts' probabilities for what the words say and what the rooms say. It changes scores.
func (t *trust) weigh(scores []float64, evidence []string) Guesses {
	t.add(scores, evidence)
	softmax(scores)
	out := make(Guesses, len(scores))
	for i, p := range scores {
		out[i] = Guess{acts[i], p}
	}
	slices.SortStableFunc(out, func(a, b Guess) int { return cmp.Compare(b.P, a.P) })
	return out
}

func (t *trust) add(scores []float64, evidence []string) {
	for c := range scores {
		scores[c] *= t.words
	}
	for _, tag := range evidence {
		for c, w := range t.tags[tag] {
			scores[c] += float64(w)
		}
	}
}

func softmax(scores []float64) {
	top := slices.Max(scores)
	sum := 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - top)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}
