// Package hangul joins Korean words and their particles the way people write them. It imports the standard library only.
package hangul

import (
	"strings"
	"unicode"
)

// With puts the right one of two particles behind a word: With("모니터", "은", "는") is "모니터는". The first is the one
// after a final consonant. Quotes behind the word and what stands in parentheses are not said, so they are looked through.
// Latin letters are judged by how Koreans read them. A word whose last sound cannot be told gets both, as in "※은(는)".
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
	case unknown:
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
	if i := strings.LastIndex(word, " ("); i > 0 && strings.HasSuffix(word, ")") {
		word = word[:i]
	}
	word = strings.TrimRightFunc(word, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) })
	runes := []rune(strings.ToLower(word))
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
	case r >= 'a' && r <= 'z':
		return latin(runes)
	}
	return unknown
}

// latin judges a word in Latin letters: a lone letter by its name (엘, 엠, 엔, 알 end in a consonant), a longer word by its
// spelling, as loan words keep it (서울, 부산, 아리랑; but 모니터, 버스).
func latin(runes []rune) sound {
	last := runes[len(runes)-1]
	alone := len(runes) == 1 || runes[len(runes)-2] < 'a' || runes[len(runes)-2] > 'z'
	switch {
	case last == 'l', alone && last == 'r':
		return closedRieul
	case strings.ContainsRune("mn", last), !alone && strings.ContainsRune("bckpt", last):
		return closed
	case !alone && last == 'g' && runes[len(runes)-2] == 'n':
		return closed
	}
	return open
}
