// Package told knows clauses that only tell what somebody does or did: their predicate is in the past, or their subject is somebody who is
// not spoken to. They hold the words of a request (mom sent me 10,000 won, 엄마가 만원 보냈어) and ask for nothing.
package told

import (
	"slices"
	"strings"

	"agentchat/backend/language/phrase"
)

// Message tells whether a whole message only tells. One that asks something does not, nor does one in which an order follows what is told.
func Message(text string) bool {
	if strings.ContainsAny(text, "?？") {
		return false
	}
	if phrase.Korean(text) {
		return ends(text)
	}
	return english(text)
}

// Clause tells whether one clause tells what was or what somebody does, whether or not a mark makes a question of it.
func Clause(text string) bool {
	if phrase.Korean(text) {
		return Past(text)
	}
	return english(text)
}

// ends tells whether a Korean message ends with a predicate in the past.
func ends(text string) bool {
	ws := phrase.Words(text)
	if len(ws) == 0 {
		return false
	}
	after, past := tense([]rune(ws[len(ws)-1].Lower))
	return past && len(after) > 0
}

// finite are the last syllables of a past that ends a sentence: 봤어, 봤다, 봤거든. What goes on to something else ends with another (봤던, 보고).
const finite = "어다네지요죠대음든"

// Ended tells a Korean word that ends a sentence in the past: 샀어, 했다, 끝냈어요.
func Ended(word string) bool {
	after, past := tense([]rune(word))
	return past && len(after) > 0 && strings.ContainsRune(finite, after[len(after)-1])
}

// Past tells a Korean clause whose last predicate, or the one just before its last syllables, is in the past: 봤어, 들었는데, 재밌었다.
func Past(text string) bool {
	ws, left := phrase.Words(text), lastSyllables
	for i := len(ws) - 1; i >= 0 && left > 0; i-- {
		word := []rune(ws[i].Lower)
		if after, past := tense(word); past && len(after) < left && (i > 0 || len(after)+1 < len(word)) {
			return true
		}
		left -= len(word)
	}
	return false
}

const lastSyllables = 5

// tense gives what follows the last syllable of a word that puts it into the past. 있 and 겠 do not, nor does what wishes (줬으면) or says which thing
// is meant (봤던); 됐 alone declines.
func tense(word []rune) (after []rune, past bool) {
	for i, r := range slices.Backward(word) {
		if phrase.Final(r) == phrase.FinalSsSiot && r != '있' && r != '겠' && (r != '됐' || i > 0) {
			after = word[i+1:]
			return after, len(after) == 0 || !strings.ContainsRune("면던", after[len(after)-1])
		}
	}
	return nil, false
}
