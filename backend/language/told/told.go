// Package told knows clauses that only tell what somebody does or did: their predicate is in the past, or their subject is somebody who is
// not spoken to. They hold the words of a request (mom sent me 10,000 won, 엄마가 만원 보냈어) and ask for nothing.
package told

import (
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

// ends tells whether the last word of a Korean message is a predicate in the past tense. 줬으면 wishes, 됐어 declines, and the ㅆ of 있 and
// 겠 is no past.
func ends(text string) bool {
	words := phrase.Words(text)
	if len(words) == 0 {
		return false
	}
	last := []rune(words[len(words)-1].Text)
	for i, r := range last {
		if phrase.Final(r) == phrase.FinalSsSiot && !strings.ContainsRune("있겠됐", r) {
			return i < len(last)-1 && last[len(last)-1] != '면'
		}
	}
	return false
}

// Past looks for ㅆ in the last predicate of a Korean clause: 봤어, 들었는데, 재밌었다. 있 and 겠 are no past.
func Past(text string) bool {
	var rs []rune
	for _, w := range phrase.Words(text) {
		rs = append(rs, []rune(w.Lower)...)
	}
	for i := len(rs) - 1; i >= 0 && i >= len(rs)-5; i-- {
		if phrase.Final(rs[i]) == phrase.FinalSsSiot && rs[i] != '있' && rs[i] != '겠' && i > 0 {
			return true
		}
	}
	return false
}
