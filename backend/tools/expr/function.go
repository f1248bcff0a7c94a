package expr

import (
	"math/big"
	"slices"
)

const (
	rootBits  = 512 // precision of roots, about 150 digits
	maxDigits = 50  // of round
)

// pi to 60 digits.
var pi, _ = new(big.Rat).SetString("3.141592653589793238462643383279502884197169399375105820974945")

type function struct {
	least, most int // arguments
	apply       func(args []Value) (Value, error)
}

var functions = map[string]function{
	"sqrt":  {1, 1, func(a []Value) (Value, error) { return sqrt(a[0]) }},
	"abs":   {1, 1, func(a []Value) (Value, error) { return checked(new(big.Rat).Abs(a[0].rat), a...) }},
	"floor": {1, 1, func(a []Value) (Value, error) { return checked(new(big.Rat).SetInt(floor(a[0].rat)), a...) }},
	"ceil": {1, 1, func(a []Value) (Value, error) {
		down := floor(new(big.Rat).Neg(a[0].rat))
		return checked(new(big.Rat).SetInt(down.Neg(down)), a...)
	}},
	"round": {1, 2, round},
	"min":   {1, 99, func(a []Value) (Value, error) { return slices.MinFunc(a, compare), nil }},
	"max":   {1, 99, func(a []Value) (Value, error) { return slices.MaxFunc(a, compare), nil }},
}

func compare(a, b Value) int { return a.rat.Cmp(b.rat) }

// named reads a constant, or a function with its arguments. A function may do without parentheses: sqrt 2.
func (p *parser) named(t token) (Value, error) {
	if t.text == "pi" {
		return Value{rat: pi, rounded: true}, nil
	}
	f, ok := functions[t.text]
	if !ok {
		return Value{}, fail("'"+t.text+"'은(는) 모르는 이름이에요", "the name '"+t.text+"' is unknown")
	}
	args, err := p.arguments()
	if err != nil {
		return Value{}, err
	}
	if len(args) < f.least || len(args) > f.most {
		return Value{}, fail(t.text+"에 넣는 값의 개수가 맞지 않아요", t.text+" takes another number of values")
	}
	return f.apply(args)
}

func (p *parser) arguments() ([]Value, error) {
	if !p.take("(") {
		v, err := p.unary()
		return []Value{v}, err
	}
	var args []Value
	for {
		v, err := p.sum()
		if err != nil {
			return nil, err
		}
		v.percent = false
		args = append(args, v)
		if p.take(")") {
			return args, nil
		}
		if !p.take(",") {
			return nil, fail("닫는 괄호가 없어요", "a closing parenthesis is missing")
		}
	}
}

// sqrt is exact where numerator and denominator are squares.
func sqrt(v Value) (Value, error) {
	if v.rat.Sign() < 0 {
		return Value{}, fail("음수의 제곱근은 실수가 아니에요", "a negative number has no real square root")
	}
	num, den := new(big.Int).Sqrt(v.rat.Num()), new(big.Int).Sqrt(v.rat.Denom())
	exact := new(big.Rat).SetFrac(num, den)
	if new(big.Rat).Mul(exact, exact).Cmp(v.rat) == 0 {
		return checked(exact, v)
	}
	root := new(big.Float).SetPrec(rootBits).SetRat(v.rat)
	rounded, _ := root.Sqrt(root).Rat(nil)
	out, err := checked(rounded)
	out.rounded = true
	return out, err
}

// round is half away from zero, as in trade; digits after the point may be negative.
func round(args []Value) (Value, error) {
	digits := int64(0)
	if len(args) == 2 {
		if d := args[1].rat; !d.IsInt() || !d.Num().IsInt64() || max(d.Num().Int64(), -d.Num().Int64()) > maxDigits {
			return Value{}, fail("round의 자릿수가 맞지 않아요", "round takes a whole number of digits")
		}
		digits = args[1].rat.Num().Int64()
	}
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(digits, -digits)), nil))
	if digits < 0 {
		scale.Inv(scale)
	}
	x := new(big.Rat).Mul(new(big.Rat).Abs(args[0].rat), scale)
	out := new(big.Rat).SetInt(floor(x.Add(x, big.NewRat(1, 2))))
	out.Quo(out, scale)
	if args[0].rat.Sign() < 0 {
		out.Neg(out)
	}
	return checked(out, args[0])
}
