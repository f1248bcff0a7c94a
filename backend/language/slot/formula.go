package slot

import (
	"slices"
	"strings"
)

// term is a formula under construction with how tightly its outermost operation binds, so that brackets are put only where needed.
type term struct {
	text string
	prec int
}

const (
	precSum = iota + 1
	precProduct
	precPower
	precAtom
)

var precOf = map[string]int{"+": precSum, "-": precSum, "*": precProduct, "/": precProduct, "%": precProduct, "^": precPower}

// apply joins two terms with an operation, bracketing what binds less.
func apply(a term, op string, b term) term {
	if strings.HasPrefix(op, "r") {
		a, b, op = b, a, op[1:]
	}
	p := precOf[op]
	return term{bracket(a, p) + " " + op + " " + bracket(b, p+1), p}
}

func bracket(t term, prec int) string {
	if t.prec < prec {
		return "(" + t.text + ")"
	}
	return t.text
}

// exprParser reads the longest formula from pos on. Spoken arithmetic mixes three orders — 3 더하기 4, 3에 4를 더하면, add 3 and 4 — so it
// keeps operands and pending infix operations as written, and folds them when a verb or the end says so.
type exprParser struct {
	toks   []tok
	pos    int
	ops    int
	depth  int
	vals   []term
	infix  []string // infix[i] stands between vals[i] and vals[i+1]; "" is a bare join
	opened bool     // an infix waits for its right side
	prefix string
}

func (p *exprParser) parse() (string, bool) {
	end, ops := p.pos, 0
	best := ""
	for p.pos < len(p.toks) {
		if !p.step() {
			break
		}
		if t, ok := p.whole(); ok {
			end, ops, best = p.pos, p.ops, t.text
		}
	}
	p.pos, p.ops = end, ops
	return best, best != "" && ops > 0
}

// whole is the formula read so far, when it is complete.
func (p *exprParser) whole() (term, bool) {
	if len(p.vals) == 0 || p.opened || len(p.infix) != len(p.vals)-1 { // nothing to calculate, or a join that waits for its other side
		return term{}, false
	}
	vals, infix := append([]term(nil), p.vals...), append([]string(nil), p.infix...)
	if p.prefix == "half" || p.prefix == "sq" {
		if len(vals) != 1 {
			return term{}, false
		}
		if p.prefix == "half" {
			return apply(vals[0], "/", term{"2", precAtom}), true
		}
		return apply(vals[0], "^", term{"2", precAtom}), true
	}
	if p.prefix != "" {
		if len(vals) < 2 {
			return term{}, false
		}
		for i := range infix {
			if infix[i] == "" {
				infix[i] = p.prefix
			}
		}
	}
	if slices.Contains(infix, "") {
		return term{}, false
	}
	return foldInfix(vals, infix), true
}

// foldInfix writes operands and operations in their order; the calculator knows the precedence. Reversed operations take two.
func foldInfix(vals []term, infix []string) term {
	out := vals[0]
	for i, op := range infix {
		p := precOf[strings.TrimPrefix(op, "r")]
		if strings.HasPrefix(op, "r") {
			out = apply(out, op, vals[i+1])
			continue
		}
		right := bracket(vals[i+1], p+1)
		if vals[i+1].prec == precAtom {
			right = vals[i+1].text
		}
		left := out.text
		if out.prec < p && i == 0 { // a spoken group before an operation keeps its brackets
			left = "(" + left + ")"
		}
		out = term{left + " " + op + " " + right, min(p, out.prec)}
	}
	return out
}

// step takes one token; false ends the formula before it.
func (p *exprParser) step() bool {
	t := p.toks[p.pos]
	switch t.kind {
	case tokNumber:
		if len(p.vals) > 0 && !p.opened && len(p.infix) < len(p.vals) {
			// Two numbers side by side belong together only when a Korean verb follows ("3 4 더해").
			p.infix = append(p.infix, "")
		}
		p.push(term{t.text, precAtom})
	case tokOpen, tokRoot:
		return p.nested(t.kind == tokRoot)
	case tokInfix:
		if len(p.vals) == 0 || p.opened {
			return p.sign(t.text)
		}
		if len(p.infix) == len(p.vals) { // "10에서 빼기 3": the operation replaces the join
			p.infix[len(p.infix)-1] = t.text
		} else if p.korReverse(t.text) {
			p.pos++
			return true
		} else {
			p.infix = append(p.infix, t.text)
		}
		p.opened = true
		p.ops++
		p.pos++
	case tokVerb:
		return p.verb(t.text)
	case tokPrefix:
		if len(p.vals) > 0 || p.prefix != "" {
			return false
		}
		p.prefix = t.text
		p.ops++
		p.pos++
	case tokJoin, tokOf:
		return p.join(t)
	case tokPercent:
		return p.percent()
	case tokPower:
		return p.power(t.text)
	case tokClose, tokBreak:
		return false
	}
	return true
}

func (p *exprParser) push(t term) {
	p.vals = append(p.vals, t)
	p.opened = false
	p.pos++
}

// sign reads a leading minus: 마이너스 3, -3.
func (p *exprParser) sign(op string) bool {
	if op != "-" || p.pos+1 >= len(p.toks) || p.toks[p.pos+1].kind != tokNumber {
		return false
	}
	p.pos++
	t := term{"-" + p.toks[p.pos].text, precAtom}
	if p.opened {
		t.text = "(" + t.text + ")"
	}
	p.push(t)
	return true
}

// nested reads a bracket or the operand of a root.
func (p *exprParser) nested(root bool) bool {
	if len(p.vals) > 0 && !p.opened && len(p.infix) < len(p.vals) {
		return false
	}
	i := p.pos + 1
	inner := exprParser{depth: p.depth + 1}
	if p.depth > 8 || i >= len(p.toks) {
		return false
	}
	if root && p.toks[i].kind != tokOpen {
		for i < len(p.toks) && (p.toks[i].kind == tokOf || p.toks[i].kind == tokJoin) {
			i++
		}
		if i >= len(p.toks) || p.toks[i].kind != tokNumber {
			return false
		}
		p.ops++
		p.pos = i
		p.push(term{"sqrt(" + p.toks[i].text + ")", precAtom})
		return true
	}
	if root {
		i++
	}
	closeAt := matching(p.toks, i)
	inner.toks, inner.pos = p.toks[:closeAt], i
	s, ok := inner.parse()
	if !ok || inner.pos != closeAt {
		if closeAt-i != 1 || p.toks[i].kind != tokNumber {
			return false
		}
		s = p.toks[i].text
	}
	p.pos = min(closeAt, len(p.toks)-1)
	p.ops += inner.ops
	if root {
		p.ops++
		s = "sqrt(" + s + ")"
	} else {
		s = "(" + s + ")"
	}
	p.push(term{s, precAtom})
	return true
}

func matching(toks []tok, i int) int {
	for depth := 1; i < len(toks); i++ {
		switch toks[i].kind {
		case tokOpen:
			depth++
		case tokClose:
			depth--
		default: // only parentheses nest
		}
		if depth == 0 {
			return i
		}
	}
	return len(toks)
}

// verb applies a Korean verb-final operation: 3에 4를 더하면, (3에 4를 더하고) 2를 곱하면.
func (p *exprParser) verb(op string) bool {
	if len(p.vals) == 1 && len(p.infix) == 0 && p.pos+1 < len(p.toks) && p.toks[p.pos+1].kind == tokNumber {
		p.infix = append(p.infix, op) // "7 나눠 2": spoken as an infix
		p.opened = true
		p.ops++
		p.pos++
		return true
	}
	if len(p.vals) < 2 || p.opened {
		return false
	}
	joins := 0
	for _, o := range p.infix {
		if o == "" {
			joins++
		}
	}
	if joins == 0 {
		return false
	}
	for i := range p.infix {
		if p.infix[i] == "" {
			p.infix[i] = op
		}
	}
	p.infix = p.infix[:len(p.vals)-1]
	p.vals, p.infix = []term{foldInfix(p.vals, p.infix)}, nil
	p.ops++
	p.pos++
	return true
}

// korReverse folds "100의 15% 더하기"-like tails: an infix at the very end after a bare join acts as a verb (3과 4 더하기).
func (p *exprParser) korReverse(op string) bool {
	if len(p.vals) < 2 || p.infix[len(p.infix)-1] != "" || p.pos+1 < len(p.toks) && p.toks[p.pos+1].kind == tokNumber {
		return false
	}
	for i := range p.infix {
		if p.infix[i] == "" {
			p.infix[i] = op
		}
	}
	p.ops++
	return true
}

func (p *exprParser) join(t tok) bool {
	if len(p.vals) == 0 && p.prefix == "" && t.text != "unit" {
		return false
	}
	if t.text == "unit" || p.opened || len(p.vals) == 0 || len(p.infix) == len(p.vals) {
		p.pos++
		return true
	}
	if t.kind == tokOf {
		return p.of()
	}
	if p.prefix == "" && p.pos+1 < len(p.toks) && p.toks[p.pos+1].kind == tokBreak {
		p.pos++
		return true
	}
	p.infix = append(p.infix, "")
	p.pos++
	return true
}

// of reads what 의 and "of" may stand between: 200의 15%, 3의 제곱, 3의 4제곱, 9의 제곱근, 3과 4의 합.
func (p *exprParser) of() bool {
	rest := p.toks[p.pos+1:]
	last := len(p.vals) - 1
	switch {
	case len(rest) >= 2 && rest[0].kind == tokNumber && rest[1].kind == tokPercent:
		p.vals[last] = apply(apply(p.vals[last], "*", term{rest[0].text, precAtom}), "/", term{"100", precAtom})
		p.pos += 3
		p.ops++
	case len(rest) >= 2 && rest[0].kind == tokNumber && rest[1].kind == tokPower:
		p.vals[last] = apply(p.vals[last], "^", term{rest[0].text, precAtom})
		p.pos += 3
		p.ops++
	case len(rest) >= 1 && rest[0].kind == tokPower:
		p.pos++
		return p.power(rest[0].text)
	case len(rest) >= 1 && rest[0].kind == tokRoot:
		p.vals[last] = term{"sqrt(" + p.vals[last].text + ")", precAtom}
		p.pos += 2
		p.ops++
	case len(rest) >= 1 && rest[0].kind == tokVerb:
		p.pos++
	default:
		return false
	}
	return true
}

// percent reads 15% of 200, 200 + 10% and a lone percentage of a join.
func (p *exprParser) percent() bool {
	if len(p.vals) == 0 || p.opened {
		return false
	}
	if p.pos+1 < len(p.toks) && p.toks[p.pos+1].kind == tokNumber { // 17 % 5 is a remainder
		p.toks[p.pos] = tok{tokInfix, "%"}
		return true
	}
	last := len(p.vals) - 1
	share := apply(p.vals[last], "/", term{"100", precAtom})
	p.pos++
	if p.pos < len(p.toks) && p.toks[p.pos].kind == tokOf {
		i := p.pos + 1
		for i < len(p.toks) && p.toks[i].kind == tokJoin && p.toks[i].text == "unit" {
			i++
		}
		if i < len(p.toks) && p.toks[i].kind == tokNumber {
			p.vals[last] = apply(share, "*", term{p.toks[i].text, precAtom})
			p.pos = i + 1
			p.ops++
			return true
		}
	}
	at := p.pos
	for at < len(p.toks) && p.toks[at].kind == tokJoin {
		at++
	}
	if last > 0 && at < len(p.toks) && p.toks[at].kind == tokVerb && (p.toks[at].text == "+" || p.toks[at].text == "-") { // 12만원에서 15퍼센트 빼면
		p.vals[last] = apply(apply(p.vals[last-1], "*", p.vals[last]), "/", term{"100", precAtom})
		return true
	}
	if last > 0 && len(p.infix) == last && (p.infix[last-1] == "+" || p.infix[last-1] == "-") {
		// 200 + 10% means ten percent of what stands before.
		base := foldInfix(p.vals[:last], p.infix[:last-1])
		p.vals[last] = apply(apply(base, "*", p.vals[last]), "/", term{"100", precAtom})
		return true
	}
	p.vals[last] = term{"(" + share.text + ")", precAtom}
	return true
}

func (p *exprParser) power(exp string) bool {
	if len(p.vals) == 0 || p.opened {
		return false
	}
	last := len(p.vals) - 1
	if last > 0 && len(p.infix) == last && p.infix[last-1] == "" { // 3의 4제곱 lexed with a join
		p.vals[last-1] = apply(p.vals[last-1], "^", p.vals[last])
		p.vals, p.infix = p.vals[:last], p.infix[:last-1]
	} else {
		p.vals[last] = apply(p.vals[last], "^", term{exp, precAtom})
	}
	p.ops++
	p.pos++
	return true
}
