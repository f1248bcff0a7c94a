package slot

import (
	"strconv"
	"strings"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/wordlist"
)

// places in a list, in the words of both languages.
var places = func() map[string]int {
	all := map[string]int{}
	for n, forms := range []string{
		"첫 첫째 처음 첫번째 일번 first one 1st", "두 둘째 두번째 이번 second two 2nd", "세 셋째 세번째 삼번 third three 3rd", "네 넷째 네번째 사번 fourth four 4th",
		"다섯 다섯째 오번 fifth 5th", "여섯 여섯째 육번 sixth 6th", "일곱 일곱째 칠번 seventh 7th", "여덟 여덟째 팔번 eighth 8th", "아홉 아홉째 구번 ninth 9th", "열 열째 십번 tenth 10th",
	} {
		for form := range strings.FieldsSeq(forms) {
			all[form] = n + 1
		}
	}
	return all
}()

// besidePlace are words that may stand with a place: 두 번째 걸로요, the second one please.
var besidePlace = wordlist.Of("번째 번 번째요 번이요 번요 거 것 걸로 것으로 거요 걸로요 요 로 으로 해줘 할게 할게요 the one number option please that's no")

// Ordinal gives the place in a list, from 1, that a whole message names: 2, 2번, 두 번째 거, the second one.
func Ordinal(text string) (n int, ok bool) {
	words := phrase.Words(strings.ToLower(phrase.Normalize(text)))
	if len(words) == 0 || len(words) > 4 {
		return 0, false
	}
	for i, word := range words {
		w := word.Text
		switch at, known := place(w); {
		case n > 0 && besidePlace[w]:
		case known && n == 0 && !(w == "네" && len(words) == 1): // which is a yes
			n = at
		case n == 0 && besidePlace[w] && i == 0:
		default:
			return 0, false
		}
	}
	return n, n > 0
}

func place(w string) (int, bool) {
	if n, ok := places[w]; ok {
		return n, true
	}
	digits := strings.TrimRight(w, "번째요이로거걸으.)")
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && n < 10 {
		return n, true
	}
	for _, tail := range []string{"번째", "번"} {
		if stem, rest, ok := strings.Cut(w, tail); ok && besidePlace[rest] || ok && rest == "" {
			if n, known := places[stem]; known {
				return n, true
			}
		}
	}
	return 0, false
}
