package tablequery

import (
	"regexp"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
)

// Heard is what some words say of a question that a table can answer. It is evidence that they ask one, not the question.
type Heard struct {
	Computes bool // a word of what can be computed: 합계, average, how many
	Shapes   bool // a word of how: by groups, in an order, so many of them, compared with something
	Columns  int  // names of the table's columns
	Values   int  // values that stand in it
	Whole    bool // nothing is left over, and it says all that is needed
	Left     int  // words that mean nothing here
}

// Says tells whether the words say anything that a table can be asked.
func (h Heard) Says() bool { return h.Computes || h.Shapes || h.Columns+h.Values > 0 }

// Hear listens to a question. sheets are those of the table, nil where nobody could look into it; before is the question that it may go on
// with.
func Hear(text string, sheets []Sheet, before *Query, now time.Time) (best Heard) {
	t := Table{Sheets: sheets}
	said := t.plain(text)
	if _, rest, ok := sheetIn(said, sheets); ok {
		said = rest
	}
	blind := len(sheets) == 0
	if blind {
		sheets = []Sheet{{}}
	}
	for i := range sheets {
		r := newReading(&sheets[i], said, now)
		if h := r.hear(); i == 0 || h.Columns+h.Values-h.Left > best.Columns+best.Values-best.Left {
			best = h
		}
	}
	if _, err := t.Read(text, before, now); err == nil && !blind {
		best.Whole = best.Says()
	}
	return best
}

// byUnknown is a group by something that no column is called.
var byUnknown = regexp.MustCompile(`[가-힣)](?:별|마다)(?:로|로는|은|는)?(?:\s|[?.!]|$)|\b(?:per|for each|grouped by)\s+\S`)

// compares puts something beside a figure, whatever it is.
var compares = regexp.MustCompile(`(?:이상|초과|이하|미만|넘는|보다\s?(?:큰|많은|높은|작은|적은|낮은))|\b(?:over|above|below|under|more than|less than|at least|at most)\s+[$₩€£]?\d`)

func (r *reading) hear() (h Heard) {
	r.mentions()
	for _, m := range r.marks {
		if m.value == "" {
			h.Columns++
		} else {
			h.Values++
		}
	}
	r.filters()
	byValue := 0
	for _, f := range r.q.Where {
		byValue += truth(f.Is == Equals)
	}
	r.days()
	r.groups()
	r.tops()
	r.operations()
	h.Computes = len(r.ops) > 0
	h.Shapes = len(r.q.By)+len(r.q.Where) > byValue || r.q.Top > 0 || r.q.Order != "" || r.q.Sort != "" || byUnknown.MatchString(r.s) || compares.MatchString(r.s)
	for _, w := range phrase.Words(r.s) {
		if word := r.unread(w.Start, w.End); word != "" && !carries(word, word != r.s[w.Start:w.End]) {
			h.Left++
		}
	}
	return h
}

// unread is what nothing was made of between two places.
func (r *reading) unread(from, to int) string {
	var rest strings.Builder
	for i := from; i < to; i++ {
		if !r.used[i] {
			_ = rest.WriteByte(r.s[i])
		}
	}
	return rest.String()
}
