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
		b.WriteByte("0123456789"[n])
		end, i = e, skipSpace(rs, e)
	}
	return b.String(), end, b.Len() > 0
}
