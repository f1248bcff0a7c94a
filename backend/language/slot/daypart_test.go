package slot

import (
	"testing"
	"time"
)

func TestDayPart(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 2, hour, 30, 0, 0, time.UTC) }
	for _, c := range []struct {
		text  string
		today bool
		now   int
		hour  int // 0: none
		rest  string
	}{
		{" 오후에 빨래 널기", false, 9, 14, " 빨래 널기"},
		{" 저녁쯤에 약 먹기", false, 9, 18, " 약 먹기"},
		{" 오후 반차 신청", false, 9, 0, ""},
		{" 저녁 약속", false, 9, 0, ""},
		{" 오후", false, 9, 14, ""},
		{" 오후에 빨래", true, 9, 14, " 빨래"},
		{" 오후에 빨래", true, 15, 16, " 빨래"}, // the rest of it
		{" 오후에 빨래", true, 20, 0, ""},     // it is over
		{" afternoon", false, 9, 14, ""},
		{" in the evening to ring sam", false, 9, 18, " to ring sam"},
		{" night football", false, 9, 0, ""},
	} {
		hour, end, ok := DayPart(c.text, c.today, at(c.now))
		if ok != (c.hour > 0) || hour != c.hour || ok && c.text[end:] != c.rest {
			t.Errorf("%q at %d: %d, %d, %v", c.text, c.now, hour, end, ok)
		}
	}
}
