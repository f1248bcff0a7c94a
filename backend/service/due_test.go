package service

import (
	"encoding/json"
	"testing"
	"time"

	"agentchat/backend/language/bilingual"
)

func TestDueAt(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, seoul)
	for _, c := range []struct{ date, time, want string }{
		{"2026-03-05", "", "2026-03-05 09:00"},
		{"2026-03-04", "", "2026-03-04 18:00"}, // the morning is over
		{"2026-03-03", "", ""},
		{"2026-03-05", "15:30", "2026-03-05 15:30"},
		{"2026-03-04", "11:59", ""},
		{"", "13:00", "2026-03-04 13:00"},
		{"", "11:00", "2026-03-05 11:00"}, // the next such time
		{"", "12:00", "2026-03-05 12:00"},
		{"", "", ""},
		{"2026-13-40", "", ""},
		{"", "25:00", ""},
	} {
		values := map[string]json.RawMessage{}
		for name, v := range map[string]string{"date": c.date, "time": c.time} {
			if v != "" {
				values[name], _ = json.Marshal(v)
			}
		}
		at, ok := dueAt(values, []string{"date", "time"}, now)
		got := ""
		if ok {
			got = at.Format("2006-01-02 15:04")
		}
		if got != c.want {
			t.Errorf("%q %q: %q, want %q", c.date, c.time, got, c.want)
		}
	}
	for ahead, want := range map[string]string{"30": "15:00", "210": "15:30", "0": "15:30", `"x"`: "15:30"} { // 210 minutes before is over
		values := map[string]json.RawMessage{"date": json.RawMessage(`"2026-03-04"`), "time": json.RawMessage(`"15:30"`), "ahead": json.RawMessage(ahead)}
		if at, ok := dueAt(values, []string{"date", "time", "ahead"}, now); !ok || at.Format("15:04") != want {
			t.Errorf("%s minutes before: %v %v, want %s", ahead, at, ok, want)
		}
	}
	if _, ok := dueAt(map[string]json.RawMessage{"date": json.RawMessage(`"2026-03-05"`)}, nil, now); ok {
		t.Error("a record without due has none")
	}
}

func TestWhatIsToldWhenItIsDue(t *testing.T) {
	b, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	values := json.RawMessage(`{"what":"우유 사기","date":"2026-03-05"}`)
	for service, want := range map[string]string{"reminder": "할 일 시간이에요: 우유 사기", "room": "회의실 예약 알림이에요.", "gone": string(values)} {
		if got := b.Due(service, values, bilingual.KO); got != want {
			t.Errorf("%s: %q", service, got)
		}
	}
}
