// Package words turns text into the terms of the library's index, and a question into the terms that matter in it. Korean
// has no useful word boundaries, so a run of Hangul becomes its pairs of syllables (bigrams), looked up as a phrase; words
// of other scripts stay whole.
package words

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Of cuts a text into its words: lowercase runs of letters and digits in NFKC, Hangul apart from everything else.
func Of(text string) []string {
	if !plain(text) && !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	out := make([]string, 0, len(text)/8)
	start, was, raised := 0, other, false
	end := func(at int) {
		if was == other {
			return
		}
		if raised {
			out = append(out, strings.Map(unicode.ToLower, text[start:at]))
		} else {
			out = append(out, text[start:at]) // a piece of the text: nothing is copied
		}
	}
	for i, r := range text {
		k := kindOf(r)
		if k != was {
			end(i)
			start, was, raised = i, k, false
		}
		raised = raised || k == letter && unicode.ToLower(r) != r
	}
	end(len(text))
	return out
}

// plain tells quickly of most Korean and English texts that they are in NFKC: they are nothing but ASCII and syllables, which
// only what is neither could change.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && (r < 0xAC00 || r > 0xD7A3) })
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
	case r < utf8.RuneSelf: // most of what is not Hangul
		return ascii[r]
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	}
	return other
}

// ascii are the kinds of the first 128 characters.
var ascii = func() (t [utf8.RuneSelf]kind) {
	for r := range t {
		switch {
		case unicode.IsDigit(rune(r)):
			t[r] = digit
		case unicode.IsLetter(rune(r)):
			t[r] = letter
		}
	}
	return t
}()

// Korean tells whether a word is Hangul.
func Korean(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return kindOf(r) == hangul
}

// syllable is how many bytes a syllable has.
const syllable = 3

// Terms writes a text for the index: the terms of its words, separated by spaces. A word of one syllable, and the last
// syllable of each, is a term of its own, so that short words are found too.
func Terms(text string) string {
	b := make([]byte, 0, 2*len(text)+16)
	for _, w := range Of(text) {
		if !Korean(w) {
			b = append(append(b, w...), ' ')
			continue
		}
		for i := 0; i < len(w); i += syllable { // the last one stands alone
			b = append(append(b, w[i:min(i+2*syllable, len(w))]...), ' ')
		}
	}
	return string(b[:max(len(b)-1, 0)])
}

// Each gives the terms that a word is looked up by, one after the other: its pairs of syllables, or the word itself.
func Each(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !Korean(word) || len(word) == syllable {
			yield(word)
			return
		}
		for i := 0; i+2*syllable <= len(word); i += syllable {
			if !yield(word[i : i+2*syllable]) {
				return
			}
		}
	}
}

// TermsOf are the terms of Each as a list.
func TermsOf(word string) []string { return slices.Collect(Each(word)) }

// Phrase writes a word as a phrase of the index's query language.
func Phrase(word string) string { return `"` + strings.Join(TermsOf(word), " ") + `"` }
