package builtin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/names"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// kept is a room that keeps these and nothing else.
type kept []string

func (k kept) Knows(name string) bool { return slices.Contains(k, name) }

func (k kept) Near(string, bilingual.Lang) []string { return k[:1] }

var there = names.Rooms{
	names.Place: kept{"부산", "서울", "Busan", "London"},
	names.Song:  kept{"아리랑", "뽀로로", "Arirang"},
	names.Movie: kept{"기차 여행", "Night Train"},
}

// What is started has no name that nobody knows: it does without it and says so, asks, or starts nothing.
func TestNoPlanInventsAName(t *testing.T) {
	interpreter := builtin.New()
	interpreter.Names = there
	for text, want := range map[string]string{
		"부산 날씨 어때?":                `weather {"place":"부산"}`,
		"강수량 날씨 알려줘":               `weather {} 강수량`,
		"허리 날씨 어때?":                `weather {} 허리`,
		"서울 강수량 알려줘":               `weather {"place":"서울"}`,
		"what time is it in boots": `clock {} boots`,
		"아리랑 틀어줘":                  `song {"title":"아리랑"}`,
		"뽀로로 틀어줘":                  `song {"title":"뽀로로"}`,
		"쩜쩜 노래 틀어줘":                `song {} 쩜쩜`,
		"play Arirang":             `song {"title":"Arirang"}`,
		"아기상어 불러줘":                 `아기상어 아리랑`,
		"세탁기 돌려줘":                  ``,
		"드라이기 돌려줘":                 ``,
		"엄마 불러줘":                   ``,
		"굴려줘":                      ``,
		"올려줘":                      ``,
		"주사위 굴려줘":                  ``,
		"볼륨 올려줘":                   `player_control {"action":"louder"}`,
		"노레 틀어줘":                   `song {}`,
		"부산 날시 알려줘":                `weather {"place":"부산"}`,
	} {
		lang := bilingual.KO
		if text[0] < 0x80 {
			lang = bilingual.EN
		}
		reply, err := interpreter.Chat(t.Context(), provider.Request{Role: provider.RolePlanner, Lang: lang, Tools: cards(t)(lang), Now: now, Message: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var plan provider.Plan
		if err := json.Unmarshal([]byte(reply.Text), &plan); err != nil {
			t.Fatal(err)
		}
		call, said := "", want
		if tool, rest, ok := strings.Cut(want, " {"); ok {
			args, name, _ := strings.Cut(rest, "}")
			call, said = tool+" {"+args+"}", name
		}
		have := ""
		for _, j := range plan.Jobs {
			have += j.Todos[0].Tool + " " + string(j.Todos[0].Args)
		}
		if have != call {
			t.Errorf("%q: started %q, want %q", text, have, call)
		}
		for word := range strings.FieldsSeq(said) {
			if !strings.Contains(plan.Reply, word) {
				t.Errorf("%q: %q does not name %q", text, plan.Reply, word)
			}
		}
	}
}

// A place that a step cannot do without stays in it, to be asked about; the answer takes its place.
func TestAnAnswerTakesThePlaceOfAnUnknownName(t *testing.T) {
	interpreter := builtin.New()
	interpreter.Names = there
	for answer, want := range map[string]string{"아리랑": `{"title":"아리랑"}`, "아무거나": `{}`} {
		reply, err := interpreter.Chat(t.Context(), provider.Request{
			Role: provider.RoleToolChooser, Lang: bilingual.KO, Tools: cards(t)(bilingual.KO), Now: now, Message: "아기상어 틀어줘",
			State: provider.State{Todo: &provider.TodoCard{Tool: "song", Request: "아기상어 틀어줘"}, Previous: json.RawMessage(`{"title":"아기상어"}`), Correction: answer},
		}, nil)
		var call provider.ToolCall
		if err != nil || json.Unmarshal([]byte(reply.Text), &call) != nil || string(call.Args) != want {
			t.Errorf("%q: %s, %v, want %s", answer, reply.Text, err, want)
		}
	}
}
