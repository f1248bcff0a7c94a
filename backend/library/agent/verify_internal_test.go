package agent

import (
	"slices"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
)

// Words in quotation marks have to stand in the passages cited for them, figures in any.
func TestUnverified(t *testing.T) {
	passages := []library.Item{
		{Title: "근로계약서", Article: "제5조(임금)", Quote: "월급은 3,000,000원으로 하고 매월 25일에 지급한다. 연장근로에는 30%를 더한다."},
		{Title: "표준근로계약서", Article: "제6조", Quote: "임금은 매월 1회 이상 지급한다."},
	}
	for _, c := range []struct {
		answer string
		want   []string
	}{
		{"월급은 3000000원이고 “매월 25일에 지급한다” [1].", nil},
		{"“매월 1회 이상 지급한다” [2]. 내 계약은 “매월 25일에 지급한다.” [1]", nil},
		{"“매월 1회 이상 지급한다” [1].", []string{"매월 1회 이상 지급한다"}},
		{"“매월 1회 이상 지급한다”라고 합니다. 내 문서는 25일이에요 [1].", nil}, // nothing is cited for it: any passage will do
		{"“매월 25일에 지급한다”, “매월 1회 이상 지급한다” [1][2]", nil},
		{"“매월 25일에 지급한다” [1, 2]", nil},
		{"“월급은 … 지급한다” [1]", nil},
		{"“지급한다 … 월급은” [1]", []string{"지급한다 … 월급은"}},
		{"30퍼센트를 더해요 [1].", nil},
		{"50퍼센트를 더해요 [3].", []string{"50퍼센트", "[3]"}},
		{"제9조는 문서에 없어요.", nil},
		{"제8조는 문서에 없어요 [0].", []string{"제8조", "[0]"}},
	} {
		if got := unverified("제9조 알려줘", c.answer, passages); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.answer, got, c.want)
		}
	}
}

// The trail says what is looked at in words, not in names of tools.
func TestUsesInWords(t *testing.T) {
	for want, u := range map[string]Use{
		"제5조 보기":               use(toolIndex, map[string]any{"number": "5"}),
		"제3조의2 보기":             use(toolIndex, map[string]any{"number": "3의2"}),
		"제9조 보기 (표준계약서까지)":     use(toolIndex, map[string]any{"number": "9", "scope": "all"}),
		"“임금” 조문 보기":           use(toolTitle, map[string]any{"title": "임금"}),
		"“제5조” 표준계약서와 비교하기":    use(toolCompare, map[string]any{"clause": "제5조"}),
		"“계약 기간” 찾기 (표준계약서에서)": use(toolSearch, map[string]any{"query": "계약 기간", "scope": "standard"}),
	} {
		q := &Inquiry{Lang: bilingual.KO}
		if got := q.said(u); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
