package ground

import (
	"encoding/json"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Kind says which grammar reads a slot.
type Kind string

// The kinds of slots and the types of their values: int64 for money, number and ahead, string for all others.
const (
	Money  Kind = "money"  // whole won
	Number Kind = "number" // a whole number
	Date   Kind = "date"   // 2006-01-02
	Time   Kind = "time"   // 15:04
	Name   Kind = "name"   // somebody, as the words call them
	Text   Kind = "text"   // free words
	Enum   Kind = "enum"   // one of the slot's values
	Ahead  Kind = "ahead"  // how many minutes before something
)

// Slot is what the grammars need to know of one slot.
type Slot struct {
	Name   string
	Kind   Kind
	Cues   []string            // text: words that announce it (메모, memo)
	Frame  []string            // text: words of a request around it; with these what is left of a message is the text
	Holds  string              // text: the slot whose text is put into what this one names (a list)
	Values map[string][]string // enum: each value and the words that mean it
	// Several says that a value may be several things, each in a line of its own (text).
	Several bool
	Exact   bool // time: an hour has to be said; a part of the day (tomorrow evening) is none
}

// Slots are the slots of one service.
type Slots []Slot

// Request is one message of the customer.
type Request struct {
	Words string
	Now   time.Time // where the customer is, with their zone
	Asked string    // the slot that was asked for just before: a bare answer counts for it
}

// Problem says why a finding cannot be taken.
type Problem string

// The problems of a finding.
const (
	Impossible Problem = "impossible" // a day that does not exist
	Foreign    Problem = "foreign"    // money that is not won
	Unsaid     Problem = "unsaid"     // a day that was spoken of, and nobody knows which: that day
)

// MaxWords is how many bytes of words are read. A longer message is a document, not a request: nothing in it counts.
const MaxWords = 20_000

// Finding is one value found in the words.
type Finding struct {
	Slot       string
	Kind       Kind
	Value      any  // in canonical form; nil with a Problem
	Start, End int  // bytes of the words
	Negated    bool // the words take it back
	Problem    Problem
}

// Counts tells whether the words stand by the value.
func (f Finding) Counts() bool { return !f.Negated && f.Problem == "" }

// Find gives everything in the words that a slot could hold, in order, taken back or not.
func (s Slots) Find(name string, r Request) []Finding {
	var out []Finding
	for _, f := range parse(s, r).findings {
		if f.Slot == name {
			out = append(out, f)
		}
	}
	return out
}

// Check tells whether a proposed value stands in the words, and gives it in canonical form. A value may be an int64, a json.Number, a
// whole float64, or a string.
func (s Slots) Check(name string, r Request, value any) (canonical any, ok bool) {
	for _, f := range s.Find(name, r) {
		if f.Counts() && same(f, value) {
			return f.Value, true
		}
	}
	return nil, false
}

// same tells whether a proposed value is the one that was found. Names and free words may differ in case and spaces only.
func same(f Finding, value any) bool {
	if f.Kind == Money || f.Kind == Number || f.Kind == Ahead {
		n, ok := whole(value)
		return ok && n == f.Value
	}
	proposed, isText := value.(string)
	found, ok := f.Value.(string)
	return ok && isText && (proposed == found || (f.Kind == Name || f.Kind == Text) && loose(proposed) == loose(found) || f.Kind == Text && strings.Join(Things(proposed, true), "\n") == found)
}

func loose(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(s)), " "))
}

// whole reads a proposed number; a fraction is none.
func whole(value any) (int64, bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	case float64:
		const exact = 1 << 53
		n := int64(0)
		if v > -exact && v < exact {
			n = int64(v)
		}
		return n, float64(n) == v
	case string:
		n, err := json.Number(strings.ReplaceAll(strings.TrimSpace(v), ",", "")).Int64()
		return n, err == nil
	}
	return 0, false
}
