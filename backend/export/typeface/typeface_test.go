package typeface_test

import (
	"testing"

	"agentchat/backend/export/typeface"
)

// Both weights show every Hangul syllable, and what Korean and English are written with beside them.
func TestSyllables(t *testing.T) {
	for _, weight := range []typeface.Weight{typeface.Regular, typeface.Bold} {
		font, err := typeface.Get(weight)
		if err != nil {
			t.Fatal(err)
		}
		face := font.Face()
		shown := func(r rune) bool { return face.Has(r) && face.Advance(face.Glyph(r)) > 0 }
		for r := rune('가'); r <= '힣'; r++ {
			if !shown(r) {
				t.Fatalf("weight %d has no %c", weight, r)
			}
		}
		for _, r := range "Az09,.!?·…’“ㄱㅏ→₩" {
			if !shown(r) {
				t.Errorf("weight %d has no %c", weight, r)
			}
		}
	}
}
