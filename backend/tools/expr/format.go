package expr

import (
	"math/big"
	"strconv"
	"strings"
)

const (
	significant  = 15  // digits of a rounded answer
	maxDecimals  = 40  // an exact fraction with more is shown rounded
	maxWhole     = 400 // digits of a whole number shown in full
	longestCycle = 60  // digits of a repeating decimal's cycle that is looked for
)

// Answer is a value as a person reads it.
type Answer struct {
	Text      string // digits, without thousands separators
	Exact     bool   // Text is the value itself, not a rounding
	Repeating string // a repeating decimal with its cycle in parentheses, 0.(3); "" when there is none or it is long
}

// Answer writes the value down.
func (v Value) Answer() Answer {
	if v.rounded {
		return Answer{Text: v.approximate()}
	}
	if v.rat.IsInt() {
		if text := v.rat.Num().String(); len(text) <= maxWhole {
			return Answer{Text: text, Exact: true}
		}
		return Answer{Text: v.approximate()}
	}
	if n, terminates := decimals(v.rat.Denom()); terminates {
		if n <= maxDecimals && v.rat.Num().BitLen() < 4*maxWhole {
			return Answer{Text: v.rat.FloatString(n), Exact: true}
		}
		return Answer{Text: v.approximate()}
	}
	return Answer{Text: v.approximate(), Repeating: cycle(v.rat)}
}

// approximate rounds to the significant digits; very large and very small numbers are written with an exponent.
func (v Value) approximate() string {
	f := new(big.Float).SetPrec(rootBits).SetRat(v.rat)
	text := f.Text('e', significant-1)
	mantissa, tail, _ := strings.Cut(text, "e")
	exponent, err := strconv.Atoi(tail)
	if err != nil || exponent < -9 || exponent > 20 {
		return trim(mantissa) + "e" + tail
	}
	return trim(f.Text('f', max(significant-1-exponent, 0)))
}

// trim takes the zeros off the end of a decimal.
func trim(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// decimals is how many digits after the point a fraction with this denominator has, if they end.
func decimals(denominator *big.Int) (int, bool) {
	d := new(big.Int).Set(denominator)
	twos := int(d.TrailingZeroBits())
	d.Rsh(d, uint(twos))
	fives := 0
	five, rest := big.NewInt(5), new(big.Int)
	for {
		q, _ := new(big.Int).QuoRem(d, five, rest)
		if rest.Sign() != 0 {
			break
		}
		d, fives = q, fives+1
	}
	return max(twos, fives), d.IsInt64() && d.Int64() == 1
}

// cycle divides by hand until a remainder comes back.
func cycle(r *big.Rat) string {
	if r.Denom().BitLen() > 62 {
		return ""
	}
	whole, rest := new(big.Int).QuoRem(new(big.Int).Abs(r.Num()), r.Denom(), new(big.Int))
	if len(whole.String()) > maxDecimals {
		return ""
	}
	seen := map[string]int{}
	var digits strings.Builder
	ten, digit := big.NewInt(10), new(big.Int)
	for digits.Len() <= longestCycle {
		key := rest.String()
		if start, ok := seen[key]; ok {
			all := digits.String()
			sign := ""
			if r.Sign() < 0 {
				sign = "-"
			}
			return sign + whole.String() + "." + all[:start] + "(" + all[start:] + ")"
		}
		seen[key] = digits.Len()
		digit.QuoRem(rest.Mul(rest, ten), r.Denom(), rest)
		digits.WriteString(digit.String())
	}
	return ""
}

// Grouped puts thousands separators into the whole part of a number.
func Grouped(text string) string {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") {
		sign, digits = "-", text[1:]
	}
	whole, rest := digits, ""
	if i := strings.IndexAny(digits, ".e"); i >= 0 {
		whole, rest = digits[:i], digits[i:]
	}
	var b strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String() + rest
}
