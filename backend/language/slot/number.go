package slot

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number finds the first number in text, in digits or in Korean or English words, and gives it as a plain decimal ("35000", "1.5",
// "-3").
func Number(text string) (string, bool) {
	rs := []rune(prepare(inInches(text)))
	for i := range rs {
		if !wordStart(rs, i) {
			continue
		}
		n, end, ok := scanNumber(rs, i)
		if !ok || ambiguousAlone(rs, i, end) {
			continue
		}
		if negated(rs, i) {
			n = new(big.Rat).Neg(n)
		}
		return plain(n), true
	}
	return "", false
}

var (
	sinoDigit = map[rune]int64{'영': 0, '공': 0, '일': 1, '이': 2, '삼': 3, '사': 4, '오': 5, '육': 6, '륙': 6, '칠': 7, '팔': 8, '구': 9}
	sinoSmall = map[rune]int64{'십': 10, '백': 100, '천': 1000}
	sinoBig   = map[rune]int64{'만': 1e4, '억': 1e8, '조': 1e12}
)

var nativeTens = formsOf([]valued[int64]{
	{"스물, 스무", 20}, {"서른", 30}, {"마흔", 40}, {"쉰", 50}, {"예순", 60}, {"일흔", 70}, {"여든", 80}, {"아흔", 90}, {"열", 10},
})

var nativeOnes = formsOf([]valued[int64]{
	{"하나", 1}, {"다섯", 5}, {"여섯", 6}, {"일곱", 7}, {"여덟, 여덜", 8}, {"아홉", 9}, {"둘", 2}, {"셋", 3}, {"넷", 4}, {"한", 1}, {"두", 2}, {"세", 3}, {"네", 4},
})

// scanNumber reads a number at rs[i] and gives its value and the index after it.
func scanNumber(rs []rune, i int) (*big.Rat, int, bool) {
	if i >= len(rs) {
		return nil, i, false
	}
	if unicode.IsDigit(rs[i]) || rs[i] == '.' && i+1 < len(rs) && isDigit(rs[i+1]) {
		return scanDigits(rs, i)
	}
	if isLatin(rs[i]) {
		return scanEnglish(rs, i)
	}
	if n, end, ok := scanNative(rs, i); ok {
		return n, end, true
	}
	if !isSino(rs[i]) && !isUnit(rs[i]) {
		return nil, i, false
	}
	return scanSino(rs, i)
}

// scanDigits reads 35,000 · 3.5 · 3만5천 · 1억 2천만 · 3천5백.
func scanDigits(rs []rune, i int) (*big.Rat, int, bool) {
	n, end, ok := readDigits(rs, i)
	if !ok {
		return nil, i, false
	}
	if end < len(rs) && isUnit(rs[end]) {
		if v, e, all := scanSino(rs, i); all {
			return v, e, true
		}
	}
	return n, end, true
}

// scanSino reads 만오천, 이십삼, 삼백 and mixtures with digits.
func scanSino(rs []rune, i int) (*big.Rat, int, bool) {
	s := string(rs[i:min(len(rs), i+64)])
	n, ok := readNumeral(s)
	if !ok {
		return nil, i, false
	}
	return big.NewRat(n.value, n.scale), i + utf8.RuneCountInString(s[:n.end]), true
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLatin(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }

func isUnit(r rune) bool { return sinoSmall[r] > 0 || sinoBig[r] > 0 }

// readDigits reads digits with thousands commas and a decimal part.
func readDigits(rs []rune, i int) (*big.Rat, int, bool) {
	var b strings.Builder
	j, dot := i, false
	for ; j < len(rs) && j-i < 40; j++ {
		switch r := rs[j]; {
		case isDigit(r):
			b.WriteRune(r)
		case r == ',' && !dot && j > i && threeDigits(rs, j+1):
		case r == '.' && !dot && j+1 < len(rs) && isDigit(rs[j+1]):
			dot = true
			if b.Len() == 0 {
				b.WriteByte('0')
			}
			b.WriteRune('.')
		default:
			goto done
		}
	}
done:
	n, ok := new(big.Rat).SetString(b.String())
	return n, j, ok && b.Len() > 0
}

func threeDigits(rs []rune, i int) bool {
	return i+2 < len(rs) && isDigit(rs[i]) && isDigit(rs[i+1]) && isDigit(rs[i+2]) && (i+3 >= len(rs) || !isDigit(rs[i+3]))
}

// scanNative reads 하나, 스물다섯, 한, 열두. The short determiners (한 두 세 네) count only before a space or a counter.
func scanNative(rs []rune, i int) (*big.Rat, int, bool) {
	j, n, tens := i, int64(0), false
	for _, t := range nativeTens {
		if hasAt(rs, j, t.form) {
			n, j, tens = t.value, j+len([]rune(t.form)), true
			break
		}
	}
	if tens && n == 10 && !nativeFollows(rs, j) {
		return nil, i, false
	}
	k := j
	for _, o := range nativeOnes {
		if !hasAt(rs, k, o.form) {
			continue
		}
		e := k + len([]rune(o.form))
		if len([]rune(o.form)) == 1 && !counterAt(rs, e) && !strings.ContainsAny(o.form, "둘셋넷") {
			continue
		}
		if strings.ContainsAny(o.form, "둘셋넷") && e < len(rs) && hasAt(rs, e, "러") {
			continue
		}
		return big.NewRat(n+o.value, 1), e, true
	}
	if tens {
		return big.NewRat(n, 1), j, true
	}
	return nil, i, false
}

// nativeFollows keeps 열 (ten) apart from 열어, 열다: it wants another numeral, a counter, an operator or an end.
func nativeFollows(rs []rune, j int) bool {
	if j >= len(rs) || rs[j] == ' ' || counterAt(rs, j) {
		return true
	}
	for _, o := range nativeOnes {
		if hasAt(rs, j, o.form) {
			return true
		}
	}
	return slices.ContainsFunc([]string{"에", "을", "더하", "빼", "곱", "나누"}, func(w string) bool { return hasAt(rs, j, w) })
}

var counters = []string{"시간", "시", "개월", "개", "곡", "편", "번", "달", "명", "분", "초", "잔", "마리", "살", "권", "장", "대", "병", "주", "가지", "배", "판", "줄", "사람", "밤"}

// counterAt tells whether a counting noun stands at rs[i], a space before it allowed.
func counterAt(rs []rune, i int) bool {
	if i < len(rs) && rs[i] == ' ' {
		i++
	}
	return slices.ContainsFunc(counters, func(c string) bool { return hasAt(rs, i, c) })
}

func skipSpace(rs []rune, i int) int {
	for i < len(rs) && rs[i] == ' ' {
		i++
	}
	return i
}

func hasAt(rs []rune, i int, w string) bool {
	for _, r := range w {
		if i >= len(rs) || rs[i] != r {
			return false
		}
		i++
	}
	return true
}

// ambiguousAlone tells a number word that is a common word when it stands alone: 이, 일, 오, 만, one.
func ambiguousAlone(rs []rune, i, end int) bool {
	if isDigit(rs[i]) || end-i > 1 && !isLatin(rs[i]) || isLatin(rs[i]) && string(rs[i:end]) != "one" {
		return false
	}
	return strings.ContainsRune("이일오만사구조공", rs[i]) && !(end < len(rs) && rs[end] == '원')
}

func negated(rs []rune, i int) bool {
	before := strings.TrimRight(string(rs[max(0, i-6):i]), " ")
	return strings.HasSuffix(before, "마이너스") || strings.HasSuffix(before, "minus") || strings.HasSuffix(before, "-") && !strings.HasSuffix(strings.TrimSuffix(before, "-"), "0")
}

// wordStart tells whether a number may begin at i: not inside a run of letters.
func wordStart(rs []rune, i int) bool {
	return rs[i] != ' ' && (i == 0 || !unicode.IsLetter(rs[i-1]) && !isDigit(rs[i-1]) || isDigit(rs[i]) && !isDigit(rs[i-1]))
}

// plain writes a rational as a decimal without trailing zeros, at most 12 places.
func plain(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(strings.TrimRight(n.FloatString(12), "0"), ".")
}

// OnlyNumbers tells words of which none names a thing: 5 and 3.
func OnlyNumbers(text string) bool {
	return !strings.ContainsFunc(strings.ReplaceAll(" "+strings.ToLower(text)+" ", " and ", " "), unicode.IsLetter)
}
