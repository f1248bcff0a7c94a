// Package unit knows measures and their names in Korean and English, and converts between those of one kind exactly. It is a leaf:
// the grammar that reads a request and the tool that answers it share one table.
package unit

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// Kind is what a unit measures. Units of different kinds never convert.
type Kind string

// The kinds of units. Money is known by name only: its rates change, so it never converts.
const (
	Length      Kind = "length"
	Area        Kind = "area"
	Weight      Kind = "weight"
	Volume      Kind = "volume"
	Temperature Kind = "temperature"
	Speed       Kind = "speed"
	Data        Kind = "data"
	Time        Kind = "time"
	Money       Kind = "money"
)

// Unit is one measure. A value v of it is v*scale + shift in the base unit of its kind.
type Unit struct {
	Symbol string // how it is written after a number
	Kind   Kind
	scale  *big.Rat
	shift  *big.Rat
	names  []string
}

// Korean is what a unit is called in Korean; its symbol where it has no name of its own there.
func (u Unit) Korean() string {
	for _, name := range u.names {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			return name
		}
	}
	return u.Symbol
}

// Convert gives value of from in to. ok is false when they measure different things, or money.
func Convert(value *big.Rat, from, to Unit) (result *big.Rat, ok bool) {
	if from.Kind != to.Kind || from.Kind == Money {
		return nil, false
	}
	base := new(big.Rat).Mul(value, from.scale)
	base.Add(base, from.shift)
	base.Sub(base, to.shift)
	return base.Quo(base, to.scale), true
}

// Named finds the unit that name means, by its symbol or one of its names, whatever its case and spaces. A symbol as written wins,
// so that Mb and MB stay apart.
func Named(name string) (Unit, bool) {
	name = strings.TrimSpace(name)
	if i := slices.IndexFunc(units, func(u Unit) bool { return u.Symbol == name }); i >= 0 {
		return units[i], true
	}
	u, ok := byName[fold(name)]
	return u, ok
}

// Called finds the unit of a kind that people call by a name, which alone may mean one of another kind: 킬로, of a length.
func Called(name string, kind Kind) (Unit, bool) {
	u, ok := Named(also[fold(name)])
	return u, ok && u.Kind == kind
}

func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), ""))
}

// Prefix finds the longest unit that text begins with, and the length of its name in bytes. A Latin name must end where a word
// ends; a Korean one may be followed by a particle, but not by more of another word.
func Prefix(text string) (Unit, int, bool) {
	for _, n := range ordered {
		if len(text) < len(n.name) || !strings.EqualFold(text[:len(n.name)], n.name) || !ends(n.name, text[len(n.name):]) {
			continue
		}
		return n.unit, len(n.name), true
	}
	return Unit{}, 0, false
}

// particles may follow a Korean unit within its word, longest first where one begins another.
var particles = []string{"", "짜리", "으로", "로", "은", "는", "이", "가", "을", "를", "면", "야", "예요", "에요", "인", "일까", "쯤", "정도", "의", "에", "하고", "니까", "도", "만"}

func ends(name, rest string) bool {
	first, _ := utf8First(rest)
	if rest == "" || !unicode.IsLetter(first) {
		return true
	}
	if !unicode.Is(unicode.Hangul, first) {
		return false
	}
	last := []rune(name)
	if !unicode.Is(unicode.Hangul, last[len(last)-1]) {
		return true // 70kg을
	}
	return slices.ContainsFunc(particles, func(p string) bool { return p != "" && strings.HasPrefix(rest, p) })
}

func utf8First(s string) (rune, bool) {
	for _, r := range s {
		return r, true
	}
	return 0, false
}
