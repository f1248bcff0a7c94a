package slot

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
)

// Won writes an amount as Koreans say it: 1만원, 1만5천원, 12만3,456원, 1억2천만원. Money reads it back to the same amount, whatever it
// is, as long as it does not exceed MaxWon either way.
func Won(n int64) string {
	if n < 0 {
		if n == -n { // the smallest number there is has no opposite
			return strconv.FormatInt(n, 10) + "원"
		}
		return "-" + Won(-n)
	}
	var b strings.Builder
	for _, unit := range []struct {
		size int64
		name string
	}{{1_0000_0000_0000, "조"}, {1_0000_0000, "억"}, {1_0000, "만"}} {
		if group := n / unit.size; group > 0 {
			b.WriteString(wonGroup(group) + unit.name)
			n %= unit.size
		}
	}
	switch {
	case n == 0 && b.Len() > 0:
	case n%1000 == 0 && n > 0 && b.Len() > 0:
		b.WriteString(strconv.FormatInt(n/1000, 10) + "천")
	default:
		b.WriteString(Commas(n))
	}
	return b.String() + "원"
}

// SayWon writes an amount as it is said in a language: 1만5천원, 15,000 won.
func SayWon(n int64, lang bilingual.Lang) string {
	if lang == bilingual.KO {
		return Won(n)
	}
	return Commas(n) + " won"
}

// SayDay writes a day of the form YYYY-MM-DD as it is said in a language; what is none stays as it is.
func SayDay(iso string, lang bilingual.Lang) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return bilingual.Say(lang, fmt.Sprintf("%d월 %d일", t.Month(), t.Day()), t.Format("January 2"))
}

// wonGroup writes the group before 만, 억 or 조: whole thousands as 2천, the rest in digits.
func wonGroup(n int64) string {
	if n >= 1000 && n < 10000 && n%1000 == 0 {
		return strconv.FormatInt(n/1000, 10) + "천"
	}
	return Commas(n)
}

// Commas writes a whole number with thousands commas.
func Commas(n int64) string {
	s, sign := strconv.FormatInt(n, 10), ""
	if s[0] == '-' {
		s, sign = s[1:], "-"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
