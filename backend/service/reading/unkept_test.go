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
		"엄마한테 만원 보내줘":                        nil,
		"12시에 엄마한테 만원 보내줘":                   {"12시"},
		"내일 오후 3시에 엄마한테 만원 보내줘":              {"오후 3시"},
		"3월에 엄마한테 만원 보내줘":                    {"3월"},
		"3월 5일에 엄마한테 만원 보내줘":                 nil,
		"매달 1일에 엄마한테 만원 보내줘":                 {"매달"},
		"매일유업에 만원 보내줘":                       nil,
		"엄마한테 만원 보내줘 메모는 매달 보내는 돈":           nil,
		"send 10,000 won to mom every month": {"every month"},
		"send 10,000 won to mom at 3pm":      {"3pm"},
	} {
		got := reading.Of(card, "", words, time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)).Unkept()
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
