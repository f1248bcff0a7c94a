package slot

import "testing"

func TestUnit(t *testing.T) {
	for _, c := range []struct{ text, from, to string }{
		{"3평은 몇 제곱미터야?", "평", "m²"},
		{"70kg을 파운드로", "kg", "lb"},
		{"500mL는 몇 컵", "mL", "cup"},
		{"100제곱미터는 몇 평이야", "m²", "평"},
		{"2기가바이트를 메가바이트로 환산", "GB", "MB"},
		{"how many feet is 180 cm?", "cm", "ft"},
		{"10 inches as centimeters", "in", "cm"},
		{"5달러는 몇 원이야", "USD", "원"},
		{"3마일은 몇 킬로야", "mi", "km"},
		{"10킬로는 몇 마일", "km", "mi"},
		{"5킬로는 몇 파운드야", "kg", "lb"},
		{"5파운드를 키로로", "lb", "kg"},
		{"I'm 5 foot 9, what is that in cm", "in", "cm"},
		{"5분 타이머", "min", ""},
		{"what's the weather in Busan", "", ""},
		{"주말에 뭐 하지", "", ""},
	} {
		from, _ := Unit(c.text, true)
		to, _ := Unit(c.text, false)
		if from != c.from || to != c.to || Converts(c.text) != (c.from != "" && c.to != "") {
			n, _ := Number(c.text)
			t.Errorf("%q: %q to %q, number %q", c.text, from, to, n)
		}
	}
	if n, _ := Number("how many cm is 5 ft 10 in"); n != "70" {
		t.Errorf("5 ft 10 in are %s inches", n)
	}
}
