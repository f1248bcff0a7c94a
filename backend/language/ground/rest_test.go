package ground_test

import (
	"testing"
	"time"

	"agentchat/backend/language/ground"
)

// What nothing announces is what is left of the message, and what it is put into is the list's name.
func TestWhatIsLeftIsTheText(t *testing.T) {
	slots := ground.Slots{
		{Name: "what", Kind: ground.Text, Cues: []string{"할 일에"}, Frame: []string{"일정", "목록", "리스트", "캘린더", "list", "calendar", "schedule", "remind me to", "add", "put", "remove"}},
		{Name: "list", Kind: ground.Text, Holds: "what"},
		{Name: "date", Kind: ground.Date},
		{Name: "time", Kind: ground.Time},
	}
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) // a Monday
	for words, want := range map[string][4]string{
		"장보기에 우유 추가":                                    {"우유", "장보기"},
		"장보기 목록에 우유도 추가해줘":                              {"우유", "장보기"},
		"목록에 빵 넣어줘":                                     {"빵"},
		"병원에 가기 추가해줘":                                   {"병원에 가기"},
		"내일 3시 치과":                                      {"치과", "", "2026-03-03", "15:00"},
		"내일 두 시부터 네 시까지 워크숍 등록해줘":                       {"네 시까지 워크숍", "", "2026-03-03", "14:00"},
		"내일 3시에 치과 예약 등록해줘":                             {"치과 예약", "", "2026-03-03", "15:00"},
		"내일 오후 3시 회의 일정 추가해줘":                           {"회의", "", "2026-03-03", "15:00"},
		"일정에 다음주 월요일 10시 팀 회의 넣어줘":                      {"팀 회의", "", "2026-03-09", "10:00"},
		"내일 엄마한테 전화하라고 상기시켜줘":                           {"엄마한테 전화", "", "2026-03-03"},
		"내일 5시에 약 먹으라고 알려줘":                             {"약 먹기", "", "2026-03-03", "17:00"},
		"내일 빨래 돌리라고 알려줘":                                {"빨래 돌리기", "", "2026-03-03"},
		"내일 3시에 회의라고 알려줘":                               {"회의", "", "2026-03-03", "15:00"},
		"우유는 목록에서 빼줘":                                   {"우유"},
		"할 일에 빨래 추가":                                    {"빨래"},
		"add milk to my shopping list":                  {"milk", "shopping"},
		"add eggs and milk to the list":                 {"eggs and milk"},
		"remind me to call mom tomorrow at 5pm":         {"call mom", "", "2026-03-03", "17:00"},
		"schedule a meeting with John tomorrow at 10am": {"meeting with John", "", "2026-03-03", "10:00"},
		"put dentist on friday at 3pm on my calendar":   {"dentist", "", "2026-03-06", "15:00"},
		"remove milk from my shopping list":             {"milk", "shopping"},
		"일정 뭐 있어?":                                      {},
	} {
		for i, name := range []string{"what", "list", "date", "time"} {
			got := ""
			if found := slots.Find(name, ground.Request{Words: words, Now: now}); len(found) == 1 {
				got, _ = found[0].Value.(string)
			}
			if got != want[i] {
				t.Errorf("%q: %s is %q, want %q", words, name, got, want[i])
			}
		}
	}
}
