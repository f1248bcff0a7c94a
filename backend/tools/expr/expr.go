// Package expr works out arithmetic exactly: every number is a fraction of whole numbers, so 0.1+0.2 is 0.3 and 1/3*3
// is 1. Only roots and broken powers are rounded, and the answer says so.
//
//   - - * / ^ ( )    as usual; ^ binds strongest and to the right, so -2^2 is -4 and 2^3^2 is 2^9
//     a % b            remainder, with the sign of b
//     p%               percent; added to or taken from a number it is a percentage of that number: 200+10% is 220
//     sqrt abs round(x[, digits]) floor ceil min max pi
//
// Work is bounded: by the length of the text, the depth of its parentheses and the size of the numbers.
package expr

import (
	"math"
	"math/big"
	"unicode/utf8"
)

// Bounds on the work of one expression.
const (
	MaxRunes = 500
	maxDepth = 64
	maxBits  = 1 << 15 // of a numerator or denominator, about 9,800 digits
)

// Error says in both languages what is wrong with an expression.
type Error struct{ KO, EN string }

func (e *Error) Error() string { return "expr: " + e.EN }

func fail(ko, en string) error { return &Error{ko, en} }

func tooLarge() error { return fail("수가 너무 커요", "the numbers are too large") }

// Value is the outcome of an expression.
type Value struct {
	rat     *big.Rat
	rounded bool // a root or a broken power was rounded on the way
	percent bool // was written as p%
}

// Eval works an expression out. The error is an *Error.
func Eval(text string) (Value, error) {
	if utf8.RuneCountInString(text) > MaxRunes {
		return Value{}, fail("식이 너무 길어요", "it is too long")
	}
	tokens, err := scan(text)
	if err != nil {
		return Value{}, err
	}
	p := parser{tokens: tokens}
	if p.peek().kind == end {
		return Value{}, fail("식이 비어 있어요", "it is empty")
	}
	v, err := p.sum()
	if err != nil {
		return Value{}, err
	}
	if t := p.peek(); t.kind != end {
		return Value{}, unexpected(t)
	}
	return v, nil
}

func unexpected(t token) error {
	if t.kind == end {
		return fail("식이 중간에 끝나요", "it ends too early")
	}
	return fail("'"+t.text+"' 앞에서 막혔어요", "'"+t.text+"' was not expected there")
}

// parser is a recursive descent that works values out as it goes.
type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take(op string) bool {
	if t := p.peek(); t.kind == operator && t.text == op {
		p.at++
		return true
	}
	return false
}

func (p *parser) sum() (Value, error) {
	left, err := p.product()
	for err == nil {
		sign := 0
		switch {
		case p.take("+"):
			sign = 1
		case p.take("-"):
			sign = -1
		default:
			return left, nil
		}
		var right Value
		if right, err = p.product(); err == nil {
			left, err = add(left, right, sign)
		}
	}
	return left, err
}

func add(a, b Value, sign int) (Value, error) {
	if b.percent { // a percentage of what it is added to
		share, err := checked(new(big.Rat).Mul(a.rat, b.rat), a, b)
		if err != nil {
			return Value{}, err
		}
		b = share
	}
	out := new(big.Rat)
	if sign > 0 {
		out.Add(a.rat, b.rat)
	} else {
		out.Sub(a.rat, b.rat)
	}
	return checked(out, a, b)
}

func (p *parser) product() (Value, error) {
	left, err := p.unary()
	for err == nil {
		op := p.peek()
		if !p.take("*") && !p.take("/") && !p.take("%") {
			return left, nil
		}
		var right Value
		if right, err = p.unary(); err != nil {
			break
		}
		switch op.text {
		case "*":
			left, err = checked(new(big.Rat).Mul(left.rat, right.rat), left, right)
		case "/":
			left, err = divide(left, right)
		default:
			left, err = remainder(left, right)
		}
	}
	return left, err
}

func divide(a, b Value) (Value, error) {
	if b.rat.Sign() == 0 {
		return Value{}, fail("0으로 나눌 수 없어요", "nothing can be divided by zero")
	}
	return checked(new(big.Rat).Quo(a.rat, b.rat), a, b)
}

func remainder(a, b Value) (Value, error) {
	q, err := divide(a, b)
	if err != nil {
		return Value{}, err
	}
	whole := new(big.Rat).SetInt(floor(q.rat))
	return checked(whole.Sub(a.rat, whole.Mul(whole, b.rat)), a, b)
}

func (p *parser) unary() (Value, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return Value{}, fail("괄호나 부호가 너무 깊어요", "it is nested too deeply")
	}
	if p.take("-") {
		v, err := p.unary()
		if err == nil {
			v.rat = new(big.Rat).Neg(v.rat)
		}
		return v, err
	}
	if p.take("+") {
		return p.unary()
	}
	base, err := p.postfix()
	if err != nil || !p.take("^") {
		return base, err
	}
	exponent, err := p.unary()
	if err != nil {
		return Value{}, err
	}
	return power(base, exponent)
}

// postfix reads percent signs. A % with an operand behind it is a remainder and left to product.
func (p *parser) postfix() (Value, error) {
	v, err := p.primary()
	for err == nil {
		if t := p.peek(); t.kind != operator || t.text != "%" || p.operandAfter() {
			break
		}
		p.at++
		v = Value{rat: new(big.Rat).Quo(v.rat, big.NewRat(100, 1)), rounded: v.rounded, percent: true}
	}
	return v, err
}

func (p *parser) operandAfter() bool {
	next := p.tokens[p.at+1] // there is always the end
	return next.kind == number || next.kind == name || next.kind == operator && next.text == "("
}

func (p *parser) primary() (Value, error) {
	t := p.peek()
	switch {
	case t.kind == number:
		p.at++
		return checked(t.value)
	case t.kind == name:
		p.at++
		return p.named(t)
	case p.take("("):
		v, err := p.sum()
		if err == nil && !p.take(")") {
			return Value{}, fail("닫는 괄호가 없어요", "a closing parenthesis is missing")
		}
		v.percent = false
		return v, err
	}
	return Value{}, unexpected(t)
}

// checked makes a value of a number unless it has grown too large; it is rounded if one of its sources was.
func checked(r *big.Rat, from ...Value) (Value, error) {
	if r.Num().BitLen() > maxBits || r.Denom().BitLen() > maxBits {
		return Value{}, tooLarge()
	}
	v := Value{rat: r}
	for _, f := range from {
		v.rounded = v.rounded || f.rounded
	}
	return v, nil
}

func floor(r *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	_ = m // DivMod is Euclidean and a denominator positive, so q is the floor
	return q
}

// power raises exactly for whole exponents; others go through logarithms and are rounded to 15 digits.
func power(base, exponent Value) (Value, error) {
	if base.rat.Sign() == 0 && exponent.rat.Sign() < 0 {
		return Value{}, fail("0으로 나눌 수 없어요", "nothing can be divided by zero")
	}
	if !exponent.rat.IsInt() {
		if exponent.rat.Cmp(big.NewRat(1, 2)) == 0 && !exponent.rounded {
			return sqrt(base)
		}
		b, _ := base.rat.Float64()
		e, _ := exponent.rat.Float64()
		return fromFloat(math.Pow(b, e))
	}
	if !exponent.rat.Num().IsInt64() {
		return trivialPower(base, exponent)
	}
	n := exponent.rat.Num().Int64()
	size := int64(max(base.rat.Num().BitLen(), base.rat.Denom().BitLen()))
	if size > 1 && (n > maxBits || n < -maxBits || max(n, -n)*(size-1) > maxBits) {
		return Value{}, tooLarge()
	}
	if size <= 1 {
		return trivialPower(base, exponent)
	}
	e := big.NewInt(max(n, -n))
	num, den := new(big.Int).Exp(base.rat.Num(), e, nil), new(big.Int).Exp(base.rat.Denom(), e, nil)
	if n < 0 {
		num, den = den, num
	}
	return checked(new(big.Rat).SetFrac(num, den), base, exponent)
}

// trivialPower is for 0, 1 and -1, whose powers stay small however large the exponent.
func trivialPower(base, exponent Value) (Value, error) {
	if !base.rat.IsInt() || base.rat.Num().BitLen() > 1 {
		return Value{}, tooLarge()
	}
	switch e := exponent.rat.Num(); {
	case e.Sign() == 0:
		return checked(big.NewRat(1, 1), base, exponent)
	case base.rat.Sign() < 0 && e.Bit(0) == 0:
		return checked(big.NewRat(1, 1), base, exponent)
	}
	return checked(base.rat, base, exponent)
}

func fromFloat(f float64) (Value, error) {
	switch {
	case math.IsNaN(f):
		return Value{}, fail("실수로 답이 없는 계산이에요", "there is no real answer")
	case math.IsInf(f, 0):
		return Value{}, tooLarge()
	}
	v, err := checked(new(big.Rat).SetFloat64(f))
	v.rounded = true
	return v, err
}
