package standing

import (
	"testing"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// The clocks of Berlin go forward at two on 29 March 2026 and back at three on 25 October.
func TestMomentsAcrossSummerTime(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for name, c := range map[string]struct {
		rule        string
		start, from time.Time
		want        []string
	}{
		"eight stays eight": {
			"FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", time.Date(2026, 3, 27, 12, 0, 0, 0, berlin), time.Date(2026, 3, 27, 12, 0, 0, 0, berlin),
			[]string{"2026-03-28T08:00:00+01:00", "2026-03-29T08:00:00+02:00", "2026-03-30T08:00:00+02:00"},
		},
		"an hour that is left out": {
			"FREQ=DAILY;BYHOUR=2;BYMINUTE=30;BYSECOND=0", time.Date(2026, 3, 27, 12, 0, 0, 0, berlin), time.Date(2026, 3, 28, 1, 0, 0, 0, berlin),
			[]string{"2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"},
		},
		"an hour that comes twice": {
			"FREQ=DAILY;BYHOUR=2;BYMINUTE=30;BYSECOND=0", time.Date(2026, 10, 23, 12, 0, 0, 0, berlin), time.Date(2026, 10, 24, 1, 0, 0, 0, berlin),
			[]string{"2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"},
		},
		"hours pass as they do": {
			"FREQ=HOURLY;INTERVAL=2", time.Date(2026, 3, 29, 0, 0, 0, 0, berlin), time.Date(2026, 3, 29, 0, 0, 0, 0, berlin),
			[]string{"2026-03-29T03:00:00+02:00", "2026-03-29T05:00:00+02:00"},
		},
		"a day that months lack": {
			"FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", time.Date(2027, 12, 31, 12, 0, 0, 0, berlin), time.Date(2027, 12, 31, 12, 0, 0, 0, berlin),
			[]string{"2028-01-31T09:00:00+01:00", "2028-02-29T09:00:00+01:00", "2028-03-31T09:00:00+02:00", "2028-04-30T09:00:00+02:00"},
		},
		"two times of a day that months lack": {
			"FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-2,-1;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0", time.Date(2028, 2, 1, 12, 0, 0, 0, berlin), time.Date(2028, 2, 1, 12, 0, 0, 0, berlin),
			[]string{"2028-02-29T08:00:00+01:00", "2028-02-29T20:00:00+01:00", "2028-03-31T08:00:00+02:00", "2028-03-31T20:00:00+02:00"},
		},
		"a leap day": {
			"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0", time.Date(2026, 12, 31, 12, 0, 0, 0, berlin), time.Date(2026, 12, 31, 12, 0, 0, 0, berlin),
			[]string{"2027-02-28T09:00:00+01:00", "2028-02-29T09:00:00+01:00"},
		},
		"until the evening of a day": {
			"FREQ=HOURLY;INTERVAL=2;UNTIL=20260329T235959", time.Date(2026, 3, 29, 19, 0, 0, 0, berlin), time.Date(2026, 3, 29, 19, 0, 0, 0, berlin),
			[]string{"2026-03-29T21:00:00+02:00", "2026-03-29T23:00:00+02:00", ""},
		},
	} {
		r, err := parse(c.rule, c.start, berlin)
		if err != nil {
			t.Fatal(err)
		}
		at := c.from
		for i, want := range c.want {
			got := ""
			if at = r.After(at); !at.IsZero() {
				got = at.Format(time.RFC3339)
			}
			if got != want {
				t.Errorf("%s: moment %d is %s, want %s", name, i, got, want)
				break
			}
		}
	}
}

// A year asleep over an order of every minute is counted as far as it matters, and its last moment is found at once.
func TestTheLatestOfWhatPassed(t *testing.T) {
	seoul := zone(t, "Asia/Seoul")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, seoul)
	r, err := parse("FREQ=MINUTELY", start, seoul)
	if err != nil {
		t.Fatal(err)
	}
	now := start.AddDate(1, 0, 0).Add(30 * time.Second)
	if due, passed := r.latest(start.Add(time.Minute), now); !due.Equal(start.AddDate(1, 0, 0)) || passed != mostMissed {
		t.Errorf("%s after %d", due, passed)
	}
	r, err = parse("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", start, seoul)
	if err != nil {
		t.Fatal(err)
	}
	first := start.Add(8 * time.Hour)
	for days, want := range map[int]int{0: 0, 1: 1, 3: 3} {
		if due, passed := r.latest(first, first.AddDate(0, 0, days).Add(time.Hour)); !due.Equal(first.AddDate(0, 0, days)) || passed != want {
			t.Errorf("%d days asleep: %s after %d", days, due, passed)
		}
	}
}

// What is said anew changes that part of a rule and no other.
func TestAmendedRules(t *testing.T) {
	now := time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC)
	for said, want := range map[string]string{
		"매일 아침 8시|7시로":             "매일 오전 7시",
		"매일 아침 8시|평일만":             "평일마다 오전 8시",
		"매달 31일 9시|저녁 6시로":         "매달 31일(없는 달에는 말일) 오후 6시",
		"매년 2월 29일 9시|10시로":        "매년 2월 29일(없는 달에는 말일) 오전 10시",
		"격주 화요일 10시|세 번만":          "2주마다 화요일 오전 10시, 3번",
		"30분마다|9시에":                "매일 오전 9시",
		"매주 월, 수요일 저녁 7시|12월 3일까지": "매주 월요일·수요일 오후 7시, 12월 3일까지",
	} {
		for i := range said {
			if said[i] != '|' {
				continue
			}
			r, err := amended(slot.Recur(said[:i], now).Rule(now), slot.Recur(said[i+1:], now))
			if err != nil {
				t.Fatal(err)
			}
			if got := Say(r.Rule(now), bilingual.KO); got != want {
				t.Errorf("%s is %q, want %q", said, got, want)
			}
		}
	}
}
