package slot

import (
	"math/big"
	"strings"
)

// Money finds an amount of won in text: 만 오천원, 3만5천 원, 1,200원, 1.5만, 마이너스 천원. Dollars and other currencies are given as their bare
// number. Fractions of one unit are cut off.
func Money(text string) (int64, bool) {
	rs := []rune(prepare(text))
	var fallback *big.Rat
	for i := 0; i < len(rs); i++ {
		sign := i > 0 && (rs[i-1] == '$' || rs[i-1] == '₩')
		if !sign && !wordStart(rs, i) {
			continue
		}
		n, end, ok := scanNumber(rs, i)
		if !ok {
			continue
		}
		if negated(rs, i) {
			n = new(big.Rat).Neg(n)
		}
		unit := sign || moneyUnit(rs, end)
		if unit {
			return whole(n)
		}
		// Without a unit an amount is a number with 만 or 천 in it, or one of at least three digits.
		if fallback == nil && !ambiguousAlone(rs, i, end) && (strings.ContainsAny(string(rs[i:end]), "만천백억") || n.Cmp(big.NewRat(100, 1)) >= 0) {
			fallback = n
		}
		i = end - 1
	}
	if fallback != nil {
		return whole(fallback)
	}
	return 0, false
}

func moneyUnit(rs []rune, end int) bool {
	end = skipSpace(rs, end)
	for _, u := range []string{"원", "won", "krw", "dollar", "bucks", "달러", "유로", "euro", "엔"} {
		if hasAt(rs, end, u) {
			return true
		}
	}
	return false
}

func whole(n *big.Rat) (int64, bool) {
	q := new(big.Int).Quo(n.Num(), n.Denom())
	return q.Int64(), q.IsInt64()
}
