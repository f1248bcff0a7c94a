package hangul_test

import (
	"testing"

	"agentchat/backend/language/hangul"
)

func TestWith(t *testing.T) {
	for _, c := range []struct{ word, consonant, vowel, want string }{
		{"모니터", "은", "는", "모니터는"},
		{"서울역 길 안내", "을", "를", "서울역 길 안내를"},
		{"‘노래 재생’", "이", "가", "‘노래 재생’이"},
		{"서울", "으로", "로", "서울로"},
		{"부산", "으로", "로", "부산으로"},
		{"노래 #2", "을", "를", "노래 #2를"},
		{"노래 #10", "을", "를", "노래 #10을"},
		{"#7", "으로", "로", "#7로"},
		{"Arirang", "을", "를", "Arirang을"},
		{"Seoul", "으로", "로", "Seoul로"},
		{"Monitor", "을", "를", "Monitor를"},
		{"A (연습 목적지)", "이", "가", "A (연습 목적지)가"},
		{"L", "은", "는", "L은"},
		{"‘Departure Board Waltz’", "을", "를", "‘Departure Board Waltz’를"},
		{"BTS", "을", "를", "BTS를"},
		{"대구", "으로", "로", "대구로"},
		{"※", "을", "를", "※을(를)"},
		{"", "을", "를", "을(를)"},
	} {
		if got := hangul.With(c.word, c.consonant, c.vowel); got != c.want {
			t.Errorf("With(%q): got %q, want %q", c.word, got, c.want)
		}
	}
}
