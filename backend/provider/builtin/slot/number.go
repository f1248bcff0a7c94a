package slot

import (
	"math/big"
	"strings"
	"unicode"
)

// Number finds the first number in text, in digits or in Korean or English words, and gives it as a plain decimal ("35000", "1.5",
// "-3").
func Number(text string) (string, bool) {
	rs := []rune(prepare(text))
	for i := 0; i < len(rs); i++ {
		if !wordStart(rs, i) {
			continue
		}
		n, end, ok := scanNumber(rs, i, loose)
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

// mode says how brave the scanner is with syllables that are numerals only sometimes (이, 일, 오, 만).
type mode int

const (
	strict mode = iota // Sino-Korean words only when at least two syllables long
	loose              // single Sino-Korean syllables too
)

var sinoDigit = map[rune]int64{'영': 0, '공': 0, '일': 1, '이': 2, '삼': 3, '사': 4, '오': 5, '육': 6, '륙': 6, '칠': 7, '팔': 8, '구': 9}
var sinoSmall = map[rune]int64{'십': 10, '백': 100, '천': 1000}
var sinoBig = map[rune]int64{'만': 1e4, '억': 1e8, '조': 1e12}

var nativeTens = []struct {
	form string
	n    int64
}{{"스물", 20}, {"스무", 20}, {"서른", 30}, {"마흔", 40}, {"쉰", 50}, {"예순", 60}, {"일흔", 70}, {"여든", 80}, {"아흔", 90}, {"열", 10}}

var nativeOnes = []struct {
	form string
	n    int64
}{{"하나", 1}, {"다섯", 5}, {"여섯", 6}, {"일곱", 7}, {"여덟", 8}, {"여덜", 8}, {"아홉", 9}, {"둘", 2}, {"셋", 3}, {"넷", 4}, {"한", 1}, {"두", 2}, {"세", 3}, {"네", 4}}

// scanNumber reads a number at rs[i] and gives its value and the index after it.
func scanNumber(rs []rune, i int, m mode) (*big.Rat, int, bool) {
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
	return scanSino(rs, i, m)
}

// scanDigits reads 35,000 · 3.5 · 3만5천 · 1억 2천만 · 3천5백.
func scanDigits(rs []rune, i int) (*big.Rat, int, bool) {
	n, end, ok := readDigits(rs, i)
	if !ok {
		return nil, i, false
	}
	if end >= len(rs) || !isUnit(rs[end]) || unitIsWord(rs, end) {
		return n, end, true
	}
	return scanUnits(rs, i)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLatin(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }

func isUnit(r rune) bool { return sinoSmall[r] > 0 || sinoBig[r] > 0 }

// unitIsWord tells units that begin another word: 만 in "3만 (only)" cannot be told apart, but 조 in 조각, 천 in 천천히 can.
func unitIsWord(rs []rune, i int) bool {
	for _, w := range []string{"조각", "조금", "천천", "만큼", "백신", "백화", "십자", "조로", "조건"} {
		if hasAt(rs, i, w) {
			return true
		}
	}
	return false
}

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

// scanSino reads 만오천, 이십삼, 삼백 and mixtures with digits; in strict mode one lone syllable does not count.
func scanSino(rs []rune, i int, m mode) (*big.Rat, int, bool) {
	if _, d := sinoDigit[rs[i]]; !d && !isUnit(rs[i]) {
		return nil, i, false
	}
	if unitIsWord(rs, i) {
		return nil, i, false
	}
	n, end, ok := scanUnits(rs, i)
	if ok && m == strict && end-i < 2 {
		return nil, i, false
	}
	return n, end, ok
}

// scanUnits adds up [digit] 십/백/천 groups under 만, 억, 조. A run of plain digits (삼일오) reads as a string of digits.
func scanUnits(rs []rune, i int) (*big.Rat, int, bool) {
	total, group := new(big.Rat), new(big.Rat)
	var cur *big.Rat
	j, end, lastSmall, lastBig := i, i, int64(1e16), int64(1e17)
	digitsRun := 0
	for j < len(rs) {
		r := rs[j]
		if r == ' ' {
			// A space continues the number only between groups: 3만 5천, 만 오천.
			if j == i || end != j || lastSmall == 1e16 && lastBig == 1e17 || j+1 >= len(rs) || !continues(rs, j+1) {
				break
			}
			j++
			continue
		}
		if isDigit(r) {
			if cur != nil {
				break
			}
			n, e, ok := readDigits(rs, j)
			if !ok {
				break
			}
			cur, j, end, digitsRun = n, e, e, 2
			continue
		}
		if d, ok := sinoDigit[r]; ok {
			if cur != nil && digitsRun != 1 {
				break
			}
			if sinoTail(rs, j) {
				break
			}
			v := new(big.Rat).SetInt64(d)
			if cur != nil {
				v.Add(v, new(big.Rat).Mul(cur, big.NewRat(10, 1)))
			}
			cur, digitsRun = v, 1
			j++
			end = j
			continue
		}
		if u := sinoSmall[r]; u > 0 && u < lastSmall && !unitIsWord(rs, j) {
			if cur == nil {
				cur = big.NewRat(1, 1)
			}
			group.Add(group, cur.Mul(cur, big.NewRat(u, 1)))
			cur, lastSmall, digitsRun = nil, u, 0
			j++
			end = j
			continue
		}
		if u := sinoBig[r]; u > 0 && u < lastBig && !unitIsWord(rs, j) {
			if cur != nil {
				group.Add(group, cur)
			}
			if group.Sign() == 0 {
				group.SetInt64(1)
			}
			total.Add(total, group.Mul(group, big.NewRat(u, 1)))
			group, cur, lastBig, lastSmall, digitsRun = new(big.Rat), nil, u, 1e16, 0
			j++
			end = j
			continue
		}
		break
	}
	if end == i {
		return nil, i, false
	}
	if cur != nil {
		group.Add(group, cur)
	}
	// 점: 삼 점 오
	return total.Add(total, group), end, true
}

// sinoTail tells syllables that look like digits but begin what follows a number: 5천이 (particle), 3만이요.
func sinoTail(rs []rune, j int) bool {
	if rs[j] == '이' && j > 0 && numeralTwo(rs, j) {
		return false
	}
	if rs[j] == '이' && j > 0 && (isUnit(rs[j-1]) || isDigit(rs[j-1])) {
		if j+1 >= len(rs) || !isUnit(rs[j+1]) {
			return j+1 >= len(rs) || !sinoNext(rs[j+1])
		}
	}
	return rs[j] == '일' && j+1 < len(rs) && hasAt(rs, j, "일때") || rs[j] == '사' && hasAt(rs, j, "사이")
}

// numeralTwo: 이 after 십 or 백 is the digit two when a particle, an operator or nothing follows; after 천 and 만 only before an operator.
func numeralTwo(rs []rune, j int) bool {
	k := skipSpace(rs, j+1)
	for _, op := range []string{"더하", "빼", "곱하", "나누", "나눠", "플러스", "마이너스", "+", "-", "*", "/"} {
		if hasAt(rs, k, op) {
			return true
		}
	}
	if rs[j-1] != '십' && rs[j-1] != '백' {
		return false
	}
	return j+1 >= len(rs) || strings.ContainsRune("은는을를에의와로?", rs[j+1])
}

func sinoNext(r rune) bool { _, ok := sinoDigit[r]; return ok || isUnit(r) }

func continues(rs []rune, j int) bool {
	if isDigit(rs[j]) {
		_, e, ok := readDigits(rs, j)
		return ok && e < len(rs) && isUnit(rs[e])
	}
	if sinoBig[rs[j]] > 0 || sinoSmall[rs[j]] > 0 {
		return true
	}
	if _, ok := sinoDigit[rs[j]]; !ok {
		return false
	}
	if j+1 >= len(rs) {
		return true
	}
	return isUnit(rs[j+1]) || sinoNext(rs[j+1]) || rs[j+1] == '원' || rs[j+1] == ' '
}

// scanNative reads 하나, 스물다섯, 한, 열두. The short determiners (한 두 세 네) count only before a space or a counter.
func scanNative(rs []rune, i int) (*big.Rat, int, bool) {
	j, n, tens := i, int64(0), false
	for _, t := range nativeTens {
		if hasAt(rs, j, t.form) {
			n, j, tens = t.n, j+len([]rune(t.form)), true
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
		if len([]rune(o.form)) == 1 && (o.n == 1 || o.n >= 2) && !counterAt(rs, e) && !strings.ContainsAny(o.form, "둘셋넷") {
			continue
		}
		if strings.ContainsAny(o.form, "둘셋넷") && e < len(rs) && hasAt(rs, e, "러") {
			continue
		}
		return big.NewRat(n+o.n, 1), e, true
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
	for _, w := range []string{"에", "을", "더하", "빼", "곱", "나누"} {
		if hasAt(rs, j, w) {
			return true
		}
	}
	return false
}

var counters = []string{"시간", "시", "개월", "개", "곡", "편", "번", "달", "명", "분", "초", "잔", "마리", "살", "권", "장", "대", "병", "주", "가지", "배", "판", "줄", "사람", "밤"}

// counterAt tells whether a counting noun stands at rs[i], a space before it allowed.
func counterAt(rs []rune, i int) bool {
	if i < len(rs) && rs[i] == ' ' {
		i++
	}
	for _, c := range counters {
		if hasAt(rs, i, c) {
			return true
		}
	}
	return false
}

var englishSmall = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
	"forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}
var englishBig = map[string]int64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3}

// scanEnglish reads twelve, twenty-five, a hundred and five, three point five, two million, a dozen.
func scanEnglish(rs []rune, i int) (*big.Rat, int, bool) {
	total, cur := int64(0), int64(0)
	seen, end, j := false, i, i
	for steps := 0; steps < 16; steps++ {
		w, e := latinWord(rs, j)
		if w == "" {
			break
		}
		if n, ok := englishSmall[w]; ok {
			if seen && n < 10 && cur%10 != 0 || seen && n >= 10 && cur%100 != 0 {
				break
			}
			cur += n
		} else if w == "hundred" && cur < 1000 {
			cur = max(cur, 1) * 100
		} else if n, ok := englishBig[w]; ok && w != "k" && (seen || w != "k") {
			total += max(cur, 1) * n
			cur = 0
		} else if w == "dozen" {
			cur = max(cur, 1) * 12
		} else if (w == "a" || w == "an") && !seen {
			next, _ := latinWord(rs, skipSpace(rs, e))
			if next != "hundred" && next != "thousand" && next != "million" && next != "dozen" && next != "billion" {
				return nil, i, false
			}
			j = skipSpace(rs, e)
			continue
		} else if w == "and" && seen {
			next, _ := latinWord(rs, skipSpace(rs, e))
			if _, ok := englishSmall[next]; !ok || cur%100 != 0 && total == 0 || cur == 0 && total == 0 || cur%100 != 0 {
				break
			}
			if cur == 0 && total == 0 {
				break
			}
			j = skipSpace(rs, e)
			continue
		} else if w == "point" && seen {
			if frac, fe, ok := englishFraction(rs, skipSpace(rs, e)); ok {
				n, _ := new(big.Rat).SetString(big.NewRat(total+cur, 1).Num().String() + "." + frac)
				return n, fe, true
			}
			break
		} else {
			break
		}
		seen, end = true, e
		j = skipSpace(rs, e)
		if e < len(rs) && rs[e] == '-' {
			j = e + 1
		}
		if total > 1e15 || cur > 1e15 {
			break
		}
	}
	if !seen {
		return nil, i, false
	}
	return big.NewRat(total+cur, 1), end, true
}

func englishFraction(rs []rune, i int) (string, int, bool) {
	var b strings.Builder
	end := i
	for b.Len() < 12 {
		w, e := latinWord(rs, i)
		n, ok := englishSmall[w]
		if !ok || n > 9 {
			break
		}
		b.WriteByte(byte('0' + n))
		end, i = e, skipSpace(rs, e)
	}
	return b.String(), end, b.Len() > 0
}

func latinWord(rs []rune, i int) (string, int) {
	j := i
	for j < len(rs) && isLatin(rs[j]) {
		j++
	}
	return string(rs[i:j]), j
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
