package slot

import (
	"strings"

	"agentchat/backend/unit"
)

// Unit finds the unit an amount is given in (given), or the one it is wanted in: 3평은 몇 제곱미터야, "how many feet is 180 cm".
func Unit(text string, given bool) (string, bool) {
	rs := []rune(prepare(text))
	own, start, end := amountUnit(rs)
	if own == "" || given {
		return own, own != ""
	}
	for i := range rs {
		if i >= start && i < end || !wordStart(rs, i) && (i == 0 || rs[i-1] != '몇') {
			continue
		}
		u, n, ok := unit.Prefix(string(rs[i:]))
		if !ok || n == 1 || u.Symbol == "in" && n == 2 {
			continue // in, s and the like are words of their own
		}
		return u.Symbol, true
	}
	return "", false
}

// Converts tells whether text asks for an amount in another unit of the same kind; of money too, so that the answer can say why not.
func Converts(text string) bool {
	given, ok := Unit(text, true)
	wanted, also := Unit(text, false)
	if !ok || !also || given == wanted {
		return false
	}
	from, _ := unit.Named(given)
	to, _ := unit.Named(wanted)
	return from.Kind == to.Kind
}

// amountUnit finds the first number with a unit right after it, and the runes both stand on.
func amountUnit(rs []rune) (symbol string, start, end int) {
	for i := range rs {
		if !wordStart(rs, i) {
			continue
		}
		_, after, ok := scanNumber(rs, i)
		if !ok {
			continue
		}
		rest := string(rs[after:])
		trimmed := strings.TrimLeft(rest, " ")
		if u, n, ok := unit.Prefix(trimmed); ok {
			return u.Symbol, i, after + len(rest) - len(trimmed) + len([]rune(trimmed[:n]))
		}
	}
	return "", 0, 0
}
