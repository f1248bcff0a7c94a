package slot

import (
	"strings"
)

// englishScale are the words that multiply a number in digits: 30 thousand, 10k.
var englishScale = formsOf([]valued[int64]{{"thousand, grand, k", 1e3}, {"million, m", 1e6}, {"billion", 1e9}, {"trillion", 1e12}})

// scaleWord reads a scale behind a whole number in digits.
func scaleWord(s string, n numeral) (int64, int, bool) {
	at := skipBlank(s, n.end)
	for _, w := range englishScale {
		e := at + len(w.form)
		if !strings.HasPrefix(s[at:], w.form) || isLatin(after(s, e)) || len(w.form) == 1 && at > n.end {
			continue
		}
		if n.value > MaxWon/w.value {
			return 0, e, false
		}
		return n.value * w.value, e, true
	}
	return 0, 0, false
}

// englishAmount reads an amount in words: thirty thousand won, a hundred thousand.
func englishAmount(s string, start, at int, code string) (Amount, int, bool) {
	n, ok := englishNumber(s, at)
	if first, _ := latinEnd(s, at); !ok || n.more || multiplies(first) { // thousand alone is no amount
		return Amount{}, pastNumberWords(s, at), false
	}
	value, end := n.value, n.end
	if e := wonEnd(s, end); e > 0 {
		a, e2, good := signed(s, start, Amount{Value: value, Currency: wonCode}, e)
		return a, e2, good
	}
	if c, e := currencyAfter(s, end); c != "" {
		return Amount{Value: value, Currency: c, Start: start, End: e}, e, true
	}
	if !n.big || value < 100 || counted(s, end) || code != "" || !closes(s, end) {
		return Amount{}, end, false
	}
	return signed(s, start, Amount{Value: value, Currency: wonCode}, end)
}

// pastNumberWords steps over a word, and over all the number words behind it if it is one.
func pastNumberWords(s string, i int) int {
	for end := i; ; {
		w, e := latinEnd(s, i)
		if !isSmall(w) && !multiplies(w) {
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
