package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

func TestUnitConvert(t *testing.T) {
	for _, c := range []struct {
		value, from, to, text string
		code                  apperr.Code
	}{
		{value: "121", from: "평", to: "m²", text: "121 평 = 400 m²"},
		{value: "3", from: "평", to: "제곱미터", text: "3 평 ≈ 9.917355 m²"},
		{value: "-40", from: "°C", to: "화씨", text: "-40 °C = -40 °F"},
		{value: "0.0000001", from: "mm", to: "km", text: "0.0000001 mm = 0.0000000000001 km"},
		{value: "5", from: "달러", to: "원", code: apperr.RatesUnknown},
		{value: "5", from: "kg", to: "USD", code: apperr.RatesUnknown},
		{value: "5", from: "kg", to: "km", code: apperr.NoConversion},
		{value: "5", from: "kg", to: "발걸음", code: apperr.NoConversion},
	} {
		b := &bench{}
		got, err := (&unitConvert{}).Run(t.Context(), b.call(bilingual.KO, map[string]any{"value": json.Number(c.value), "from": c.from, "to": c.to}))
		switch {
		case c.code != "":
			if apperr.CodeOf(err) != c.code {
				t.Errorf("%s %s to %s: %v, want %s", c.value, c.from, c.to, err, c.code)
			}
		case err != nil || got.Text != c.text:
			t.Errorf("%s %s to %s: %q, %v", c.value, c.from, c.to, got.Text, err)
		}
	}
	b := &bench{}
	got, err := (&unitConvert{}).Run(t.Context(), b.call(bilingual.EN, map[string]any{"value": 70, "from": "kg", "to": "pounds"}))
	if err != nil || !strings.HasPrefix(got.Text, "70 kg ≈ 154.32") {
		t.Errorf("%q, %v", got.Text, err)
	}
}
