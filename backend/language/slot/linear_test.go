package slot_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/backend/language/slot"
)

// hostile are pieces that invite a grammar to look far ahead or back.
var hostile = []string{"만", "만 ", "9", "9,", "1,000 ", " ", "\n", "억만천", "일이삼", "마이너스 ", "마이너스 천원 ", "- ", "one ", "hundred ", "a ", "몇 ", "월", "1월 ", "12/", "다음 ", "in ", "엄마한테 만원 ", "3만 5천 ", "~5", "원", "₩", "\u1102\u1161", "가\u0301", "\xff", "이"}

// What is read takes time linear in its length: a grammar that looked back over everything would take minutes.
func TestLinear(t *testing.T) {
	all := strings.Join(hostile, "")
	for _, piece := range append(hostile, all) {
		text := strings.Repeat(piece, 1<<14/len(piece))
		start := time.Now()
		slot.Amounts(text)
		slot.Days(text, now)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%q: %d bytes took %v", piece, len(text), took)
		}
	}
}

func BenchmarkMegabyte(b *testing.B) {
	all := strings.Join(hostile, "")
	text := strings.Repeat(all, 1<<20/len(all))
	b.Run("amounts", func(b *testing.B) {
		for b.Loop() {
			slot.Amounts(text)
		}
	})
	b.Run("days", func(b *testing.B) {
		for b.Loop() {
			slot.Days(text, now)
		}
	})
}
