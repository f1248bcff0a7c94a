package slot_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/backend/slot"
)

// hostile are pieces that invite a grammar to look far ahead or back.
var hostile = []string{"만", "만 ", "9", "9,", "1,000 ", " ", "\n", "억만천", "일이삼", "마이너스 ", "마이너스 천원 ", "- ", "one ", "hundred ", "a ", "몇 ", "월", "1월 ", "12/", "다음 ", "in ", "엄마한테 만원 ", "3만 5천 ", "~5", "원", "₩", "\u1102\u1161", "가\u0301", "\xff", "이"}

// What is read takes time linear in its length: a grammar that looked back over everything would take minutes even for
// the short ones, and hours for a megabyte.
func TestLinear(t *testing.T) {
	read := func(name, text string, limit time.Duration) {
		start := time.Now()
		slot.Amounts(text)
		slot.Days(text, now)
		if took := time.Since(start); took > limit {
			t.Errorf("%s: %d bytes took %v", name, len(text), took)
		}
	}
	for _, piece := range hostile {
		read(piece, strings.Repeat(piece, 1<<16/len(piece)), 10*time.Second)
	}
	all := strings.Join(hostile, "")
	read("a megabyte", strings.Repeat(all, 1<<20/len(all)), time.Minute)
}
