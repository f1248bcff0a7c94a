package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// gram is how many letters of a word that is not Hangul stand together in an index of pieces. Syllables stand in pairs.
const gram = 3

// Grams writes a text for an index of pieces: every piece of its words, each once, separated by spaces. What stands anywhere in a
// word is found by it, also its last letters, for the ends of words are pieces of their own.
func Grams(text string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, w := range Of(text) {
		for piece := range pieces(w) {
			if !seen[piece] {
				seen[piece] = true
				b.WriteString(piece)
				b.WriteByte(' ')
			}
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// pieces gives what a word consists of, at each place of it, and whether the piece is as long as pieces are.
func pieces(word string) func(yield func(string, bool) bool) {
	n := gram
	if Korean(word) {
		n = 2
	}
	return func(yield func(string, bool) bool) {
		for at := range word {
			end, letters := at, 0
			for end < len(word) && letters < n {
				_, size := utf8.DecodeRuneInString(word[end:])
				end, letters = end+size, letters+1
			}
			if !yield(word[at:end], letters == n) {
				return
			}
		}
	}
}

// GramsQuery finds the texts of an index of pieces that may hold each of the words, wherever in a word it stands; "" when nothing of them
// stands in such an index. Whether a text does, Holds says.
func GramsQuery(sought []string) string {
	var all []string
	for _, s := range sought {
		for _, w := range Of(s) {
			whole := false
			for piece, full := range pieces(w) {
				switch {
				case full:
					all, whole = append(all, `"`+piece+`"`), true
				case !whole: // the word is shorter than a piece, and the beginning of some
					all, whole = append(all, `"`+piece+`"*`), true
				}
			}
		}
	}
	return strings.Join(all, " AND ")
}

// Sought gives the words of what was typed into a search.
func Sought(text string) []string { return strings.Fields(fold(text)) }

// Holds tells whether a text holds each of the words that Sought gave, wherever and whatever the case of its letters.
func Holds(text string, sought []string) bool {
	text = fold(text)
	for _, w := range sought {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func fold(text string) string {
	if !plain(text) {
		text = norm.NFKC.String(text)
	}
	return strings.ToLower(text)
}
