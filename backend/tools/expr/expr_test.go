package expr

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAnswers(t *testing.T) {
	for in, want := range map[string]Answer{
		"0.1+0.2":                   {Text: "0.3", Exact: true},
		"1/3*3":                     {Text: "1", Exact: true},
		"35,000 / 7":                {Text: "5000", Exact: true},
		"3만5천 나누기 7":                {Text: "5000", Exact: true},
		"1억2천3백만":                   {Text: "123000000", Exact: true},
		"만 5천 + 1":                  {},
		"2+3*4":                     {Text: "14", Exact: true},
		"(2+3)×4":                   {Text: "20", Exact: true},
		"-2^2":                      {Text: "-4", Exact: true},
		"2^3^2":                     {Text: "512", Exact: true},
		"2^-2":                      {Text: "0.25", Exact: true},
		"2**10":                     {Text: "1024", Exact: true},
		"10 − 12":                   {Text: "-2", Exact: true},
		"7 % 3":                     {Text: "1", Exact: true},
		"-7 % 3":                    {Text: "2", Exact: true},
		"50%":                       {Text: "0.5", Exact: true},
		"200 + 10%":                 {Text: "220", Exact: true},
		"200 - 10%":                 {Text: "180", Exact: true},
		"80 * 15%":                  {Text: "12", Exact: true},
		"10%%":                      {Text: "0.001", Exact: true},
		"sqrt(16/9)*3":              {Text: "4", Exact: true},
		"√2":                        {Text: "1.4142135623731"},
		"2^0.5":                     {Text: "1.4142135623731"},
		"10/3":                      {Text: "3.33333333333333", Repeating: "3.(3)"},
		"1/7":                       {Text: "0.142857142857143", Repeating: "0.(142857)"},
		"-1/6":                      {Text: "-0.166666666666667", Repeating: "-0.1(6)"},
		"round(2.5)":                {Text: "3", Exact: true},
		"round(-2.5)":               {Text: "-3", Exact: true},
		"round(10/3, 2)":            {Text: "3.33", Exact: true},
		"round(1234, -2)":           {Text: "1200", Exact: true},
		"max(1,234)":                {Text: "234", Exact: true},
		"min(3, abs(-2), 8)":        {Text: "2", Exact: true},
		"ceil(1.2)+floor(-1.2)":     {Text: "0", Exact: true},
		"1,234,567.5 * 2":           {Text: "2469135", Exact: true},
		"１２ ＋ ３":                    {Text: "15", Exact: true},
		"1e3 + .5":                  {Text: "1000.5", Exact: true},
		"2^200":                     {Text: "1606938044258990275541962092341162602522202993782792835301376", Exact: true},
		"(-1)^99999999999999999999": {Text: "-1", Exact: true},
		"pi":                        {Text: "3.14159265358979"},
		"1/3^40":                    {Text: "8.22526333996996e-20"},
		"1/3/100000":                {Text: "0.00000333333333333333", Repeating: "0.00000(3)"},
	} {
		v, err := Eval(in)
		if want == (Answer{}) {
			if err == nil {
				t.Errorf("%s = %+v, want an error", in, v.Answer())
			}
			continue
		}
		if err != nil || v.Answer() != want {
			got := Answer{}
			if err == nil {
				got = v.Answer()
			}
			t.Errorf("%s = %+v, %v; want %+v", in, got, err, want)
		}
	}
}

func TestErrorsSpeakBothLanguages(t *testing.T) {
	for _, in := range []string{
		"", "  ", "1/0", "5 % 0", "0^-1", "1+", "(1", "1)", "1 2", "two", "sqrt(-1)", "max()", "sqrt(1,2)", "round(1, 0.5)", "$5", "..", "1e", "천",
		strings.Repeat("(", 400) + "1", strings.Repeat("-", 300) + "1", strings.Repeat("9", 600), "9^99999", "9^9^9", "2^99999999999999999999", "(-8)^0.3",
	} {
		_, err := Eval(in)
		var e *Error
		if !errors.As(err, &e) || e.KO == "" || e.EN == "" {
			t.Errorf("%.40q: %v", in, err)
		}
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[string]string{"5": "5", "-1234": "-1,234", "1234567.891": "1,234,567.891", "1.5e+30": "1.5e+30", "100": "100"} {
		if got := Grouped(in); got != want {
			t.Errorf("Grouped(%s) = %s", in, got)
		}
	}
}

// Whatever whole numbers are written, the four operations agree with fractions.
func TestArithmeticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1e12, 1e12)
		a, b, c := n.Draw(t, "a"), n.Draw(t, "b"), n.Filter(func(v int64) bool { return v != 0 }).Draw(t, "c")
		v, err := Eval(fmt.Sprintf("(%d + %d) * %d / (%d) - %d", a, b, a, c, b))
		if err != nil {
			t.Fatal(err)
		}
		A, B, C := big.NewRat(a, 1), big.NewRat(b, 1), big.NewRat(c, 1)
		want := new(big.Rat).Add(A, B)
		want.Mul(want, A).Quo(want, C).Sub(want, B)
		if v.rat.Cmp(want) != 0 {
			t.Fatalf("got %v, want %v", v.rat, want)
		}
	})
}

func FuzzEval(f *testing.F) {
	for _, in := range []string{"0.1+0.2", "2^3^2", "3만5천 나누기 7", "max(1,234)", "10%%", "-7 % 3", "1e-999/3", "sqrt 2", "9^9^9", "십", "1.2.3"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		v, err := Eval(in)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		answer := v.Answer()
		if answer.Text == "" || len(answer.Text) > maxWhole+maxDecimals+2 && answer.Exact {
			t.Fatalf("%q = %+v", in, answer)
		}
		Grouped(answer.Text)
	})
}
