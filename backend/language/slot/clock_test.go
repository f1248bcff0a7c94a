package slot

import (
	"fmt"
	"strings"
	"testing"
)

func TestClocks(t *testing.T) {
	for text, want := range map[string]string{
		"오후 3시 반에 만나":                           "15:30 sure",
		"세 시간 뒤":                                "",
		"다시 해줘":                                 "",
		"열두시 이십분":                               "12:20",
		"십오시":                                   "15:00 sure",
		"낮 열한 시":                                "11:00 sure",
		"밤 두 시":                                 "02:00 sure",
		"밤 12시":                                 "24:00 sure",
		"아침에 7시":                                "07:00 sure",
		"7:30 pm, or at 8 a.m.":                 "19:30 sure, 08:00 sure",
		"12:15":                                 "12:15",
		"7 o'clock pm":                          "19:00 sure",
		"자정까지, noon":                            "24:00 sure, 12:00 sure",
		"at seven thirty":                       "07:30",
		"at 5 dollars":                          "05:00",
		"wake me at half past six":              "06:30",
		"a quarter to 7 pm":                     "18:45 sure",
		"monday at 3 in the afternoon":          "15:00 sure",
		"at 11 at night":                        "23:00 sure",
		"half past 7 in the morning":            "07:30 sure",
		"quarter past twelve":                   "12:15",
		"at ten to one":                         "12:50",
		"twenty minutes past three p.m.":        "15:20 sure",
		"from five to ten of them":              "",
		"book the large room for 10 after 2 pm": "14:00 sure",
		"reserve room 3 after 5 pm":             "17:00 sure",
		"about 5 to 6 people":                   "",
		"at 2 to 4 pm":                          "02:00, 16:00 sure",
		"quarter to 12 pm":                      "11:45 sure",
		"quarter to 12 am":                      "23:45 sure",
		"20 minutes past 12 at night":           "24:20 sure",
		"at ten to five":                        "04:50",
		"at 5,000 won":                          "",
		"25시, 3:75":                             "",
	} {
		var got []string
		for _, c := range Clocks(text, true) {
			s := fmt.Sprintf("%02d:%02d", c.Hour, c.Minute)
			if c.Sure {
				s += " sure"
			}
			got = append(got, s)
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Clocks("at 5 dollars", false); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}
