package ground_test

import (
	"testing"
	"time"

	"agentchat/backend/language/ground"
)

// A day of the week whose part of the day has begun by now is the next one: who means today says so.
func TestAWeekdayWhosePartIsOverIsTheNext(t *testing.T) {
	list := ground.Slots{{Name: "what", Kind: ground.Text}, {Name: "date", Kind: ground.Date}, {Name: "time", Kind: ground.Time}}
	saturday := func(hour, minute int) time.Time { return time.Date(2026, 11, 21, hour, minute, 0, 0, now.Location()) }
	for _, c := range []struct {
		words      string
		at         time.Time
		date, time string
	}{
		{"토요일 오후에 빨래 널기", saturday(9, 0), "2026-11-21", "14:00"},
		{"토요일 오후에 빨래 널기", saturday(14, 10), "2026-11-28", "14:00"},
		{"토요일 오전에 빨래 널기", saturday(23, 59), "2026-11-28", "09:00"},
		{"일요일 오전에 빨래 널기", saturday(23, 59), "2026-11-22", "09:00"},
		{"오늘 오후에 빨래 널기", saturday(14, 10), "2026-11-21", "15:00"},
		{"on saturday morning", saturday(7, 59), "2026-11-21", "08:00"},
		{"on saturday morning", saturday(8, 0), "2026-11-28", "08:00"},
		{"on next saturday morning", saturday(8, 0), "2026-11-28", "08:00"},
	} {
		task := list.Tasks(ground.Request{Words: c.words, Now: c.at})
		if len(task) != 1 || task[0]["date"].Value != c.date || task[0]["time"].Value != c.time {
			t.Errorf("%s at %s: %+v", c.words, c.at.Format("15:04"), task)
		}
	}
}
