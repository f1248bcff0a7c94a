package reading

import (
	"regexp"
	"strings"

	"agentchat/backend/provider"
)

// away are words that take a value away, and without are those that do so before it.
var (
	away    = regexp.MustCompile(`(?i)^\S{0,2}\s*(없이|빼|지워|지우|삭제|취소|필요\s?없|안\s?(적|쓸|넣)|없애|없는)`)
	without = regexp.MustCompile(`(?i)\b(no|without|remove|delete|drop|clear)\s+(the |a |any )?$`)
)

// Clears tells whether the message takes an optional value away: 메모 빼줘, without a memo.
func Clears(s provider.SlotCard, text string) bool {
	if s.Required {
		return false
	}
	lower := strings.ToLower(text)
	for _, w := range s.Without {
		if without := strings.ToLower(w); hasWord(lower, without) {
			return true
		}
	}
	for _, cue := range s.Cues {
		if i := strings.Index(lower, strings.ToLower(cue)); i >= 0 && (away.MatchString(lower[i+len(cue):]) || without.MatchString(lower[:i])) {
			return true
		}
	}
	return false
}

// hasWord tells whether a word stands in the text by itself: 지금 does not stand in 지금까지.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || strings.ContainsRune(" ,.", rune(text[from-1]))) && (to == len(text) || strings.ContainsRune(" ,.!", rune(text[to]))) {
			return true
		}
		at = to
	}
}
