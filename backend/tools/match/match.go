// Package match compares names as people type them with names as things have them: without case, spaces or marks, and
// forgiving a slip of the finger, also inside one Hangul syllable.
package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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

// Similarity of two folded names, from 0 (nothing in common) to 1 (equal): one minus the edit distance over the longer
// length, counted in single letters (jamo for Hangul).
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := letters(a), letters(b)
	longer := max(len(x), len(y))
	if longer == 0 {
		return 1
	}
	return 1 - float64(distance(x, y))/float64(longer)
}

// Close says whether two folded names differ by no more than a slip: one letter, or two in a long name. Short names
// forgive nothing: Korean names of two syllables (문산, 군산) lie so near one another that a guess would be a wrong one.
func Close(a, b string) bool {
	x, y := letters(a), letters(b)
	short := 5
	if len(x) != utf8.RuneCountInString(a) || len(y) != utf8.RuneCountInString(b) {
		short = 7 // jamo
	}
	allowed := 0
	switch n := min(len(x), len(y)); {
	case n >= 12:
		allowed = 2
	case n >= short:
		allowed = 1
	}
	gap := len(x) - len(y)
	if gap > allowed || -gap > allowed {
		return false
	}
	return distance(x, y) <= allowed
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
func distance(a, b []rune) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
