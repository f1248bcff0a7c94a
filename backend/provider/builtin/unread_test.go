package builtin_test

import (
	"slices"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider/builtin"
)

// What a plan rests on nothing of is named, and what points at something said before.
func TestUnread(t *testing.T) {
	tools := cards(t)(bilingual.KO)
	for text, want := range map[string][]string{
		"노래 틀어줘":                     nil,
		"부산 날씨 어때?":                  nil,
		"3분 타이머 맞춰줄래?":               nil,
		"달걀 사기라고 메모해줘":               nil,
		"서울역까지 길 안내 부탁드려요":           nil,
		"what time is it in London?": nil,
		"could you play some music":  nil,
		"오늘 좀 슬픈데 노래 하나 추천해서 틀어줘":    {"슬픈데"},
		"거기 날씨 어때?":                  {"거기"},
		"play that song again":       {"that", "again"},
	} {
		if got := builtin.New().Unread(tools, text, now); !slices.Equal(got, want) {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
}
