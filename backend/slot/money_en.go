package slot

import (
	"strings"
)

// englishScale are the words that multiply a number in digits: 30 thousand, 10k.
var englishScale = []struct {
	form string
	n    int64
}{{"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"grand", 1e3}, {"k", 1e3}, {"m", 1e6}}

// scaleWord reads a scale behind a whole number in digits.
func scaleWord(s string, n numeral) (int64, int, bool) {
	at := skipBlank(s, n.end)
	for _, w := range englishScale {
		e := at + len(w.form)
		if !strings.HasPrefix(s[at:], w.form) || isLatin(after(s, e)) || len(w.form) == 1 && at > n.end {
			continue
		}
		if n.value > MaxWon/w.n {
			return 0, e, false
		}
		return n.value * w.n, e, true
	}
	return 0, 0, false
}

// englishAmount reads an amount in words: thirty thousand won, a hundred thousand.
func englishAmount(s string, start, at int, code string) (Amount, int, bool) {
	value, end, big, ok := englishNumber(s, at)
	if !ok {
		return Amount{}, pastNumberWords(s, at), false
	}
	if e := wonEnd(s, end); e > 0 {
		a, e2, good := signed(s, start, Amount{Value: value, Currency: wonCode}, e)
		return a, e2, good
	}
	if c, e := currencyAfter(s, end); c != "" {
		return Amount{Value: value, Currency: c, Start: start, End: e}, e, true
	}
	if !big || value < 100 || counted(s, end) || code != "" || !closes(s, end) {
		return Amount{}, end, false
	}
	return signed(s, start, Amount{Value: value, Currency: wonCode}, end)
}

// pastNumberWords steps over a word, and over all the number words behind it if it is one.
func pastNumberWords(s string, i int) int {
	for end := i; ; {
		w, e := latinEnd(s, i)
		_, small := englishSmall[w]
		if !small && englishBig[w] == 0 && w != "hundred" {
			if end == i {
				return e
			}
			return end
		}
		end = e
		i = skipBlank(s, e)
	}
}

func latinEnd(s string, i int) (string, int) {
	j := i
	for j < len(s) && (s[j] >= 'a' && s[j] <= 'z') {
		j++
	}
	return s[i:j], j
}

// englishNumber reads a number in words strictly: groups below a thousand, each closed by a smaller scale than the one before.
func englishNumber(s string, at int) (value int64, end int, big, ok bool) {
	var total, group int64
	last := int64(1e15)
	seen, open := false, false // open: the group holds something
	tens, ones := false, false
	i := at
	for range 40 {
		w, e := latinEnd(s, i)
		n, small := englishSmall[w]
		scale := int64(0)
		switch w {
		case "thousand", "million", "billion", "trillion":
			scale = englishBig[w]
		}
		switch {
		case w == "":
			return total + group, end, big, seen
		case w == "a" && !seen:
			next, _ := latinEnd(s, skipBlank(s, e))
			if next != "hundred" && next != "thousand" && next != "million" && next != "billion" {
				return 0, at, false, false
			}
			group, open = 1, true
			ones = true
		case w == "and" && seen:
			next, _ := latinEnd(s, skipBlank(s, e))
			if _, number := englishSmall[next]; !number || group%100 != 0 || !big {
				return total + group, end, big, seen
			}
			i = skipBlank(s, e)
			continue
		case small && n < 10 && !ones || small && n >= 10 && !tens && !ones:
			group += n
			open, seen = true, true
			ones = n < 20 || ones
			tens = n >= 10
			end = e
		case w == "hundred" && open && group > 0 && group < 100:
			group *= 100
			tens, ones, seen, big, end = false, false, true, true, e
		case scale > 0 && scale < last && open && group > 0:
			total += group * scale
			group, open, tens, ones, last, seen, big, end = 0, false, false, false, scale, true, true, e
			if total > MaxWon {
				return 0, e, false, false
			}
		case small || w == "hundred" || scale > 0:
			return 0, e, false, false // two numbers in a row are none
		default:
			return total + group, end, big, seen
		}
		i = skipBlank(s, e)
		if e < len(s) && s[e] == '-' {
			i = e + 1
		}
	}
	return 0, i, false, false
}
