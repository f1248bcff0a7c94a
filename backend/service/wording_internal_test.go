package service

import (
	"testing"

	"agentchat/backend/language/bilingual"
)

// A model's question is made of the session's values, the house's own words and words of asking. Nothing can be claimed with
// them, in whatever wording, and nobody and nothing else named.
func TestAWordingHasNothingButWordsOfAsking(t *testing.T) {
	b, err := NewBook("", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := b.Get("transfer")
	s := Session{Lang: bilingual.KO, Asked: "amount", Slots: Values{"target": "엄마"}}
	for text, want := range map[string]bool{
		"엄마에게 얼마를 보내드릴까요?":       true,
		"엄마에게 얼마나 보내 드리면 될까요?":   true,
		"엄마께 얼마 보낼까요?":           true,
		"엄마에게 보냈어요?":             false,
		"엄마 통장에 꽂았는데 얼마를 보낼까요?":  false,
		"엄마에게 얼마빠져나갔어요?":         false,
		"엄마에게 얼마를 보내드릴까요 완료?":    false,
		"엄마에게 결제 완료, 얼마를 보낼까요?":  false,
		"엄마에게 도둑 얼마를 보내드릴까요?":    false,
		"엄마에게 ５만원을 보낼까요?":        false,
		"엄마에게 오만원을 보낼까요?":        false,
		"엄마에게 얼마를 보낼까요. 이미 보냈죠?": false,
		"얼마를 보낼까요?":              false,
	} {
		w := &Wording{Slot: "amount", Text: text}
		if got := w.keeps(m, s); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
