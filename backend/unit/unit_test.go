package unit

import (
	"math/big"
	"testing"
)

func TestConvert(t *testing.T) {
	for _, c := range []struct{ value, from, to, want string }{
		{"121", "평", "제곱미터", "400"},
		{"70", "kg", "g", "70000"},
		{"1", "파운드", "kg", "0.45359237"},
		{"2", "근", "그램", "1200"},
		{"10", "돈", "g", "37.5"},
		{"-40", "섭씨", "°F", "-40"},
		{"212", "fahrenheit", "celsius", "100"},
		{"36", "km/h", "m/s", "10"},
		{"1", "GiB", "B", "1073741824"},
		{"90", "분", "시간", "3/2"},
		{"1", "Square  Foot", "m2", "0.09290304"},
	} {
		from, ok := Named(c.from)
		to, also := Named(c.to)
		got, fits := Convert(rat(c.value), from, to)
		if !ok || !also || !fits || got.Cmp(rat(c.want)) != 0 {
			t.Errorf("%s %s in %s: %v", c.value, c.from, c.to, got)
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	kg, _ := Named("kg")
	m, _ := Named("m")
	won, _ := Named("원")
	usd, _ := Named("달러")
	for _, pair := range [][2]Unit{{kg, m}, {won, usd}, {won, won}} {
		if got, ok := Convert(big.NewRat(1, 1), pair[0], pair[1]); ok {
			t.Errorf("%s to %s gave %v", pair[0].Symbol, pair[1].Symbol, got)
		}
	}
}

// There and back again is the same amount, for every two units of a kind.
func TestThereAndBack(t *testing.T) {
	amount := rat("-12.375")
	for _, a := range units {
		for _, b := range units {
			there, ok := Convert(amount, a, b)
			if !ok {
				continue
			}
			if back, _ := Convert(there, b, a); back == nil || back.Cmp(amount) != 0 {
				t.Errorf("%s to %s and back: %v", a.Symbol, b.Symbol, back)
			}
		}
	}
}

func FuzzPrefix(f *testing.F) {
	for _, text := range []string{"평은", "kg을 파운드로", "만", "m²", "inside", "주말"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if u, n, ok := Prefix(text); ok && (n < 1 || n > len(text) || u.Symbol == "") {
			t.Errorf("%q: %v %d", text, u, n)
		}
	})
}
