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
	r := wordGroups{last: 1e15}
	for i := at; ; {
		w, e := latinEnd(s, i)
		if next, _ := latinEnd(s, skipBlank(s, e)); r.joins(w, next) {
			i = skipBlank(s, e)
			continue
		}
		if !r.take(w) {
			return r.wordNumber, r.any && r.value <= MaxWon
		}
		r.any, r.value, r.end = true, r.total+r.group, e
		if r.closed {
			return r.wordNumber, r.value <= MaxWon
		}
		i = skipBlank(s, e)
		if e < len(s) && s[e] == '-' {
			i = e + 1
		}
	}
}

// wordGroups is how far englishNumber has read.
type wordGroups struct {
	wordNumber
	total  int64 // of the groups that a scale has closed
	group  int64 // the one at hand, below ten thousand
	last   int64 // the last scale
	any    bool  // there is a number already
	closed bool  // nothing can go on behind a dozen
}

// joins takes a word that only counts with the next one: a hundred, hundred and five.
func (r *wordGroups) joins(w, next string) bool {
	if isArticle(w) && !r.any && r.group == 0 && multiplies(next) {
		r.group = 1
		return true
	}
	return w == "and" && r.big && r.group%100 == 0 && isSmall(next)
}

// take goes on by a word; false when the number ends before it.
func (r *wordGroups) take(w string) bool {
	unit, small := englishSmall[w]
	counts := multiplies(w) && (r.group > 0 || !r.any)
	switch {
	case small && fits(r.group, unit):
		r.group += unit
	case w == "hundred" && counts && r.group < 100:
		r.group, r.big = max(r.group, 1)*100, true
	case w == "dozen" && counts && r.group < 100:
		r.total, r.group, r.closed = r.total+max(r.group, 1)*12, 0, true
	case englishBig[w] > 0 && counts && englishBig[w] < r.last:
		r.last = englishBig[w]
		r.total, r.group, r.big = r.total+max(r.group, 1)*r.last, 0, true
	default:
		r.more = small || multiplies(w)
		return false
	}
	return true
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
