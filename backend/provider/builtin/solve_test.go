package builtin_test

import (
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// A request whose end works on what its beginning brings is one todo without a tool, and the loop finds its way through it.
func TestChains(t *testing.T) {
	p := builtin.New()
	for request, want := range map[string][]string{
		"서울 날씨 보고 기온을 화씨로 바꿔줘":                          {`weather {"place":"서울"}`, `calculator {"expression":"12*9/5+32"}`, "화씨로는 7°F예요."},
		"부산 날씨 확인해서 화씨로 알려줘":                            {`weather {"place":"부산"}`, `calculator {"expression":"12*9/5+32"}`, "화씨로는 7°F예요."},
		"12만 5천의 8%를 계산해서 3으로 나눠줘":                      {`calculator {"expression":"125000 * 8 / 100"}`, `calculator {"expression":"7/3"}`, "= 7"},
		"35000 나누기 7 계산한 다음 그걸 만으로 곱해줘":                 {`calculator {"expression":"35000 / 7"}`, `calculator {"expression":"7*10000"}`, "= 7"},
		"what is 12 plus 30, then divide it by 6":       {`calculator {"expression":"12 + 30"}`, `calculator {"expression":"7/6"}`, "= 7"},
		"weather in Busan and convert it to fahrenheit": {`weather {"place":"Busan"}`, `calculator {"expression":"12*9/5+32"}`, "That is 7°F."},
	} {
		lang := bilingual.EN
		if strings.Contains(request, "줘") {
			lang = bilingual.KO
		}
		plan, err := provider.Adapter{}.ParsePlan(say(t, p, provider.Request{Role: provider.RolePlanner, Lang: lang, Message: request}).Text, func(string) bool { return true })
		if err != nil || len(plan.Jobs) != 1 || len(plan.Jobs[0].Todos) != 1 || plan.Jobs[0].Todos[0].Tool != "" {
			t.Errorf("%s: planned %+v, %v", request, plan, err)
			continue
		}
		for _, native := range []bool{false, true} {
			l := provider.Request{Role: provider.RoleSolver, Lang: lang, Message: plan.Jobs[0].Todos[0].Request, Native: native}
			if !native {
				l.Schema = provider.SolveSchema
			}
			for i, expected := range want {
				s, err := provider.Adapter{}.ParseSolution(say(t, p, l))
				if err != nil {
					t.Fatalf("%s: %v", request, err)
				}
				got := s.Text
				if len(s.Calls) == 1 {
					got = s.Calls[0].Tool + " " + string(s.Calls[0].Args)
				}
				if i < 2 && got != expected || !strings.Contains(got, expected) {
					t.Errorf("%s, native %v, round %d: %q, want %q", request, native, i, got, expected)
					break
				}
				if len(s.Calls) == 0 {
					break
				}
				text := "1+2 = 7"
				if s.Calls[0].Tool == "weather" {
					text = "서울은 지금 12°C, 최고 15°C예요."
				}
				l.Rounds = append(l.Rounds, provider.Round{Calls: s.Calls, Results: []provider.CallResult{{Tool: s.Calls[0].Tool, Text: text, OK: true}}})
			}
		}
	}
}

// What is one formula or one wish stays what it was.
func TestWhatIsNoChain(t *testing.T) {
	p := builtin.New()
	for _, request := range []string{"100에서 37 빼줘", "3을 더해줘", "섭씨 20도는 화씨로 몇 도야?", "노래 틀고 3으로 나눠줘", "서울 날씨 알려줘", "빼줘", "add 3 and 4"} {
		plan, err := provider.Adapter{}.ParsePlan(say(t, p, provider.Request{Role: provider.RolePlanner, Lang: bilingual.KO, Message: request}).Text, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range plan.Jobs {
			for _, todo := range j.Todos {
				if todo.Tool == "" {
					t.Errorf("%s: planned %+v", request, todo)
				}
			}
		}
	}
}

func say(t *testing.T, p provider.Provider, l provider.Request) provider.Reply {
	t.Helper()
	l.Tools = cards(t)(l.Lang)
	reply, err := p.Chat(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}
