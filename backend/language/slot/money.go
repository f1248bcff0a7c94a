package slot

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/lazyregexp"
)

// Amount is one amount of money as a text says it.
type Amount struct {
	Value      int64  // whole units, below zero after a minus
	Currency   string // "KRW", or what else was named: "USD", "EUR", "JPY", "other"
	Bare       bool   // digits alone, such as 30000: money only where money is spoken of
	Start, End int    // bytes of the text, sign and unit included
}

// wonCode is the currency of an amount that names none.
const wonCode = "KRW"

// Amounts finds every amount of money in a text, in order: 만 오천원, 3만5천 원, 1,200원, 1.5만, 마이너스 천원, ₩30,000, 10k won, thirty
// thousand won, $5. A number that could be read in two ways, goes on in a way no amount does, or exceeds MaxWon is none.
// It takes time linear in the text.
func Amounts(text string) []Amount { return AmountsIn(Read(text)) }

// AmountsIn is Amounts for a text that was read before.
func AmountsIn(r Reading) []Amount {
	s := r.Text
	var out []Amount
	var days []Day
	daysRead := false
	for i := 0; i < len(s); {
		a, end, ok := amountAt(s, i)
		if !ok {
			i = max(end, i+runeLen(s, i))
			continue
		}
		if a.Bare {
			if !daysRead {
				days, daysRead = daySpans(s), true
			}
			if overlaps(days, a.Start, a.End) {
				i = end
				continue
			}
		}
		a.Start, a.End = r.Span(a.Start, a.End)
		out = append(out, a)
		i = end
	}
	return out
}

func overlaps(days []Day, start, end int) bool {
	k := sort.Search(len(days), func(k int) bool { return days[k].End > start })
	return k < len(days) && days[k].Start < end
}

// Money gives the amount of won a text names: the one with a unit before a bare number, the first of several.
func Money(text string) (int64, bool) {
	list := Amounts(text)
	for _, bare := range []bool{false, true} {
		for _, a := range list {
			if a.Currency == wonCode && a.Bare == bare {
				return a.Value, true
			}
		}
	}
	return 0, false
}

func runeLen(s string, i int) int {
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

// amountAt reads an amount that begins at s[i]; end is where to go on looking.
func amountAt(s string, i int) (a Amount, end int, ok bool) {
	at, code := currencyBefore(s, i)
	r := after(s, at)
	switch {
	case isDigit(r), isSino(r), isUnit(r):
		return koreanAmount(s, i, at, code)
	case r >= 'a' && r <= 'z' && !isLatin(before(s, at)):
		return englishAmount(s, i, at, code)
	}
	return Amount{}, i, false
}

// koreanAmount reads digits and Korean numerals.
func koreanAmount(s string, start, at int, code string) (Amount, int, bool) {
	ascii := isDigit(after(s, at))
	if !ascii && !opens(s, start, false) {
		return Amount{}, start, false // the 일 of 내일 does not hide the 만원 behind it
	}
	found, end := scanNumeral(s, at)
	if len(found) == 0 || !opens(s, start, ascii) {
		return Amount{}, max(end, start), false
	}
	for _, n := range slices.Backward(found) {
		if a, e, ok := amountEnds(s, at, n, code, ascii); ok {
			return signed(s, start, a, e)
		}
	}
	return Amount{}, end, false
}

// amountEnds reads what follows a numeral and tells whether it makes an amount.
func amountEnds(s string, at int, n numeral, code string, ascii bool) (Amount, int, bool) {
	if ascii && code == "" || ascii && code == wonCode {
		if v, e, scaled := scaleWord(s, n); scaled {
			n = numeral{v, 1, e, true}
		}
	}
	if e := wonEnd(s, n.end); e > 0 && (code == "" || code == wonCode) {
		return Amount{Value: n.value, Currency: wonCode}, e, !tinyWord(s[at:n.end]) && !indefinite(s, at) && !relative(s, e)
	}
	if c, e := currencyAfter(s, n.end); c != "" {
		return Amount{Value: n.value, Currency: c}, e, true
	}
	if code != "" {
		return Amount{Value: n.value, Currency: code}, n.end, closes(s, n.end)
	}
	a := Amount{Value: n.value, Currency: wonCode, Bare: ascii && !n.large}
	switch {
	case !closes(s, n.end), counted(s, n.end), indefinite(s, at), relative(s, n.end):
		return Amount{}, n.end, false
	case a.Bare:
		return a, n.end, n.value >= 100 && !dateLike(s[at:n.end]) && !labelled(s, at)
	}
	return a, n.end, n.large && (ascii || amountWord(s, at, n.end))
}

// signed gives the amount its sign.
func signed(s string, start int, a Amount, end int) (Amount, int, bool) {
	a.Start, a.End = start, end
	b := strings.TrimRight(s[:start], " ")
	for _, minus := range []string{"마이너스", "minus", "negative"} {
		if strings.HasSuffix(b, minus) {
			a.Value, a.Start = -a.Value, len(b)-len(minus)
			return a, end, true
		}
	}
	switch {
	case strings.HasSuffix(b, "-"):
		prev := before(b, len(b)-1)
		switch {
		case isDigit(prev):
			return Amount{}, end, false // 3-5만원, 110-2000
		case unicode.IsLetter(prev): // 엄마-3만원
		case prev == ' ' && len(b) < start && unicode.IsLetter(before(strings.TrimRight(b[:len(b)-1], " "), len(strings.TrimRight(b[:len(b)-1], " ")))): // 엄마 - 3만원
		default:
			a.Value, a.Start = -a.Value, len(b)-1
		}
	case strings.HasSuffix(b, "~"):
		if isDigit(before(b, len(b)-1)) {
			return Amount{}, end, false // 3~5만원
		}
	}
	return a, end, true
}

// opens tells whether an amount may begin at s[i]: digits behind Hangul too (엄마5만원), numerals in words only behind a mark, a space or a
// particle that says to whom (엄마한테만원).
func opens(s string, i int, ascii bool) bool {
	r := before(s, i)
	if r == 0 {
		return true
	}
	if ascii {
		if hangulSyllable(r) {
			return true
		}
		if r == ' ' && isDigit(before(s, len(strings.TrimRight(s[:i], " ")))) && threeDigitsAt(s, i) {
			return false // the 500 of 1 500
		}
		if strings.ContainsRune(".,", r) {
			return !isDigit(before(s, i-1))
		}
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(":/_#*", r)
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		for _, p := range []string{"한테", "에게", "마이너스"} {
			if strings.HasSuffix(s[:i], p) {
				return true
			}
		}
		return false
	}
	return true
}

func threeDigitsAt(s string, i int) bool {
	n := 0
	for i+n < len(s) && isDigit(rune(s[i+n])) {
		n++
	}
	return n == 3
}

// tails are what may stand behind an amount: particles, and the request glued to it.
var tails = lazyregexp.New(`^(?:씩|짜리|정도|쯤|가량|어치|이나|이라도|이라|이랑|랑|하고|이고|이요|요|이에요|예요|이야|이지|입니다|이다|인데|임|으로|로|을|를|은|는|이|가|에게|에서|에|까지|부터|만|도|과|와|말고|대신|아니고|각각|씩만)*(?:$|[^\pL\pN]|(?:보내|이체|송금|입금|부쳐|쏴|쏠|줘|줄|주세|드려|추가|출금|바꿔|변경|부탁|보낼))`)

func tailEnd(s string, i int) bool { return tails.MatchString(cut(s[i:])) }

// cut bounds what a pattern looks at, so that the whole stays linear.
func cut(s string) string {
	if len(s) > 64 {
		return s[:64]
	}
	return s
}

// closes tells whether a number may end at s[i].
func closes(s string, i int) bool {
	r := after(s, i)
	if strings.ContainsRune("%/:°+=*-~", r) && r != 0 {
		return r == '~' && !isDigit(after(s, i+1)) || r == '-' && !isDigit(after(s, i+1))
	}
	if r == '.' || r == ',' {
		return !isDigit(after(s, i+1))
	}
	return tailEnd(s, i)
}

// wonEnd gives the end of 원, won or krw behind a number, 0 when there is none.
func wonEnd(s string, i int) int {
	i = skipBlank(s, i)
	for _, u := range []string{"원", "won", "krw", "₩"} {
		if !strings.HasPrefix(s[i:], u) {
			continue
		}
		e := i + len(u)
		if u == "원" && tailEnd(s, e) || u != "원" && (!isLatin(after(s, e)) || hangulSyllable(after(s, e))) && tailEnd(s, e) {
			return e
		}
	}
	return 0
}

// tinyWord tells 오원, 영원, 구원: with one Korean digit they are words or names, never an amount.
func tinyWord(n string) bool {
	n = strings.TrimSpace(n)
	return utf8.RuneCountInString(n) == 1 && isSino(after(n, 0))
}

var indefiniteWords = []string{"몇", "수", "여러", "제", "약간의"}

// indefinite tells an amount that is only hinted at: 몇 만원.
func indefinite(s string, at int) bool {
	b := strings.TrimRight(s[:at], " ")
	if len(b) == at {
		return false
	}
	return slices.ContainsFunc(indefiniteWords, func(w string) bool { return strings.HasSuffix(b, w) && !unicode.IsLetter(before(b, len(b)-len(w))) })
}

var relativeTail = lazyregexp.New(`^(?:의|보다|\s*(?:몇|이상|이하|미만|초과|넘게|넘는|이내|한도)|\s?(?:버스|지하철|전철|열차|관중|사례))`)

// relative tells an amount that another is measured by: 3만원의 절반, 5만원 이상.
func relative(s string, e int) bool { return relativeTail.MatchString(cut(s[e:])) }

var counterTail = lazyregexp.New(`^\s?(?:년|월|일(?:\s|에|까지|$)|시(?:\s|간|에|$)|분(?:\s|에|간|$)|초(?:\s|간|$)|번|명|개|층|호(?:\s|실|선|$)|회(?:\s|$)|살|건|동(?:\s|$)|퍼센트|프로|킬로|미터|그램|리터|배(?:\s|$)|권|장(?:\s|$)|대(?:\s|$)|병(?:\s|$)|사람|인분|포인트|점|kg|km|cm|mm|gb|mb|%|am|pm|hours?|minutes?|mins?|seconds?|days?|weeks?|months?|years?|people|persons?|times|items?|points?|st\b|nd\b|rd\b|th\b|o'clock|보(?:\s|$)|자(?:\s|$)|씨|님|군(?:\s|$)|양(?:\s|$)|형(?:\s|한|에)|누나|이모|삼촌)`)

// counted tells a number of things, or a name that looks like a number (이백 씨).
func counted(s string, e int) bool { return counterTail.MatchString(cut(s[e:])) }

// placeWords are words and names that are numerals too: without 원 they are an amount only where somebody pays.
var placeWords = map[string]bool{"이천": true, "사천": true, "구천": true, "삼천": true, "오만": true, "이만": true, "구만": true, "천만": true, "백만": true, "억만": true, "일천": true}

var payTail = lazyregexp.New(`^(?:씩|정도|쯤|만|이요|요)*\s*(?:$|[.,!?]|씩|보내|이체|송금|입금|부쳐|쏴|쏠|줘|줄래|주세요|각각)`)

// amountWord tells whether a numeral in words, said without 원, is meant as an amount.
func amountWord(s string, at, end int) bool {
	word := s[at:end]
	if utf8.RuneCountInString(word) < 2 {
		return false // 만 is "only", 천 is cloth
	}
	if word == "이만" {
		return false // "now, then"
	}
	return !placeWords[word] || payTail.MatchString(cut(s[end:]))
}

// dateLike tells eight digits that are a day: 20261201.
func dateLike(s string) bool {
	return len(s) == 8 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

var labels = []string{"번호", "계좌", "비번", "코드", "인증", "account", "number", "no.", "pin", "code", "room", "#"}

// labelled tells digits that are an account or a code: the word before says so.
func labelled(s string, at int) bool {
	b := strings.TrimRight(s[max(0, at-48):at], " ")
	word := b[strings.LastIndexAny(b, " \n")+1:]
	return slices.ContainsFunc(labels, func(l string) bool { return strings.Contains(word, l) })
}
