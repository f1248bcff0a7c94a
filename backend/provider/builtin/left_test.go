package builtin_test

import (
	"encoding/json"
	"slices"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// Beside the work a message asks for, the plan names the questions that none of it answers, and no others.
func TestAPlanNamesTheQuestionsItLeaves(t *testing.T) {
	for text, want := range map[string][]string{
		"월급이 얼마야? 그리고 노래 틀어줘":                              {"월급이 얼마야?"},
		"노래 틀어줘. 그리고 월급이 얼마야?":                             {"그리고 월급이 얼마야?"},
		"노래 틀어줘 그리고 월급이 얼마야":                               {"월급이 얼마야"},
		"계약은 언제까지야? 12 곱하기 12 계산해줘":                        {"계약은 언제까지야?"},
		"월급이 얼마야? 퇴직금은 얼마야? 노래 틀어줘":                        {"월급이 얼마야?", "퇴직금은 얼마야?"},
		"What is the notice period? And play a song":       {"What is the notice period?"},
		"오늘 부산 날씨 어때? 그리고 노래 틀어줘":                          nil,
		"3 더하기 4는 얼마야? 노래 틀어줘":                             nil,
		"노래 틀어줄래?":                                         nil,
		"부산 가는데 날씨 어때?":                                    nil,
		"노래 틀어줘":                                           nil,
		"what's the weather in Busan? and play a song too": nil,
	} {
		reply, err := builtin.New().Chat(t.Context(), provider.Request{Role: provider.RolePlanner, Lang: bilingual.KO, Tools: cards(t)(bilingual.KO), Now: now, Message: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var plan provider.Plan
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			t.Fatal(err)
		}
		if plan.Route != provider.RouteJobs || !slices.Equal(plan.Left, want) {
			t.Errorf("%q: %s, left %q, want %q", text, plan.Route, plan.Left, want)
		}
	}
}
