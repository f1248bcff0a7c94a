// Package words turns text into the terms of the library's index, and a question into the terms that matter in it. Korean
// has no useful word boundaries, so a run of Hangul becomes its pairs of syllables (bigrams), looked up as a phrase; words
// of other scripts stay whole.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Of cuts a text into its words: lowercase runs of letters and digits in NFKC, Hangul apart from everything else.
func Of(text string) []string {
	var out []string
	var b strings.Builder
	was := other
	end := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	for _, r := range text {
		k := kindOf(r)
		if k != was || k == other {
			end()
		}
		if was = k; k != other {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	end()
	return out
}

type kind int

const (
	other kind = iota
	hangul
	letter
	digit
)

func kindOf(r rune) kind {
	switch {
	case r >= 0xAC00 && r <= 0xD7A3:
		return hangul
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return other
}

// Korean tells whether a word is Hangul.
func Korean(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return kindOf(r) == hangul
}

// Terms writes a text for the index: the terms of its words, separated by spaces. A word of one syllable, and the last
// syllable of each, is a term of its own, so that short words are found too.
func Terms(text string) string {
	var b strings.Builder
	b.Grow(2 * len(text))
	for _, w := range Of(text) {
		for _, t := range terms(w, true) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(t)
		}
	}
	return b.String()
}

// terms are the terms of one word. whole adds the last syllable, as the index has it.
func terms(word string, whole bool) []string {
	if !Korean(word) {
		return []string{word}
	}
	runes := []rune(word)
	if len(runes) == 1 {
		return []string{word}
	}
	out := make([]string, 0, len(runes))
	for i := range len(runes) - 1 {
		out = append(out, string(runes[i:i+2]))
	}
	if whole {
		out = append(out, string(runes[len(runes)-1:]))
	}
	return out
}

// Phrase writes a word as a phrase of the index's query language.
func Phrase(word string) string { return `"` + strings.Join(terms(word, false), " ") + `"` }
