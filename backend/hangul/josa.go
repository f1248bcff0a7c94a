// Package hangul joins Korean words and their particles the way people write them. It imports the standard library only.
package hangul

import (
	"strings"
	"unicode"
)

// With puts the right one of two particles behind a word: With("모니터", "은", "는") is "모니터는". The first is the one
// after a final consonant. Quotes and brackets behind the word are looked through; a word whose last sound cannot be
// told gets both, as in "X은(는)".
func With(word, afterConsonant, afterVowel string) string {
	switch final(word) {
	case closed:
		return word + afterConsonant
	case closedRieul:
		if afterConsonant == "으로" {
			return word + afterVowel
		}
		return word + afterConsonant
	case open:
		return word + afterVowel
	}
	return word + afterConsonant + "(" + afterVowel + ")"
}

type sound int

const (
	unknown sound = iota
	open
	closed
	closedRieul // ㄹ, which takes 로 and not 으로
)

// digits holds how the Korean names of 0…9 end: 영 일 이 삼 사 오 육 칠 팔 구.
var digits = [10]sound{closed, closedRieul, open, closed, open, open, closed, closedRieul, closedRieul, open}

func final(word string) sound {
	word = strings.TrimRightFunc(word, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) })
	runes := []rune(word)
	if len(runes) == 0 {
		return unknown
	}
	switch r := runes[len(runes)-1]; {
	case r >= '가' && r <= '힣':
		switch (r - '가') % 28 {
		case 0:
			return open
		case 8:
			return closedRieul
		}
		return closed
	case r >= '0' && r <= '9':
		return digits[r-'0']
	}
	return unknown
}
