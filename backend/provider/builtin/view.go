package builtin

import (
	"slices"
	"strings"
	"unicode"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/told"
)

// view is one stretch of the customer's words, prepared once for every question asked about it.
type view struct {
	text     string // normalised, spaces put back
	korean   bool
	question bool // ends with a question mark
	words    []phrase.Word
	compact  string // lower case, letters and digits only
	starts   []bool // starts[i]: a word begins at compact[i]
	english  string // lower-case words, each with a space on both sides
}

func newView(text string) *view {
	v := &view{text: strings.TrimSpace(text), korean: phrase.Korean(text)}
	v.question = strings.HasSuffix(strings.TrimRight(v.text, " \"')"), "?") || told.Asks(v.text)
	v.words = phrase.Words(v.text)
	var c, e strings.Builder
	e.WriteByte(' ')
	for _, w := range v.words {
		at := c.Len()
		for _, r := range w.Lower {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				c.WriteRune(r)
			}
		}
		for len(v.starts) < c.Len() {
			v.starts = append(v.starts, len(v.starts) == at)
		}
		if full, ok := shorthand[w.Lower]; ok {
			e.WriteString(full)
		} else {
			e.WriteString(w.Lower)
		}
		e.WriteByte(' ')
	}
	v.compact, v.english = c.String(), e.String()
	if v.question {
		v.english += "? "
	}
	return v
}

// spaced is a beginning of the compact text with the spaces between its words.
func (v *view) spaced(compact string) string {
	var b strings.Builder
	for i, r := range compact {
		if v.starts[i] {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// shorthand is how people type common words in a hurry.
var shorthand = map[string]string{
	"wat": "what", "wut": "what", "wats": "what's", "u": "you", "r": "are", "ur": "your", "pleas": "please", "plz": "please", "pls": "please", "plese": "please", "tmrw": "tomorrow", "tmr": "tomorrow", "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow",
	"teh": "the", "da": "the", "wen": "when", "hw": "how", "cud": "could", "wud": "would", "wana": "wanna", "gime": "gimme", "thx": "thanks", "ya": "you", "hows": "how's", "gonna": "going to", "dont": "don't", "didnt": "didn't",
	"lemme": "let me", "im": "i'm", "id": "i'd", "cant": "can't", "shud": "should", "mins": "minutes", "rn": "right now",
}

// has tells whether the term stands in the view: a Korean one from the beginning of a word, an English one as whole words.
func (v *view) has(t term) bool {
	if !t.korean {
		return strings.Contains(v.english, " "+t.form+" ")
	}
	for from := 0; ; {
		i := strings.Index(v.compact[from:], t.form)
		if i < 0 {
			return false
		}
		i += from
		if (t.inside || v.starts[i]) && !v.inCompound(i, t.form) {
			return true
		}
		from = i + len(t.form)
	}
}

func (v *view) inCompound(i int, form string) bool {
	rest := v.compact[i:]
	if strings.HasPrefix(rest, "몇시에요") || strings.HasPrefix(rest, "몇시에여") {
		return false
	}
	return slices.ContainsFunc(compounds, func(c string) bool { return strings.HasPrefix(c, form) && strings.HasPrefix(rest, c) })
}

// strength is how surely the view means the sense, 0 to 1.
func (v *view) strength(s *sense) float64 {
	best := 0.0
	if len(v.words) == 1 && solo[v.words[0].Lower] == s.name {
		return 1
	}
	for _, t := range s.terms {
		if t.weight > best && v.has(t) {
			best = t.weight
		}
	}
	return best
}

// containsKO tells whether a Korean form stands anywhere in the view, at a word start or not.
func (v *view) containsKO(forms ...string) bool {
	return slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(v.compact, f) })
}

func (v *view) containsEN(forms ...string) bool {
	return slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(v.english, f) })
}
