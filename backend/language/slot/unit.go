package slot

import (
	"strconv"
	"strings"

	"agentchat/backend/lazyregexp"
	"agentchat/backend/unit"
)

// Unit finds the unit an amount is given in (given), or the one it is wanted in: 3평은 몇 제곱미터야, "how many feet is 180 cm". A name that two units have
// means the one that goes with the other: 3마일은 몇 킬로야.
func Unit(text string, given bool) (string, bool) {
	rs := []rune(prepare(inInches(text)))
	own, start, end := amountUnit(rs)
	wanted := wantedUnit(rs, start, end)
	if own.Kind != wanted.Kind && own.name != "" && wanted.name != "" {
		if u, ok := unit.Called(own.name, wanted.Kind); ok {
			own.Unit = u
		} else if u, ok := unit.Called(wanted.name, own.Kind); ok {
			wanted.Unit = u
		}
	}
	if given {
		return own.Symbol, own.name != ""
	}
	return wanted.Symbol, own.name != "" && wanted.name != ""
}

// feetAnd is a length in feet and inches, as people are tall: 5 foot 9, 5 ft 9 in.
var feetAnd = lazyregexp.New(`(?i)\b(\d{1,2})\s?(?:foot|feet|ft)\s(\d{1,2})(?:\s?(?:inches|inch)\b|\s?in\b|\b)`)

// inInches has such a length in inches alone.
func inInches(text string) string {
	m := feetAnd.FindStringSubmatchIndex(text)
	if m == nil {
		return text
	}
	feet, _ := strconv.Atoi(text[m[2]:m[3]])
	inches, _ := strconv.Atoi(text[m[4]:m[5]])
	return text[:m[0]] + strconv.Itoa(feet*inchesInFoot+inches) + " inches" + text[m[1]:]
}

const inchesInFoot = 12

// saidUnit is a unit and what it was called; the empty one is none.
type saidUnit struct {
	unit.Unit
	name string
}

// wantedUnit is the first unit outside of the amount.
func wantedUnit(rs []rune, start, end int) (said saidUnit) {
	for i := range rs {
		if i >= start && i < end || !wordStart(rs, i) && (i == 0 || rs[i-1] != '몇') {
			continue
		}
		rest := string(rs[i:])
		u, n, ok := unit.Prefix(rest)
		if !ok || n == 1 || u.Symbol == "in" && n == 2 {
			continue // in, s and the like are words of their own
		}
		return saidUnit{u, rest[:n]}
	}
	return saidUnit{}
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
func amountUnit(rs []rune) (said saidUnit, start, end int) {
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
			return saidUnit{u, trimmed[:n]}, i, after + len(rest) - len(trimmed) + len([]rune(trimmed[:n]))
		}
	}
	return saidUnit{}, 0, 0
}
