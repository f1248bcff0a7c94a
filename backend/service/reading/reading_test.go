package reading_test

import (
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/service/reading"
)

func TestTells(t *testing.T) {
	for text, want := range map[string]bool{
		"만원 보내줘서 고마워":                       true,
		"만원 보내주셔서 정말 감사합니다":                 true,
		"엄마한테 만원 보내지 마":                     true,
		"엄마한테 만원 보내지 말아줘":                   true,
		"친구가 만원 보내달라고 했어":                   true,
		"엄마가 만원 보내래":                        true,
		"엄마가 만원 보냈대":                        true,
		"don't send 10,000 won":             true,
		"thanks for sending 10,000 won":     true,
		"mom asked me to send 10,000 won":   true,
		"메모해줘: 엄마한테 만원 보내기":                 true,
		"내일 만원 보내기 메모해줘":                    true,
		"take a note: send mom 10,000 won":  true,
		"클립보드에 복사해줘: 만원 보내줘":                true,
		"엄마한테 만원 보내줘 메모는 용돈":                false,
		"엄마한테 만원 보내줘, 메모: 용돈":               false,
		"엄마한테 만원 보내줘":                       false,
		"엄마한테 만원 보내줘. 고마워":                  false,
		"엄마 말고 아빠한테 만원 보내줘":                 false,
		"잊지 말고 엄마한테 만원 보내줘":                 false,
		"엄마한테 보내지 말고 아빠한테 보내줘":              false,
		"마지막으로 엄마한테 만원 보내줘":                 false,
		"엄마가 보내달라고 했으니까 만원 보내줘":             false,
		"send 10,000 won to mom, thank you": false,
	} {
		if got := reading.Tells(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestClears(t *testing.T) {
	memo := provider.SlotCard{Name: "memo", Type: "text", Cues: []string{"메모", "memo"}}
	date := provider.SlotCard{Name: "date", Type: "date", Cues: []string{"날짜"}, Without: []string{"지금", "now"}}
	for _, c := range []struct {
		slot provider.SlotCard
		text string
		want bool
	}{
		{memo, "메모 빼줘", true},
		{memo, "메모는 필요없어", true},
		{memo, "without a memo", true},
		{memo, "메모는 생일축하", false},
		{date, "날짜는 빼줘", true},
		{date, "그냥 지금 보내줘", true},
		{date, "send it now", true},
		{date, "지금까지 얼마야", false},
		{date, "I know", false},
	} {
		if got := reading.Clears(c.slot, c.text); got != c.want {
			t.Errorf("%s: %q: %v", c.slot.Name, c.text, got)
		}
	}
}
