package expr

import (
	"strings"
	"testing"
)

// The dearest expressions the bounds allow: long chains of numbers with thousands of digits.
func BenchmarkWorstCase(b *testing.B) {
	for name, in := range map[string]string{
		"roots":     strings.Repeat("sqrt(3^20000)+", 33) + "1",
		"fractions": strings.Repeat("1/7^11000*3^20000+", 26) + "1",
		"remainder": strings.Repeat("9^9999%7^9999+", 33) + "1",
		"powers":    strings.Repeat("1.1^9000*", 50) + "0",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if v, err := Eval(in); err == nil {
					v.Answer()
				}
			}
		})
	}
}
