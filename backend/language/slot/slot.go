// Package slot holds the grammars that read one kind of value out of a sentence: numbers and money in Korean and English, spoken
// arithmetic, spans of time, dates, places, titles, messages and enumerations. A tool's schema names the grammar of each
// property in "x-slot". Every grammar is a pure function: it never fails, it finds a value or it does not.
//
// Money and days have an exact grammar each (Amounts, Days): it reads the whole text, gives everything it finds with the bytes it
// stands on, and would rather find nothing than a part of what is written. The others read a request the way a listener does, and
// look at no more than its first phrase.MaxRunes characters.
package slot

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
)

// The grammars a schema may name in "x-slot".
const (
	KindNumber     = "number"
	KindExpression = "expression"
	KindDuration   = "duration"
	KindPlace      = "place"
	KindTitle      = "title"
	KindText       = "text"
	KindDate       = "date"
	KindMoney      = "money"
	KindEnum       = "enum"
	KindUnit       = "unit"
	KindFile       = "file"        // a file's path
	KindFolder     = "folder"      // a folder's
	KindPath       = "path"        // either
	KindSaid       = "said"        // the text that shall be written
	KindQuery      = "query"       // what is looked for in files
	KindLink       = "link"        // an address of the web
	KindNamed      = "named"       // a thing by its name, in a request that has the form of an example
	KindWords      = "words"       // as the customer wrote them; found by the form of the whole request, not by a grammar
	KindOther      = "other_place" // the place that another is compared with; found by the form of the whole question
	KindClock      = "clock"       // a time of day there, likewise
	KindURL        = "url"
	KindCommand    = "command"
)

// Property is one property of a tool's parameter schema, as far as a grammar needs it.
type Property struct {
	Name  string              `json:"-"`
	Kind  string              `json:"x-slot"`
	Type  string              `json:"type"`
	Enum  []string            `json:"enum"`
	Words map[string][]string `json:"x-words"` // enum: other words for each value
	Verbs []string            `json:"x-verbs"` // of a file, folder or query: the words that ask for what the tool does with it

	Ends []string `json:"x-ends"` // of a file: how those end that a request may name for the tool; none: anyhow

	Ahead bool `json:"x-ahead"` // date: today or later; nobody knows what was

	Stops string `json:"x-stops"` // enum: the value that ends what the tool is over

	Tells string `json:"x-tells"` // enum: the value that only tells how it goes on

	Of string `json:"x-of"` // what the choice is of: OfResult

	Names  string         `json:"x-names"` // of what kind the things are that it names
	Seeks  string         `json:"x-seeks"` // in what kind of things it looks for words
	Called bilingual.Text `json:"x-name"`  // what people call it

	Values map[string]bilingual.Text `json:"x-values"` // enum: what people call each value

	namings []naming
}

// OfResult marks a choice of what was said or found out, which the tool works on.
const OfResult = "result"

// Fits tells whether a file of this name may be meant.
func (p Property) Fits(file string) bool {
	return len(p.Ends) == 0 || slices.ContainsFunc(p.Ends, func(end string) bool { return strings.HasSuffix(strings.ToLower(file), end) })
}

// Input is what a grammar reads. Text is the customer's clause; Now is their local time. Carrier tells the words that only carry the
// wish (노래, 틀어줘, play), which are never part of a value; nil knows none beyond the grammar's own. Known tells the names there
// are of a place or a title, which are taken before others; nil: nobody can tell.
type Input struct {
	Text    string
	Now     time.Time
	Carrier func(word string) bool
	Known   func(name string) bool
}

// known tells whether somebody knows the name.
func (in Input) known(name string) bool { return in.Known != nil && name != "" && in.Known(name) }

// Fill reads the value of one property. The value is ready for JSON: a string, a whole number or a decimal.
func Fill(p Property, in Input) (value any, ok bool) {
	if read := readers[p.Kind]; read != nil {
		if value, ok = read(p, in); ok {
			return value, true
		}
	}
	return nil, false
}

// readers read the values of each kind.
var readers = map[string]func(p Property, in Input) (any, bool){
	KindNumber: func(_ Property, in Input) (any, bool) {
		s, ok := Number(in.Text)
		return json.Number(s), ok
	},
	KindExpression: text(Expression),
	KindDuration:   func(_ Property, in Input) (any, bool) { return whole(Duration(in.Text, in.Now)) },
	KindPlace: func(p Property, in Input) (any, bool) {
		if IsOrigin(p.Name) {
			return found(Origin(in.Text))
		}
		return found(Place(in))
	},
	KindTitle: func(_ Property, in Input) (any, bool) { return found(Title(in)) },
	KindText:  text(Message),
	KindDate:  func(_ Property, in Input) (any, bool) { return found(Date(in.Text, in.Now)) },
	KindMoney: func(_ Property, in Input) (any, bool) { return whole(Money(in.Text)) },
	KindUnit:  func(p Property, in Input) (any, bool) { return found(Unit(in.Text, IsOrigin(p.Name))) },
	KindURL: text(func(s string) (string, bool) {
		address, _, ok := Address(s)
		return address, ok
	}),
	KindCommand: text(Command),
	KindEnum:    func(p Property, in Input) (any, bool) { return found(Enum(in.Text, p)) },
	KindFile:    path(func(p Paths) string { return p.File }),
	KindFolder:  path(func(p Paths) string { return p.Folder }),
	KindPath:    path(func(p Paths) string { return cmp.Or(p.File, p.Folder) }),
	KindSaid:    text(Said),
	KindQuery:   text(Query),
}

func text(read func(string) (string, bool)) func(Property, Input) (any, bool) {
	return func(_ Property, in Input) (any, bool) { return found(read(in.Text)) }
}

func path(of func(Paths) string) func(Property, Input) (any, bool) {
	return func(_ Property, in Input) (any, bool) {
		f := of(ReadPaths(in.Text))
		return f, f != ""
	}
}

func whole(n int64, ok bool) (any, bool) { return n, ok }

func found(s string, ok bool) (any, bool) { return s, ok }

// IsOrigin tells the property of a journey's start from that of its end.
func IsOrigin(name string) bool {
	switch strings.ToLower(name) {
	case "from", "origin", "start", "departure", "source":
		return true
	}
	return false
}

// naming is a word that names a value, as a text is searched for it.
type naming struct {
	word, value string
	korean      bool // it may be part of a word, and written apart or not
}

// Prepare makes the words for the values ready, for a property that is looked for often.
func (p *Property) Prepare() { p.namings = p.named() }

func (p *Property) named() (list []naming) {
	if p.namings != nil {
		return p.namings
	}
	for _, v := range p.Enum {
		for _, w := range append([]string{v}, p.Words[v]...) {
			word := strings.ToLower(phrase.Normalize(w))
			korean := phrase.Korean(word)
			if korean {
				word = strings.ReplaceAll(word, " ", "")
			}
			if word != "" {
				list = append(list, naming{word, v, korean})
			}
		}
	}
	return list
}

// Enum finds which of a property's values the text names, by the value itself or one of its words. The longest word wins.
func Enum(text string, p Property) (string, bool) {
	value, _ := Named(text, p)
	return value, value != ""
}

// Named is Enum; whole tells that the text is nothing but the word.
func Named(text string, p Property) (value string, whole bool) {
	lower := " " + strings.Join(lowerWords(text), " ") + " "
	compact := strings.ReplaceAll(lower, " ", "")
	best := 0
	for _, n := range p.named() {
		if len(n.word) <= best {
			continue
		}
		hit, all := strings.Contains(lower, " "+n.word+" "), len(lower) == len(n.word)+2
		if n.korean {
			hit, all = strings.Contains(compact, n.word), len(compact) == len(n.word)
		}
		if hit {
			best, value, whole = len(n.word), n.value, all
		}
	}
	return value, whole
}

func lowerWords(text string) []string {
	ws := phrase.Words(phrase.Normalize(text))
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.Lower
	}
	return out
}

// prepare is the text a scanner walks: normalised and in lower case, new lines as spaces.
func prepare(text string) string {
	return strings.ToLower(strings.ReplaceAll(phrase.Normalize(text), "\n", " "))
}
