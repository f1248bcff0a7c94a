package slot

import (
	"math/big"
	"strings"
)

var englishSmall = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
	"forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}
var englishBig = map[string]int64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

// multiplies tells whether a word multiplies the number before it, which may be a: a hundred, two dozen.
func multiplies(w string) bool { return w == "hundred" || w == "dozen" || englishBig[w] > 0 }

// wordNumber is a number in English words.
type wordNumber struct {
	value int64
	end   int  // the byte behind it
	big   bool // it has a scale: hundred, thousand …
	more  bool // another number follows without a word between them, as in five ten
}

// englishNumber reads twelve, twenty-five, a hundred and five, two million, a dozen: groups below ten thousand, each closed by a
// smaller scale than the one before.
func englishNumber(s string, at int) (n wordNumber, ok bool) {
	var total, group int64
	last := int64(1e15)
	for i := at; ; {
		w, e := latinEnd(s, i)
		unit, small := englishSmall[w]
		counts := multiplies(w) && (group > 0 || !ok)
		if article := isArticle(w) && !ok && group == 0; article || w == "and" && n.big && group%100 == 0 {
			i = skipBlank(s, e)
			if next, _ := latinEnd(s, i); article && multiplies(next) {
				group = 1
				continue
			} else if !article && isSmall(next) {
				continue
			}
		}
		switch {
		case small && fits(group, unit):
			group += unit
		case w == "hundred" && counts && group < 100:
			group, n.big = max(group, 1)*100, true
		case w == "dozen" && counts && group < 100:
			n.value, n.end = total+max(group, 1)*12, e
			return n, n.value <= MaxWon
		case englishBig[w] > 0 && counts && englishBig[w] < last:
			last = englishBig[w]
			total, group, n.big = total+max(group, 1)*last, 0, true
		default:
			n.more = small || multiplies(w)
			return n, ok && n.value <= MaxWon
		}
		ok, n.value, n.end = true, total+group, e
		i = skipBlank(s, e)
		if e < len(s) && s[e] == '-' {
			i = e + 1
		}
	}
}

func isArticle(w string) bool { return w == "a" || w == "an" }

func isSmall(w string) bool {
	_, ok := englishSmall[w]
	return ok
}

// fits tells whether a small number goes on what there is of a group: five on twenty or a hundred, not on fifteen.
func fits(group, n int64) bool {
	rest := group % 100
	return rest == 0 || n < 10 && rest >= 20 && rest%10 == 0
}

// scanEnglish is englishNumber, with what stands behind a point: three point five.
func scanEnglish(rs []rune, i int) (*big.Rat, int, bool) {
	text := latinRun(rs, i)
	n, ok := englishNumber(text, 0)
	if !ok {
		return nil, i, false
	}
	if w, e := latinEnd(text, skipBlank(text, n.end)); w == "point" {
		if frac, end := englishDigits(text, skipBlank(text, e)); frac != "" {
			r, _ := new(big.Rat).SetString(big.NewInt(n.value).String() + "." + frac)
			return r, i + end, true
		}
	}
	return big.NewRat(n.value, 1), i + n.end, true
}

// latinRun is what stands from i on as far as a number in English words can go: its bytes are as many as its runes.
func latinRun(rs []rune, i int) string {
	end := i
	for end < len(rs) && (rs[end] == ' ' || rs[end] == '-' || rs[end] >= 'a' && rs[end] <= 'z') {
		end++
	}
	if end < len(rs) && isLatin(rs[end]) { // the last word goes on in other letters
		for end > i && rs[end-1] >= 'a' && rs[end-1] <= 'z' {
			end--
		}
	}
	return string(rs[i:end])
}

// englishDigits reads digits in words, one after the other.
func englishDigits(s string, i int) (digits string, end int) {
	var b strings.Builder
	for end = i; b.Len() < 12; {
		w, e := latinEnd(s, i)
		n, ok := englishSmall[w]
		if !ok || n > 9 {
			break
		}
		b.WriteByte("0123456789"[n])
		end, i = e, skipBlank(s, e)
	}
	return b.String(), end
}
