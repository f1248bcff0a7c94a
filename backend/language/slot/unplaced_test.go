package slot_test

import (
	"testing"
	"time"

	"agentchat/backend/language/slot"
)

func TestUnplaced(t *testing.T) {
	now := time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"매일 25시에 서울 날씨 알려줘":                                         "25시에",
		"매일 8시 30분과 9시 15분에 서울 날씨 알려줘":                              "과 9시 15분에",
		"매달 마지막 금요일 오후 5시에 서울 날씨 알려줘":                               "마지막 금요일",
		"매달 첫째 월요일 9시에 서울 날씨 알려줘":                                   "첫째 월요일",
		"토요일 빼고 매일 8시에 서울 날씨 알려줘":                                   "토요일 빼고",
		"매일 8시에 서울 날씨 알려줘, 어제까지":                                    "어제까지",
		"매일 8시에 서울 날씨 알려줘, 0번만":                                     "0번만",
		"0분마다 서울 날씨 알려줘":                                            "0분마다",
		"매초마다 서울 날씨 알려줘":                                            "매초마다",
		"매년 2월 30일에 서울 날씨 알려줘":                                      "매년 2월 30일에",
		"every 0 hours tell me the weather in Seoul":                "every 0 hours",
		"every day at 25:00 tell me the weather in Seoul":           "at 25:00",
		"every day except sunday at 8 tell me the weather in Seoul": "except sunday",
		"every last friday of the month at 5pm tell me the weather": "every last friday of the month",
		"매일 8시에 토요일 날씨 알려줘":                                         "",
		"매일 8시에 '9시에 회의' 메모해줘":                                      "",
		"매달 31일 8시에 서울 날씨 알려줘":                                      "",
		"every second friday at 5pm tell me the weather in Seoul":   "",
		"every Monday at 10 tell me the weather in Seoul":           "",
		"서울 날씨 알려줘":                                                 "",
		"매일 아침 8시와 저녁 6시에 서울 날씨 알려줘":                                "",
		"두 시간마다 서울 날씨 알려줘, 오늘만":                                     "",
	} {
		if got, _ := slot.Unplaced(text, slot.Recur(text, now)); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
