package slot_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
)

func TestAheads(t *testing.T) {
	for text, want := range map[string]string{
		"치과 30분 전에 알려줘":                        "30",
		"치과 한 시간 전에 알려줘":                       "60",
		"회의 1시간 30분 전":                         "90",
		"회의 한 시간 반 전에":                         "90",
		"반 시간 전에 알려줘":                          "30",
		"회의 십분 전에":                             "10",
		"하루 전에 알려줘":                            "1440",
		"약속 이틀 전에":                             "2880",
		"일주일 전부터":                              "10080",
		"30분 미리 알려줘":                           "30",
		"remind me 30 minutes before the call": "30",
		"an hour before":                       "60",
		"half an hour ahead of the meeting":    "30",
		"tell me the day before":               "1440",
		"fifteen minutes in advance":           "15",
		"3시 30분 전에 끝나":                         "",
		"오전 회의":                                "",
		"30분 뒤에 알려줘":                           "",
		"in 30 minutes":                        "",
		"999주 전에":                              "",
	} {
		var got []string
		for _, a := range slot.Aheads(text) {
			got = append(got, fmt.Sprint(a.Minutes))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
	for minutes, want := range map[int64]bilingual.Text{
		30: bilingual.Of("30분 전", "30 minutes before"), 60: bilingual.Of("1시간 전", "1 hour before"), 1530: bilingual.Of("1일 1시간 30분 전", "1 day 1 hour 30 minutes before"),
	} {
		if got := bilingual.Of(slot.SayAhead(minutes, bilingual.KO), slot.SayAhead(minutes, bilingual.EN)); got != want {
			t.Errorf("%d: %q", minutes, got)
		}
	}
}

func TestRepetitions(t *testing.T) {
	for text, want := range map[string]string{
		"매일 아침 7시에 깨워줘":             "매일",
		"매주 월요일 9시 회의":              "매주 월요일",
		"월요일마다 회의":                  "월요일마다",
		"평일마다 6시":                   "평일마다",
		"30분마다 알려줘":                 "30분마다",
		"두 시간마다 알려줘":                "두 시간마다",
		"격주로 회의":                    "격주로",
		"매일유업에 만원":                  "",
		"a call every Monday at 9":  "every Monday",
		"every other week":          "every other week",
		"every two hours":           "every two hours",
		"every morning":             "every morning",
		"stand-up on weekdays at 9": "on weekdays",
		"swimming on Tuesdays":      "on Tuesdays",
		"a daily walk":              "daily",
		"call everybody on Monday":  "",
		"마다가스카르 영화":                 "",
	} {
		if got, _ := slot.Repetition(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
