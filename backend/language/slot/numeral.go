package slot

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxWon is the largest amount that is read, 999조 9999억 9999만 9999: more than anybody sends, and a whole number
// everywhere, in JSON and in the window too. A larger number is no amount.
const MaxWon = 999_999_999_999_999

// numeral is a whole number in digits, Korean syllables or a mixture of both.
type numeral struct {
	value int64
	end   int
	large bool // has 천, 만, 억 or 조: an amount even without 원
}

// numeralScan walks one numeral. It never reads a part of what is written: 3만5 and 1,20 are no numbers.
type numeralScan struct {
	s            string
	pos          int   // after what was read
	total, group int64 // what 만, 억, 조 closed, and what is being read
	small, big   int64 // the last unit of the group and of the whole; 0: none yet
	large        bool
	closed       bool      // nothing may follow: a decimal or a remainder was read
	found        []numeral // ends before a space that may belong to another word (3만 천천히)
}

type stepResult int

const (
	stepRead stepResult = iota
	stepEnd
	stepBroken
)

// scanNumeral reads the numeral that begins at s[i] and gives its possible readings, the longest last. end is where to go on
// looking whatever the readings are worth.
func scanNumeral(s string, i int) (found []numeral, end int) {
	p := &numeralScan{s: s, pos: i}
	for first := true; ; first = false {
		from := *p
		switch p.step(first) {
		case stepRead:
			if p.total+p.group > MaxWon {
				return nil, pastNumeral(s, p.pos)
			}
			continue
		case stepBroken:
			return nil, pastNumeral(s, max(p.pos, from.pos))
		case stepEnd:
		}
		if first {
			return nil, i
		}
		p.mark()
		return p.found, p.pos
	}
}

func (p *numeralScan) mark() {
	p.found = append(p.found, numeral{p.total + p.group, p.pos, p.large})
}

// step reads one [coefficient] unit, or a remainder without a unit.
func (p *numeralScan) step(first bool) stepResult {
	at := p.pos
	if !first {
		at = skipBlank(p.s, at)
	}
	gap := at > p.pos
	c := readCoefficient(p.s, at)
	if c.broken {
		return stepBroken
	}
	if c.kind == noCoefficient {
		return p.bareUnit(at, first, gap)
	}
	if p.closed {
		if gap {
			return stepEnd
		}
		return stepBroken
	}
	unitAt := skipBlank(p.s, c.end)
	unit, end := unitOf(p.s, unitAt)
	spaced := unitAt > c.end
	switch {
	case unit == 0, spaced && !p.joins(end):
		return p.remainder(c, at, first, gap)
	case c.kind == decimal && !first:
		return stepBroken
	case first && spaced && c.kind == syllable && strings.ContainsAny(p.s[at:c.end], "이일사구"):
		return stepBroken // "이 만원" is 20,000 or "these 10,000"
	case c.kind == decimal:
		return p.fraction(c, unit, end)
	case unit < 10000:
		if p.small != 0 && unit >= p.small {
			return p.stop(gap)
		}
		p.group += c.value * unit
		p.small = unit
	default:
		if p.big != 0 && unit >= p.big || gap && p.group > 0 {
			return p.stop(gap)
		}
		if p.small != 0 && c.value >= p.small {
			return stepBroken
		}
		if !p.close(p.group+c.value, unit) {
			return stepBroken
		}
	}
	p.pos, p.large = end, p.large || unit >= 1000
	return stepRead
}

// joins tells whether a unit after a space belongs to the coefficient before it: 5 만, but not 5 백화점.
func (p *numeralScan) joins(end int) bool {
	r := after(p.s, end)
	return !hangulSyllable(r) || isUnit(r) || isSino(r) || wonEnd(p.s, end) > 0 || tailEnd(p.s, end)
}

func (p *numeralScan) stop(gap bool) stepResult {
	if gap {
		return stepEnd
	}
	return stepBroken
}

// bareUnit reads a unit without a coefficient: 만, 천, and the 만 of 이십만.
func (p *numeralScan) bareUnit(at int, first, gap bool) stepResult {
	unit, end := unitOf(p.s, at)
	switch {
	case unit == 0, p.closed, first && unit > 10000:
		return stepEnd
	case unit < 10000:
		if p.small != 0 && unit >= p.small {
			return stepEnd
		}
		if gap {
			p.mark()
		}
		p.group += unit
		p.small = unit
	default:
		if p.big != 0 && (unit >= p.big || p.group == 0) { // the 만 of 1억만 is "only"
			return stepEnd
		}
		if gap {
			p.mark()
		}
		group := p.group
		if first {
			group = 1
		}
		if !p.close(group, unit) {
			return stepBroken
		}
	}
	p.pos, p.large = end, p.large || unit >= 1000
	return stepRead
}

// close ends a group with 만, 억 or 조.
func (p *numeralScan) close(group, unit int64) bool {
	if group <= 0 || group > MaxWon/unit {
		return false
	}
	p.total += group * unit
	p.group, p.small, p.big = 0, 0, unit
	return p.total <= MaxWon
}

// remainder reads what no unit follows: the 500 of 3천500원, the 오 of 이십오.
func (p *numeralScan) remainder(c coefficient, at int, first, gap bool) stepResult {
	won := wonEnd(p.s, c.end) > 0
	limit := p.small
	if limit == 0 {
		limit = p.big
	}
	switch {
	case first && c.kind == digits:
		p.group, p.pos, p.closed = c.value, c.end, true
		return stepRead
	case first && c.kind == syllable:
		return stepEnd // one syllable alone is a word
	case c.kind == decimal:
		return stepBroken
	case won && (limit == 0 || c.value < limit), !gap && c.kind == syllable && p.small == 10:
		if c.kind == syllable && !won && strings.HasPrefix(p.s[at:], "이") && tailEnd(p.s, at) && !tailEnd(p.s, c.end) {
			return stepEnd
		}
		p.group += c.value
		p.pos, p.closed = c.end, true
		return stepRead
	case c.kind == syllable && (gap || strings.HasPrefix(p.s[at:], "이") || strings.HasPrefix(p.s[at:], "일")):
		return stepEnd // a particle: 5천이, 3만일 때
	case gap:
		switch r := after(p.s, c.end); {
		case r == 0, strings.ContainsRune(" ,.?!\n", r):
			return stepBroken // 3만 500: one number or two?
		}
		return stepEnd
	}
	return stepBroken
}

// fraction reads 1.5만, 2.5천만: the units after a decimal multiply it, and it must come out whole.
func (p *numeralScan) fraction(c coefficient, unit int64, end int) stepResult {
	factor := unit
	for {
		next, e := unitOf(p.s, end)
		if next < 10000 || factor >= 10000 {
			break
		}
		factor, end = factor*next, e
	}
	if c.value > MaxWon/factor || c.value*factor%c.scale != 0 {
		return stepBroken
	}
	p.total, p.pos, p.closed, p.large = c.value*factor/c.scale, end, true, factor >= 1000
	return stepRead
}

type coefficientKind int

const (
	noCoefficient coefficientKind = iota
	digits
	decimal // value over scale
	syllable
)

type coefficient struct {
	kind   coefficientKind
	value  int64
	scale  int64
	end    int
	broken bool
}

// readCoefficient reads digits with or without thousands commas, a decimal, or one Korean digit.
func readCoefficient(s string, i int) coefficient {
	r, n := utf8.DecodeRuneInString(s[i:])
	if v, ok := sinoDigit[r]; ok {
		if isSino(after(s, i+n)) {
			return coefficient{broken: true} // 삼일오: digits read out, not an amount
		}
		return coefficient{kind: syllable, value: v, end: i + n}
	}
	if !isDigit(r) {
		return coefficient{}
	}
	j := i
	for j < len(s) && (isDigit(rune(s[j])) || (s[j] == ',' || s[j] == '.') && j+1 < len(s) && isDigit(rune(s[j+1]))) {
		j++
	}
	raw := s[i:j]
	whole, fraction, dot := strings.Cut(raw, ".")
	bare := strings.ReplaceAll(whole, ",", "")
	if bare != whole && !thousands(whole) || len(bare) > 15 || len(bare) > 1 && bare[0] == '0' || len(fraction) > 6 || strings.ContainsAny(fraction, ".,") {
		return coefficient{end: j, broken: true}
	}
	v, err := strconv.ParseInt(bare+fraction, 10, 64)
	if err != nil {
		return coefficient{end: j, broken: true}
	}
	if !dot {
		return coefficient{kind: digits, value: v, end: j}
	}
	scale := int64(1)
	for range fraction {
		scale *= 10
	}
	return coefficient{kind: decimal, value: v, scale: scale, end: j}
}

// thousands tells whether commas stand where they belong: 1,200 but not 1,20 or 12000,500.
func thousands(s string) bool {
	for i, part := range strings.Split(s, ",") {
		if i == 0 && (part == "" || len(part) > 3) || i > 0 && len(part) != 3 {
			return false
		}
	}
	return true
}

func unitOf(s string, i int) (int64, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	if u := sinoSmall[r]; u > 0 {
		return u, i + n
	}
	return sinoBig[r], i + n
}

func isSino(r rune) bool { _, ok := sinoDigit[r]; return ok }

func hangulSyllable(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }

// pastNumeral steps over everything number-like, so that no part of a broken number is read as one.
func pastNumeral(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		next := after(s, i+n)
		inner := (r == ',' || r == '.') && isDigit(next) || r == ' ' && (isDigit(next) || isUnit(next))
		if !isDigit(r) && !isSino(r) && !isUnit(r) && !inner {
			break
		}
		i += n
	}
	return i
}
