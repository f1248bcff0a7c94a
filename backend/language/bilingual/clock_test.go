package bilingual

import (
	"testing"
	"time"
)

func TestTimesAreSaidOneWayInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, ko, en, koSeconds, enSeconds string }{
		{"00:05:09", "오전 12시 5분", "12:05 AM", "오전 12:05:09", "12:05:09 AM"},
		{"08:00:00", "오전 8시", "8:00 AM", "오전 8:00:00", "8:00:00 AM"},
		{"12:00:01", "오후 12시", "12:00 PM", "오후 12:00:01", "12:00:01 PM"},
		{"14:32:07", "오후 2시 32분", "2:32 PM", "오후 2:32:07", "2:32:07 PM"},
	} {
		at, err := time.Parse(time.TimeOnly, c.at)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range []struct{ got, want string }{
			{Clock(at, KO), c.ko}, {Clock(at, EN), c.en}, {ClockSeconds(at, KO), c.koSeconds}, {ClockSeconds(at, EN), c.enSeconds},
		} {
			if said.got != said.want {
				t.Errorf("%s: %q, want %q", c.at, said.got, said.want)
			}
		}
	}
}
