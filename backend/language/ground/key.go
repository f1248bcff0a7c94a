package ground

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Key is what two ways to call the same person have in common, to look a name up in an address book: case, spaces, 님 and 씨 and the
// 이 that speech adds after a final consonant do not count. 용걸이 and 용걸 have one key, so have 김 철수님 and 김철수, My Mom and mom. Two
// people may share a key (순길 and 순길이): prefer the one whose name is written the same.
func Key(name string) string {
	name = strings.ToLower(norm.NFC.String(name))
	for _, p := range []string{"my ", "our ", "우리 ", "내 ", "제 ", "저희 "} {
		name = strings.TrimPrefix(strings.TrimSpace(name), p)
	}
	rs := []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '.' {
			return -1
		}
		return r
	}, name))
	if n := len(rs); n > 2 && (rs[n-1] == '님' || rs[n-1] == '씨') {
		rs = rs[:n-1]
	}
	if n := len(rs); n > 2 && rs[n-1] == '이' && final(rs[n-2]) {
		rs = rs[:n-1]
	}
	return string(rs)
}

// final tells whether a Hangul syllable ends in a consonant.
func final(r rune) bool { return hangul(r) && (r-'가')%28 != 0 }

func hangul(r rune) bool { return r >= '가' && r <= '힣' }
