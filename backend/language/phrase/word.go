package phrase

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/wordlist"
)

// Word is one word of a normalised text. Lower is Text in lower case; Start and End are its byte offsets.
type Word struct {
	Text, Lower string
	Start, End  int
}

// Words splits a normalised text at spaces and punctuation. Points, commas and colons between digits, apostrophes and hyphens inside a
// word and a percent or currency sign next to a digit belong to the word.
func Words(s string) []Word {
	var out []Word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, Word{s[start:end], strings.ToLower(s[start:end]), start, end})
			start = -1
		}
	}
	for i, r := range s {
		if inWord(s, i, r) {
			if start < 0 {
				start = i
			}
			continue
		}
		flush(i)
	}
	flush(len(s))
	return out
}

func inWord(s string, i int, r rune) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r) {
		return true
	}
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	_, width := utf8.DecodeRuneInString(s[i:]) // of a byte that is no letter: one
	next, _ := utf8.DecodeRuneInString(s[i+width:])
	switch r {
	case '.', ',', ':':
		return unicode.IsDigit(prev) && unicode.IsDigit(next)
	case '\'', '-', '&':
		return unicode.IsLetter(prev) && unicode.IsLetter(next) || r == '-' && unicode.IsDigit(prev) && unicode.IsDigit(next)
	case '%':
		return unicode.IsDigit(prev)
	case '$', '₩':
		return unicode.IsDigit(next)
	}
	return false
}

// particles that may follow a Korean noun, longest first. need says what the syllable before must look like:
// 'c' a final consonant, 'v' none, 'r' none or ㄹ, '*' anything.
var particles = []struct {
	form string
	need byte
}{
	{"에서부터", '*'},
	{"으로부터", 'c'},
	{"이라는", 'c'},
	{"이라고", 'c'},
	{"쪽으로", '*'},
	{"까지만", '*'},
	{"까지는", '*'},
	{"까지의", '*'},
	{"에서의", '*'},
	{"까지", '*'},
	{"에서", '*'},
	{"부터", '*'},
	{"으로", 'c'},
	{"한테", '*'},
	{"에게", '*'},
	{"이랑", 'c'},
	{"하고", '*'},
	{"이나", 'c'},
	{"라는", 'v'},
	{"라고", 'v'},
	{"에다", '*'},
	{"에는", '*'},
	{"에도", '*'},
	{"이란", 'c'},
	{"정도", '*'},
	{"처럼", '*'},
	{"보다", '*'},
	{"이라도", 'c'},
	{"라도", 'v'},
	{"이요", 'c'},
	{"이에요", 'c'},
	{"예요", 'v'},
	{"입니다", '*'},
	{"이야", 'c'},
	{"인데", '*'},
	{"로", 'r'},
	{"랑", 'v'},
	{"나", 'v'},
	{"을", 'c'},
	{"를", 'v'},
	{"은", 'c'},
	{"는", 'v'},
	{"이", 'c'},
	{"가", 'v'},
	{"에", '*'},
	{"도", '*'},
	{"만", '*'},
	{"의", '*'},
	{"와", 'v'},
	{"과", 'c'},
	{"요", 'v'},
	{"쯤", '*'},
	{"좀", '*'},
	{"께", '*'},
}

// keepWhole are names that only look as if they ended in a particle.
var keepWhole = wordlist.Of("제주도 여의도 울릉도 거제도 영종도 강화도 월미도 오이도 대부도 선유도 안면도 보길도 청산도 남이도 석모도 무의도 을왕도 경기도 강원도 " +
	"충청도 전라도 경상도 충청북도 충청남도 전라북도 전라남도 경상북도 경상남도 황해도 평안도 함경도 홋카이도 을지로 충무로 세종로 테헤란로 퇴계로 구로 " +
	"신림로 강남대로 대로 미로 칠레 가나 파나마 온도 속도 지도 태도 정도 한도 각도 습도 고도 별로 새로 진짜로 바로 스스로 그대로 서로 따로 " +
	"도로 하나 누나 언니나 바나나 나나 오늘 하늘 마늘 노을 마을 가을 겨울이 고양이 어린이 사이 아이 종이 나이 놀이 회의 주의 강의 거의 문의 합의 " +
	"회가 휴가 작가 물가 주가 평가 인가 국가 휴게소 동대문 모나리자 시나리오 타이타닉 인도 수도 독도 완도 진도 몰도바 라라랜드에 김밥나라 멜로디에 신도 " +
	"터키 로마 이만 그만 만 십만 백만 천만 대만 미만 오만 고만 프로 유로 제로 히로 여로 스페인어로 아리랑 사랑 자랑 신랑 노랑 파랑 도랑 소나기 비나 코카콜라 자라 다음에")

// Stem splits the particle off a Korean noun: "서울역까지" → "서울역", "까지". It returns "" as the particle when there is none.
// Particles that need a vowel or a consonant before them are told from name endings (상하이, 종로) by that.
func Stem(word string) (stem, particle string) {
	if keepWhole[word] {
		return word, ""
	}
	for _, p := range particles {
		s, ok := strings.CutSuffix(word, p.form)
		if !ok || s == "" {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(s)
		f := Final(last)
		// One syllable before a one-syllable particle is more often a word of its own (가나, 파도, 제의).
		alone := utf8.RuneCountInString(s) == 1 && utf8.RuneCountInString(p.form) == 1 && !shortNouns[s]
		if f >= 0 && (alone || !follows(p.need, f)) {
			continue
		}
		if inner, q := Stem(s); goesOn[q] && p.form != "이" && p.form != "도" {
			return inner, q + p.form
		}
		return s, p.form
	}
	return word, ""
}

// goesOn are particles that another may follow.
var goesOn = wordlist.Of("까지 에서 으로 로 한테")

// follows tells whether a particle stands behind a syllable with that final consonant.
func follows(need byte, final int) bool {
	switch need {
	case 'c':
		return final != 0
	case 'v':
		return final == 0
	case 'r':
		return final == 0 || final == FinalRieul
	}
	return true
}

var shortNouns = wordlist.Of("집 비 눈 곡 길 불 물 돈 약 밥 문 차 꿈 산 강 역 섬 책 나 너 저 그 해 달 별 봄 팝 랩 춤 꽃 빵 술 옷 일 말 시 분 초")

// Grams are the character pairs and triples of s, spaces and marks left out, packed into numbers and sorted.
func Grams(s string) []uint64 {
	var rs []rune
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '□' {
			rs = append(rs, r)
		}
	}
	out := make([]uint64, 0, 2*len(rs))
	for i := range rs {
		g := uint64(rs[i]) //nolint:gosec // a rune of a string is never negative
		for n := 2; n <= 3 && i+n <= len(rs); n++ {
			g = g<<21 | uint64(rs[i+n-1]) //nolint:gosec // as above
			out = append(out, g)
		}
	}
	slices.Sort(out)
	return out
}

// Alike is the Dice similarity of two gram lists, 0 to 1.
func Alike(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}

// Describes tells a word that is the plain present of an adjective whose stem ends in ㅂ: 시끄러워, 지겨워. One syllable before it is too few
// to tell it from a noun (샤워).
func Describes(word string) bool {
	stem, ok := strings.CutSuffix(strings.TrimSuffix(word, "요"), "워")
	return ok && utf8.RuneCountInString(stem) >= 2
}
