package builtin

import (
	"slices"
	"testing"
)

func TestQuestions(t *testing.T) {
	for text, want := range map[string][]string{
		"월급이 얼마야? 그리고 해고는 며칠 전에?":                                  {"월급이 얼마야?", "그리고 해고는 며칠 전에?"},
		"월급이 얼마야？ 휴가는？":                                            {"월급이 얼마야?", "휴가는?"},
		"제5조 보여줘. 그리고 제2조도 알려줘.":                                   {"제5조 보여줘.", "그리고 제2조도 알려줘."},
		"나는 3년 일했어. 퇴직금은 얼마야? 휴가는 며칠이야?":                           {"나는 3년 일했어. 퇴직금은 얼마야?", "휴가는 며칠이야?"},
		"퇴직금은 얼마야? 나는 3년 일했어.":                                     {"퇴직금은 얼마야? 나는 3년 일했어."},
		"월급은 얼마야? 계약서를 보면, 휴가는 며칠이야?":                              {"월급은 얼마야?", "계약서를 보면, 휴가는 며칠이야?"},
		"월급은 얼마야 그리고 휴가는 며칠이야":                                     {"월급은 얼마야", "그리고 휴가는 며칠이야"},
		"제5조와 제2조는 뭐가 달라?":                                         {"제5조와 제2조는 뭐가 달라?"},
		"언제, 어디서 일해?":                                              {"언제, 어디서 일해?"},
		"월급이 얼마야?\n해고는 며칠 전이야?":                                    {"월급이 얼마야?", "해고는 며칠 전이야?"},
		"What does article 5 say? And what does article 2 say?":    {"What does article 5 say?", "And what does article 2 say?"},
		"How long is the notice and how much is the pay?":          {"How long is the notice", "and how much is the pay?"},
		"Which clauses are about pay and holidays?":                {"Which clauses are about pay and holidays?"},
		"I have worked here for 3.5 years. What is the severance?": {"I have worked here for 3.5 years. What is the severance?"},
		"":        {""},
		"안녕":      {"안녕"},
		"?? ?":    {"? ?"},
		"뭐? 뭐라고?": {"뭐?", "뭐라고?"},
	} {
		if got := Questions(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
