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
		"매일 아침 8시부터 두 시간마다 메모 읽어줘":                                  "두 시간마다",
		"9시부터 18시까지 한 시간마다 메모 읽어줘":                                  "18시까지",
		"매달 15일과 말일에 잔액 알려줘":                                        "15일과",
		"매월 1일, 15일에 잔액 알려줘":                                        "15일에",
		"매시 30분마다 메모 읽어줘":                                           "매시",
		"매시 30분에 메모 읽어줘":                                            "매시 30분에",
		"매일 두 번 메모 읽어줘":                                             "두 번",
		"하루에 두 번 메모 읽어줘":                                            "하루에 두 번",
		"read my notes twice a day":                                 "twice a day",
		"every hour from 9 to 5 read my notes":                      "from 9 to 5",
		"every day at 9 read my notes until we are there":           "until we are",
		"매일 8시에 서울역까지 길 안내해줘":                                       "",
		"매일 8시에 노래 두 번 틀어줘":                                         "",
		"every day at 9 read my notes twice":                        "",
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
