package export

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Arabic letters look different at the beginning, in the middle and at the end of what is written in one stroke. Unicode has a character for each of these
// forms, which fonts show, so no shaper is carried for them: see ADR 12.

// The forms of a letter, in the order in which Unicode lists them. Letters that nothing joins to behind have the first two.
const (
	alone = iota
	final
	initial
	medial
)

// forms are the forms of a letter, and of lam with an alef behind it.
var forms, lamAlef = formsOf()

func formsOf() (of map[rune][]rune, ligature map[rune][]rune) {
	of, ligature = map[rune][]rune{}, map[rune][]rune{}
	add := func(from, to rune) {
		for r := from; r <= to; r++ {
			switch plain := []rune(norm.NFKD.String(string(r))); {
			case !unicode.In(r, unicode.Arabic) || len(plain) == 0 || plain[0] < 0x620:
			case len(plain) == 1:
				of[plain[0]] = append(of[plain[0]], r)
			case plain[0] == 'ل':
				letter := []rune(norm.NFKC.String(string(plain[1:])))
				ligature[letter[0]] = append(ligature[letter[0]], r)
			default: // with its dots or its hamza: one letter
				if letter := []rune(norm.NFC.String(string(plain))); len(letter) == 1 {
					of[letter[0]] = append(of[letter[0]], r)
				}
			}
		}
	}
	add(0xfe80, 0xfefc)
	add(0xfb50, 0xfbb1) // those of other languages
	add(0xfbd3, 0xfbe9)
	of['ی'] = []rune{0xfeef, 0xfef0, 0xfef3, 0xfef4} // looks like alef maksura at the end and like yeh before, which more fonts have
	return of, ligature
}

const tatweel = 'ـ'

// joinsBehind tells letters that are written on to the next.
func joinsBehind(r rune) bool { return r == tatweel || len(forms[r]) > initial }

// joinsBefore tells letters to which the one before is written on.
func joinsBefore(r rune) bool { return r == tatweel || len(forms[r]) > final }

// shaped gives the letters of a line the form that they have beside one another.
func shaped(line []sign) []sign {
	if !hasRTL(line) {
		return line
	}
	letter := func(i, step int) rune { // next to a place, marks above and below passed over
		for i += step; i >= 0 && i < len(line); i += step {
			r := []rune(line[i].Text)
			if len(r) > 0 && !unicode.Is(unicode.Mn, r[0]) {
				return r[0]
			}
		}
		return 0
	}
	out := slices.Clone(line[:0:0])
	for i := 0; i < len(line); i++ {
		g := line[i]
		r := []rune(g.Text)
		if len(r) == 0 || len(forms[r[0]]) == 0 {
			out = append(out, g)
			continue
		}
		before := joinsBehind(letter(i, -1)) && joinsBefore(r[0])
		if i+1 < len(line) && r[0] == 'ل' {
			next := []rune(line[i+1].Text)
			if len(next) > 0 && len(lamAlef[next[0]]) > final && g.show(lamAlef[next[0]][plus(before, final)]) {
				g.Text += line[i+1].Text
				out = append(out, g)
				i++
				continue
			}
		}
		behind := joinsBehind(r[0]) && joinsBefore(letter(i, 1))
		form := plus(before, final)
		if behind {
			form = initial + plus(before, 1)
		}
		g.show(forms[r[0]][form])
		out = append(out, g)
	}
	return out
}

func plus(is bool, n int) int {
	if is {
		return n
	}
	return 0
}

// show has a sign look like another character of its font; ok is false, and nothing changes, where the font has none.
func (g *sign) show(r rune) (ok bool) {
	id := g.Face.Glyph(r)
	if g.ID == 0 || id == 0 {
		return false
	}
	g.ID, g.Advance = id, g.Face.Advance(id)
	return true
}
