// Package match compares names as people type them with names as things have them: without case, spaces or marks, and
// forgiving a slip of the finger, also inside one Hangul syllable.
package match

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/phrase"
)

// Fold brings a name into the form that is compared: NFKC, lower case, letters and digits only. Accents are dropped, so
// "São Paulo" and "sao paulo" are one name; Hangul stays whole.
func Fold(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	for _, r := range norm.NFKC.String(name) {
		if isHangul(r) {
			b.WriteRune(r)
			continue
		}
		for _, d := range norm.NFKD.String(string(r)) {
			if unicode.IsLetter(d) || unicode.IsDigit(d) {
				b.WriteRune(unicode.ToLower(d))
			}
		}
	}
	return b.String()
}

// Spelled is a folded name in the single letters that a finger types (jamo for Hangul). Whoever compares one name with many spells
// them beforehand.
type Spelled struct {
	letters []rune
	hangul  bool
}

// Spell brings a folded name into letters.
func Spell(folded string) Spelled {
	l := letters(folded)
	return Spelled{l, len(l) != utf8.RuneCountInString(folded)}
}

// Similarity of two folded names, from 0 (nothing in common) to 1 (equal): one minus the edit distance over the longer
// length, counted in single letters (jamo for Hangul).
func Similarity(a, b string) float64 { return Spell(a).Similarity(Spell(b)) }

// Similarity is that of the two names.
func (a Spelled) Similarity(b Spelled) float64 {
	longer := max(len(a.letters), len(b.letters))
	if longer == 0 {
		return 1
	}
	return 1 - float64(distance(a.letters, b.letters))/float64(longer)
}

// Close says whether two names differ by no more than a slip: one letter, or two in a long name. Short names
// forgive nothing: Korean names of two syllables (문산, 군산) lie so near one another that a guess would be a wrong one.
func (a Spelled) Close(b Spelled) bool {
	short := 5
	if a.hangul || b.hangul {
		short = 7 // jamo
	}
	allowed := 0
	switch n := min(len(a.letters), len(b.letters)); {
	case n >= 12:
		allowed = 2
	case n >= short:
		allowed = 1
	}
	gap := len(a.letters) - len(b.letters)
	if gap > allowed || -gap > allowed {
		return false
	}
	return distance(a.letters, b.letters) <= allowed
}

// mostNear is how many names come nearest.
const mostNear = 3

// Nearest gives those of the names that come nearest to a folded one, the nearest first: they have more letters in common with it
// than not. spelt are the names in letters.
func Nearest(folded string, names []string, spelt []Spelled) []string {
	wanted := Spell(folded)
	type candidate struct {
		name string
		s    float64
	}
	var near []candidate
	for i, name := range names {
		if 2*min(len(wanted.letters), len(spelt[i].letters)) <= max(len(wanted.letters), len(spelt[i].letters)) {
			continue // what one has more is as much as all they could share
		}
		if s := wanted.Similarity(spelt[i]); s > 0.5 {
			near = append(near, candidate{name, s})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(b.s, a.s) })
	list := make([]string, 0, mostNear)
	for _, c := range near[:min(len(near), mostNear)] {
		list = append(list, c.name)
	}
	return list
}

const (
	hangulFirst  = 0xAC00
	hangulLast   = 0xD7A3
	perInitial   = 588
	perMedial    = 28
	initialBase  = 0x1100
	medialBase   = 0x1161
	finalBase    = 0x11A7
	longestNames = 256 // letters; more says nothing new about a name
)

func isHangul(r rune) bool { return r >= hangulFirst && r <= hangulLast }

// letters splits a folded name into what a finger types: Hangul syllables become their jamo.
func letters(name string) []rune {
	out := make([]rune, 0, len(name))
	for _, r := range name {
		if len(out) >= longestNames {
			break
		}
		if !isHangul(r) {
			out = append(out, r)
			continue
		}
		i := r - hangulFirst
		out = append(out, initialBase+i/perInitial, medialBase+i%perInitial/perMedial)
		if final := i % perMedial; final != 0 {
			out = append(out, finalBase+final)
		}
	}
	return out
}

// distance is Damerau's (optimal string alignment): insert, delete, change, or swap two neighbours.
func distance(a, b []rune) int { return phrase.Distance(a, b, max(len(a), len(b))) }
