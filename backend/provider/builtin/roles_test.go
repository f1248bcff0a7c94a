package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

func ask(t *testing.T, l provider.Request) string {
	t.Helper()
	if l.Lang == "" {
		l.Lang = bilingual.KO
	}
	l.Tools, l.Now = cards(t)(l.Lang), now
	reply, err := builtin.New().Chat(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

func plan(t *testing.T, l provider.Request) provider.Plan {
	t.Helper()
	l.Role = provider.RolePlanner
	var p provider.Plan
	if err := json.Unmarshal([]byte(ask(t, l)), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestChooser(t *testing.T) {
	for _, c := range []struct {
		name, tool, request, previous, correction, want, missing string
	}{
		{"reads the request", "nav", "서울역까지 길 안내해줘", "", "", `{"destination":"서울역"}`, ""},
		{"asks for what is missing", "nav", "네비 켜줘", "", "", `{}`, "destination"},
		{"a correction changes one value", "nav", "서울역에서 대전까지 안내해줘", `{"from":"서울역","destination":"대전"}`, "부산으로", `{"destination":"부산","from":"서울역"}`, ""},
		{"a correction with no", "calculator", "5 더하기 3", `{"expression":"5 + 3"}`, "아니 5 더하기 4로", `{"expression":"5 + 4"}`, ""},
		{"a correction of time", "timer", "5분 뒤에 라면 확인하라고 알려줘", `{"seconds":300,"message":"라면 확인"}`, "10분으로", `{"message":"라면 확인","seconds":600}`, ""},
		{"instead of", "weather", "서울 날씨", `{"place":"서울"}`, "서울 말고 부산", `{"place":"부산"}`, ""},
		{"an answer to the question", "nav", "네비 켜줘", `{}`, "서울역이요", `{"destination":"서울역"}`, ""},
		{"in English", "timer", "set a timer", "", "make it 10 minutes", `{"seconds":600}`, ""},
		{"finds the tool itself", "", "play the song Imagine", "", "", `{"title":"Imagine"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := provider.Request{Role: provider.RoleToolChooser, Message: c.request}
			l.State = provider.State{Todo: &provider.TodoCard{Tool: c.tool, Request: c.request}, Correction: c.correction}
			if c.previous != "" {
				l.State.Previous = json.RawMessage(c.previous)
			}
			var call provider.ToolCall
			if err := json.Unmarshal([]byte(ask(t, l)), &call); err != nil {
				t.Fatal(err)
			}
			if string(call.Args) != c.want || strings.Join(call.Missing, ",") != c.missing || c.tool != "" && call.Tool != c.tool {
				t.Errorf("got %s %s missing %v", call.Tool, call.Args, call.Missing)
			}
			if (call.Question != "") != (c.missing != "") {
				t.Errorf("question %q", call.Question)
			}
		})
	}
}

func TestEllipsisLeansOnWhatWasSaid(t *testing.T) {
	song := provider.State{Running: []provider.RunningJob{{ID: "j1", Title: "노래", Tool: "song", State: "running"}}}
	if p := plan(t, provider.Request{Message: "하나 더!", State: song}); len(p.Jobs) != 1 || p.Jobs[0].Todos[0].Tool != "song" {
		t.Errorf("하나 더: %+v", p)
	}
	if p := plan(t, provider.Request{Message: "하나 더!"}); p.Route != provider.RouteAnswer {
		t.Errorf("하나 더 out of the blue: %+v", p)
	}
	before := []provider.Turn{{Speaker: "customer", Text: "내일 서울 날씨 알려줘"}, {Speaker: "shop", Text: "맑아요."}}
	p := plan(t, provider.Request{Message: "부산은?", Transcript: before})
	if len(p.Jobs) != 1 || string(p.Jobs[0].Todos[0].Args) != `{"day":"2026-11-22","place":"부산"}` {
		t.Errorf("부산은?: %+v", p)
	}
	asked := []provider.Turn{{Speaker: "customer", Text: "weather in Busan"}, {Speaker: "shop", Text: "Sunny."}}
	p = plan(t, provider.Request{Lang: bilingual.EN, Message: "what about tomorrow?", Transcript: asked})
	if len(p.Jobs) != 1 || string(p.Jobs[0].Todos[0].Args) != `{"day":"2026-11-22","place":"Busan"}` {
		t.Errorf("what about tomorrow: %+v", p)
	}
}

func TestStopAndStartInOneMessage(t *testing.T) {
	p := plan(t, provider.Request{Message: "노래 끄고 영화 틀어줘"})
	if p.Route != provider.RouteJobs || len(p.Jobs) != 1 || p.Jobs[0].Todos[0].Tool != "movie" || p.Stop == nil || p.Stop.Tool != "song" {
		t.Errorf("%+v", p)
	}
	running := provider.State{Running: []provider.RunningJob{{ID: "j1", Tool: "nav"}, {ID: "j2", Tool: "song"}}}
	for request, want := range map[string]provider.StopPlan{
		"그만해": {Tool: "song", Newest: true}, "stop": {Tool: "song", Newest: true}, "네비 꺼줘": {Tool: "nav"}, "그만! 네비 꺼줘": {Tool: "nav"},
	} {
		if p := plan(t, provider.Request{Message: request, State: running}); p.Stop == nil || *p.Stop != want {
			t.Errorf("%s: %+v, want %+v", request, p.Stop, want)
		}
	}
}

func TestAnswersAreHonest(t *testing.T) {
	for request, word := range map[string]string{"안녕": "안녕", "고마워": "천만에요", "뭐 할 수 있어?": "내장 통역가", "오늘 우울해": "내장 통역가", "노래 틀지 마": "시작하지 않을게요"} {
		if p := plan(t, provider.Request{Message: request}); p.Route != provider.RouteAnswer || !strings.Contains(p.Reply, word) {
			t.Errorf("%q: %s %q", request, p.Route, p.Reply)
		}
	}
	for _, idle := range []struct {
		said  string
		lang  bilingual.Lang
		word  string
		other bool // nothing comes near
	}{
		{"고마워 덕분에 살았다", bilingual.KO, "필요한 일은", true},
		{"thanks, you saved me", bilingual.EN, "tell me", true},
		{"어제 본 영화 진짜 재미없더라", bilingual.KO, "부탁은 아닌 것 같아서", false},
		{"the movie last night was awful", bilingual.EN, "not sound like a request", false},
		{"광합성이 뭐야?", bilingual.KO, "모델 페이지", false},
		{"write me a poem about autumn", bilingual.EN, "models page", true},
	} {
		if p := plan(t, provider.Request{Lang: idle.lang, Message: idle.said}); p.Route != provider.RouteAnswer || !p.Lost || p.Other != idle.other || !strings.Contains(p.Reply, idle.word) {
			t.Errorf("%q: %+v", idle.said, p)
		}
	}
	for said, lang := range map[string]bilingual.Lang{"불 꺼줘": bilingual.KO, "switch off the lights": bilingual.EN} { // no work to stop, but a device
		if p := plan(t, provider.Request{Lang: lang, Message: said}); p.Lost || !strings.Contains(p.Reply, map[bilingual.Lang]string{bilingual.KO: "집 안의 기기", bilingual.EN: "devices and settings"}[lang]) {
			t.Errorf("%q: %+v", said, p)
		}
	}
	if p := plan(t, provider.Request{Lang: bilingual.EN, Message: "tell me a joke"}); !strings.Contains(p.Reply, "built-in") || !p.Lost {
		t.Errorf("no honest answer: %q", p.Reply)
	}
}

func TestAnAddressIsKeptForTheToolThatIsMeant(t *testing.T) {
	p := plan(t, provider.Request{Lang: bilingual.EN, Message: "bring up wikipedia.org", State: provider.State{Meant: "open_link"}})
	if len(p.Jobs) != 1 || string(p.Jobs[0].Todos[0].Args) != `{"address":"wikipedia.org"}` {
		t.Errorf("%+v", p)
	}
}

func TestADayThatNobodyKnowsIsNotToday(t *testing.T) {
	for request, want := range map[string]string{
		"시험까지 며칠 남았어?": "‘시험’은 언제인지 몰라요", "월급날까지 며칠 남았지": "‘월급날’은 언제", "how many days until my birthday": "I do not know when “birthday” is", "크리스마스까지 며칠 남았어": "", "how many days until christmas": "",
	} {
		lang := bilingual.EN
		if phrase.Korean(request) {
			lang = bilingual.KO
		}
		if p := plan(t, provider.Request{Lang: lang, Message: request}); want == "" && p.Route != provider.RouteJobs || !strings.Contains(p.Reply, want) {
			t.Errorf("%q: %+v", request, p)
		}
	}
}

func TestTitlesAndAcknowledgement(t *testing.T) {
	p := plan(t, provider.Request{Message: "서울역까지 안내해주고 노래도 틀어줘"})
	if len(p.Jobs) != 2 || p.Jobs[0].Title != "서울역 내비게이션" || !strings.Contains(p.Reply, "서울역 내비게이션") {
		t.Errorf("%+v", p)
	}
	p = plan(t, provider.Request{Lang: bilingual.EN, Message: "weather in Busan"})
	if len(p.Jobs) != 1 || p.Jobs[0].Title != "Weather in Busan" {
		t.Errorf("%+v", p)
	}
	for request, title := range map[string]string{
		"5마일은 몇 킬로야": "5마일 → 킬로미터 단위 변환", "convert 5 miles to km": "Unit converter: 5 mi → km", "set a timer for an hour and a half": "Timer: 1 h 30 min",
		"내일 아침 7시에 깨워줘": "11월 22일 오전 7시 타이머", "wake me up at 5pm": "Timer: 5:00 PM", "30분 타이머": "30분 타이머",
	} {
		lang := bilingual.EN
		if phrase.Korean(request) {
			lang = bilingual.KO
		}
		p = plan(t, provider.Request{Lang: lang, Message: request})
		if len(p.Jobs) != 1 || p.Jobs[0].Title != title {
			t.Errorf("%q: %+v, want %q", request, p, title)
		}
	}
	p = plan(t, provider.Request{Message: "네비 켜줘"})
	if len(p.Jobs) != 1 || p.Jobs[0].Todos[0].Args != nil {
		t.Errorf("a step without its destination has no arguments: %+v", p)
	}
}

func TestReporter(t *testing.T) {
	l := provider.Request{Role: provider.RoleReporter, State: provider.State{Outcome: "succeeded", Results: []provider.StepResult{{Title: "노래", Text: "아리랑을 끝까지 틀었어요.", OK: true}}}}
	if got := ask(t, l); got != "아리랑을 끝까지 틀었어요." {
		t.Errorf("%q", got)
	}
	l.State.Outcome, l.State.Problem = "failed", "인터넷에 연결할 수 없어요."
	if got := ask(t, l); !strings.Contains(got, l.State.Problem) || !strings.Contains(got, "아리랑") {
		t.Errorf("%q", got)
	}
	l.State = provider.State{Outcome: "canceled"}
	if got := ask(t, l); got != "그만뒀어요." {
		t.Errorf("%q", got)
	}
}

func TestSummarizerIsBounded(t *testing.T) {
	l := provider.Request{Role: provider.RoleSummarizer, Summary: "고객: 예전 이야기"}
	for range 200 {
		l.Transcript = append(l.Transcript, provider.Turn{Speaker: "customer", Text: strings.Repeat("노래 틀어줘 ", 30)}, provider.Turn{Speaker: "shop", Text: "네."})
	}
	l.Transcript = append(l.Transcript, provider.Turn{Speaker: "customer", Text: "마지막 말"})
	if got := ask(t, l); len([]rune(got)) > 1200 || !strings.HasSuffix(got, "마지막 말") {
		t.Errorf("%d runes, end %q", len([]rune(got)), got[max(0, len(got)-60):])
	}
}

func TestIntent(t *testing.T) {
	if got := ask(t, provider.Request{Role: provider.RoleIntent, Message: "부산 날씨 알려줘"}); got != `{"intent":"weather"}` {
		t.Error(got)
	}
	if got := ask(t, provider.Request{Role: provider.RoleIntent, Message: "심심하다"}); got != `{"intent":"general"}` {
		t.Error(got)
	}
}

// TestUnknownTools: a tool no sense of the lexicon covers is found by its examples alone.
func TestUnknownTools(t *testing.T) {
	card := provider.ToolCard{
		Key: "brew", Title: "Coffee machine", Params: json.RawMessage(`{"type":"object","properties":{"cups":{"type":"integer","x-slot":"number"}}}`),
		Examples: []provider.Example{{Text: "커피 두 잔 내려줘", Args: map[string]any{"cups": 2}}, {Text: "커피 내려줘"}, {Text: "brew some coffee"}},
	}
	l := provider.Request{Role: provider.RolePlanner, Lang: bilingual.KO, Now: now, Tools: append(cards(t)(bilingual.KO), card), Message: "커피 세 잔 내려줘"}
	reply, err := builtin.New().Chat(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p provider.Plan
	if err := json.Unmarshal([]byte(reply.Text), &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Jobs) != 1 || p.Jobs[0].Todos[0].Tool != "brew" || string(p.Jobs[0].Todos[0].Args) != `{"cups":3}` {
		t.Errorf("%s", reply.Text)
	}
}

// BenchmarkPlanner is one planner request, tool cards already known.
func BenchmarkPlanner(b *testing.B) {
	p, tools := builtin.New(), cards(b)(bilingual.KO)
	l := provider.Request{Role: provider.RolePlanner, Lang: bilingual.KO, Tools: tools, Now: now, Message: "서울역까지 길 안내해주고 신나는 노래도 하나 틀어줘"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Chat(b.Context(), l, nil); err != nil {
			b.Fatal(err)
		}
	}
}
