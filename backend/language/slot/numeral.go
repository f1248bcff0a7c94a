package slot

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"agentchat/backend/lazyregexp"
)

// MaxWon is the largest amount that is read, 999조 9999억 9999만 9999: more than anybody sends, and a whole number
// everywhere, in JSON and in the window too. A larger number is no amount.
const MaxWon = 999_999_999_999_999

// numeral is a number in digits, Korean syllables or a mixture of both.
type numeral struct {
	value int64 // over scale
	scale int64
	end   int
	large bool // has 천, 만, 억 or 조: an amount even without 원
}

// numeralScan walks one numeral. An amount is never a part of what is written: 3만5 and 1,20 are none. Any other number is what
// can be read of it.
type numeralScan struct {
	s            string
	amount       bool
	most         int64 // what it may be at most
	pos          int   // after what was read
	total, group int64 // what 만, 억, 조 closed, and what is being read
	scale        int64 // what total and group are over
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

// scanNumeral reads the amount that begins at s[i] and gives its possible readings, the longest last. end is where to go on
// looking whatever the readings are worth.
func scanNumeral(s string, i int) (found []numeral, end int) {
	p := &numeralScan{s: s, amount: true, most: MaxWon, pos: i, scale: 1}
	if !p.walk() {
		return nil, pastNumeral(s, p.pos)
	}
	return p.found, p.pos
}

// readNumeral reads the number that begins s, as far as it goes.
func readNumeral(s string) (numeral, bool) {
	p := &numeralScan{s: s, most: 1e18, scale: 1}
	p.walk()
	if len(p.found) == 0 {
		return numeral{}, false
	}
	return p.found[len(p.found)-1], true
}

// walk reads to the end of the numeral and tells whether all that is written is one.
func (p *numeralScan) walk() bool {
	for first := true; ; first = false {
		from := *p
		result := p.step(first)
		if result == stepRead && p.total+p.group <= p.most {
			continue
		}
		if result != stepEnd && p.amount {
			p.pos = max(p.pos, from.pos)
			return false
		}
		*p = from
		if !first {
			p.mark()
		}
		return true
	}
}

func (p *numeralScan) mark() {
	p.found = append(p.found, numeral{p.total + p.group, p.scale, p.pos, p.large})
}

// step reads one [coefficient] unit, or a remainder without a unit.
func (p *numeralScan) step(first bool) stepResult {
	at := p.pos
	if !first {
		at = skipBlank(p.s, at)
	}
	gap := at > p.pos
	c := p.coefficient(at)
	switch {
	case c.broken:
		return stepBroken
	case c.kind == noCoefficient:
		return p.bareUnit(at, first, gap)
	case p.closed:
		return p.stop(gap)
	}
	unitAt := skipBlank(p.s, c.end)
	unit, end := unitOf(p.s, unitAt)
	spaced := unitAt > c.end
	switch {
	case unit == 0, spaced && (first && !p.amount || !p.joins(end)):
		return p.remainder(c, at, first, gap)
	case c.kind == decimal && !first:
		return stepBroken
	case first && spaced && c.kind == syllable && strings.ContainsAny(p.s[at:c.end], "이일사구"):
		return stepBroken // "이 만원" is 20,000 or "these 10,000"
	case c.kind == decimal:
		return p.fraction(c, unit, end)
	}
	return p.unit(c.value, unit, end, gap)
}

// unit reads a unit behind its coefficient, which ends at end.
func (p *numeralScan) unit(n, unit int64, end int, gap bool) stepResult {
	switch {
	case unit < 10000 && p.small != 0 && unit >= p.small, unit >= 10000 && (p.big != 0 && unit >= p.big || gap && p.group > 0):
		return p.stop(gap)
	case unit < 10000:
		p.group += n * unit
		p.small = unit
	case p.small != 0 && n >= p.small, !p.close(p.group+n, unit):
		return stepBroken
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
	if group <= 0 || group > p.most/unit {
		return false
	}
	p.total += group * unit
	p.group, p.small, p.big = 0, 0, unit
	return p.total <= p.most
}

// remainder reads what no unit follows: the 500 of 3천500원, the 오 of 이십오.
func (p *numeralScan) remainder(c coefficient, at int, first, gap bool) stepResult {
	limit := p.small
	if limit == 0 {
		limit = p.big
	}
	fits := limit == 0 || c.value < limit
	switch {
	case first && c.kind == digits:
	case c.kind == decimal:
		return stepBroken
	case p.amount:
		if result := p.amountsTo(c, at, fits, first, gap); result != stepRead {
			return result
		}
	case !fits, gap && (c.kind == digits || !strings.ContainsRune(" 원\x00", after(p.s, c.end))):
		return stepEnd
	}
	p.group += c.value
	p.pos, p.closed = c.end, true
	return stepRead
}

// amountsTo tells whether a remainder belongs to the amount before it.
func (p *numeralScan) amountsTo(c coefficient, at int, fits, first, gap bool) stepResult {
	won, spelled := wonEnd(p.s, c.end) > 0, c.kind == syllable
	two := spelled && strings.HasPrefix(p.s[at:], "이")
	switch {
	case first:
		return stepEnd // one syllable alone is a word
	case won && fits, !gap && spelled && p.small == 10:
		if two && !won && tailEnd(p.s, at) && !tailEnd(p.s, c.end) {
			return stepEnd
		}
		return stepRead
	case spelled && (gap || two || strings.HasPrefix(p.s[at:], "일")):
		return stepEnd // a particle: 5천이, 3만일 때
	case gap && !strings.ContainsRune(" ,.?!\n\x00", after(p.s, c.end)):
		return stepEnd
	}
	return stepBroken // 3만 500: one number or two?
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
	if c.value > p.most/factor || p.amount && c.value*factor%c.scale != 0 {
		return stepBroken
	}
	p.total, p.scale, p.pos, p.closed, p.large = c.value*factor, c.scale, end, true, factor >= 1000
	if p.amount {
		p.total, p.scale = p.total/p.scale, 1
	}
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

// coefficient reads digits with or without thousands commas, a decimal, or one Korean digit; of a number that is no amount also digits
// read out (삼일오).
func (p *numeralScan) coefficient(i int) coefficient {
	s := p.s
	r, n := utf8.DecodeRuneInString(s[i:])
	if v, ok := sinoDigit[r]; ok {
		c := coefficient{kind: syllable, value: v, end: i + n}
		if p.amount {
			c.broken = isSino(after(s, c.end)) // digits read out, not an amount
			return c
		}
		if sinoTail(s, i) {
			return coefficient{}
		}
		for c.value < 1e15 && p.small == 0 && p.big == 0 {
			d, ok := sinoDigit[after(s, c.end)]
			if !ok || sinoTail(s, c.end) {
				break
			}
			c.value, c.end = c.value*10+d, c.end+n
		}
		return c
	}
	if !isDigit(r) {
		return coefficient{}
	}
	return figures(s, i)
}

// figures reads digits.
func figures(s string, i int) coefficient {
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

// unitOf reads 십, 백, 천, 만, 억 or 조, unless another word begins with it.
func unitOf(s string, i int) (int64, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	if u := sinoSmall[r] + sinoBig[r]; u > 0 && !unitWords.MatchString(cut(s[i:])) {
		return u, i + n
	}
	return 0, i + n
}

// unitWords begin with a unit: 만 in "3만 (only)" cannot be told apart, but 조 in 조각, 천 in 천천히 can.
var unitWords = lazyregexp.New(`^(?:조각|조금|조로|조건|천천|만큼|백신|백화|십자)`)

// sinoTail tells syllables that look like digits but begin what follows a number: 5천이 (particle), 3만이요.
func sinoTail(s string, i int) bool {
	rest := cut(s[i:])
	if prev := before(s, i); strings.HasPrefix(rest, "이") && (isUnit(prev) || isDigit(prev)) {
		next := after(s, i+len("이"))
		switch {
		case operates.MatchString(rest), strings.ContainsRune("십백", prev) && strings.ContainsRune("은는을를에의와로?\x00", next):
			return false // 십이는: a digit where a particle, an operation or nothing follows
		}
		return !isSino(next) && !isUnit(next)
	}
	return strings.HasPrefix(rest, "일때") || strings.HasPrefix(rest, "사이")
}

var operates = lazyregexp.New(`^이\s*(?:더하|빼|곱하|나누|나눠|플러스|마이너스|[-+*/])`)

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
