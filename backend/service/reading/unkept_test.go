package reading_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/backend/provider"
	"agentchat/backend/service/reading"
)

func TestUnkept(t *testing.T) {
	card := provider.ServiceCard{Slots: []provider.SlotCard{
		{Name: "target", Type: "name", Required: true},
		{Name: "amount", Type: "money", Required: true},
		{Name: "memo", Type: "text", Cues: []string{"메모", "memo"}},
		{Name: "date", Type: "date"},
	}}
	for words, want := range map[string][]string{
		"엄마한테 만원 보내줘":                                  nil,
		"12시에 엄마한테 만원 보내줘":                             {"12시"},
		"내일 오후 3시에 엄마한테 만원 보내줘":                        {"오후 3시"},
		"3월에 엄마한테 만원 보내줘":                              {"3월"},
		"3월 5일에 엄마한테 만원 보내줘":                           nil,
		"매달 1일에 엄마한테 만원 보내줘":                           {"매달"},
		"매일유업에 만원 보내줘":                                 nil,
		"엄마한테 만원 보내줘 메모는 매달 보내는 돈":                     nil,
		"send 10,000 won to mom every month":           {"every month"},
		"내일 오후 2시 반부터 4시까지 엄마한테 만원 보내줘":                {"오후 2시 반", "4시까지"},
		"send 10,000 won to mom at 3pm":                {"3pm"},
		"월급 들어오면 엄마한테 10만원 보내줘":                        {"월급 들어오면"},
		"엄마한테 돈이 남으면 만원 보내줘":                           {"돈이 남으면"},
		"비 오면 엄마한테 만원 보내줘":                             {"비 오면"},
		"괜찮으면 엄마한테 만원 보내줘":                             nil,
		"시간 되면 엄마한테 만원 보내줘":                            nil,
		"엄마한테 만원 보내주면 좋겠어":                             nil,
		"엄마한테 만원 보내면 돼":                                nil,
		"if it rains send 10,000 won to mom":           {"if it rains"},
		"send mom 10,000 won if I have enough":         {"if I have enough"},
		"when I get paid, send 100,000 won to mom":     {"when I get paid"},
		"if possible send mom 10,000 won":              nil,
		"if you don't mind, send mom 10,000 won":       nil,
		"send mom 10,000 won if that's okay":           nil,
		"send mom 10,000 won with a memo lunch if any": nil,
	} {
		got := reading.Of(card, "", words, time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)).Unkept()
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
