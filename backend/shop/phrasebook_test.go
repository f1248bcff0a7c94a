package shop_test

import (
	"cmp"
	"slices"
	"testing"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/testing/fakemodel"
)

// asked are the requests that went to a model since the program began.
func (c *customer) requests(chat string) (list []interpreter.Exchange) {
	c.t.Helper()
	if err := c.WaitIdle(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	all, err := c.Letters(c.t.Context(), chat, "", 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(x interpreter.Exchange) bool { return x.Provider == builtin.Name })
}

// replied says something and gives the shop's reply and the jobs that came of it.
func (c *customer) replied(text string) (m event.ChatMessage, jobs []string) {
	c.t.Helper()
	jobs = c.say(text)
	history, err := c.History(c.t.Context(), "main", "", 100)
	if err != nil {
		c.t.Fatal(err)
	}
	said := ""
	for _, x := range history {
		switch {
		case x.Role == event.RoleCustomer:
			said = x.ID
		case x.Role == event.RoleShop && x.Turn == said:
			m = x
		}
	}
	return m, jobs
}

// toolsOf are what the jobs of a message use.
func (c *customer) toolsOf(jobs []string) (keys []string) {
	c.t.Helper()
	for _, id := range jobs {
		v, err := c.Job(c.t.Context(), id)
		if err != nil {
			c.t.Fatal(err)
		}
		for _, todo := range v.Job.Todos {
			keys = append(keys, todo.Tool)
		}
	}
	return keys
}

// A day in the shop with a model on duty: what code reads whole and surely needs no request, and its result needs none to be told.
func TestPlainRequestsNeedNoModel(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "shop")
	c.hurry()
	day := []struct {
		says  string
		tools []string
	}{
		{"안녕? 오늘은 뭔가 좀 울적하네", nil}, // needs a model
		{"부산 날씨 어때?", []string{"weather"}},
		{"3분 타이머 맞춰줘", []string{"timer"}},
		{"노래 틀어줘", []string{"song"}},
		{"what time is it in London?", []string{"clock"}},
		{"12 곱하기 34는?", []string{"calculator"}},
		{"달걀 사기라고 메모해줘", []string{"note_add"}},
		{"내 메모 보여줘", []string{"note_list"}},
		{"how's the weather tomorrow?", []string{"weather"}},
		{"5마일은 몇 킬로미터야?", []string{"unit_convert"}},
		{"서울역까지 길 안내해줘", []string{"nav"}},
		{"Could you tell me why the sky is blue?", nil}, // needs a model
		{"play some music please", []string{"song"}},
		{"영화 한 편 틀어줘", []string{"movie"}},
	}
	for _, turn := range day {
		if got := c.toolsOf(c.say(turn.says)); !slices.Equal(got, turn.tools) {
			t.Errorf("%q started %q, want %q", turn.says, got, turn.tools)
		}
		// People read an answer before they speak again; what the shop does meanwhile for itself is not broken off, and begun anew.
		if err := c.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	requests := c.requests("main")
	tokens, characters, first := 0, 0, 0
	for _, x := range requests {
		t.Logf("%s: %s (%s)", x.Request.Role, x.Request.Message, cmp.Or(x.Error, "answered"))
		characters += utf8.RuneCountInString(x.Prompt.System)
		for _, m := range x.Prompt.Messages {
			characters += utf8.RuneCountInString(m.Text)
		}
		first = cmp.Or(first, characters)
		tokens += x.Reply.TokensIn + x.Reply.TokensOut
	}
	t.Logf("a session of %d turns: %d requests to the model, the first of %d characters, %d characters and %d tokens in all", len(day), len(requests), first, characters, tokens)
	if len(requests) > 8 || len(requests) < 2 {
		t.Errorf("%d requests for %d turns, two of which need a model", len(requests), len(day))
	}
}

// What a model answers badly, late, or with tools that do not exist is done as far as code reads it.
func TestThePhrasebookHasTheLastWord(t *testing.T) {
	t.Parallel()
	turns := []struct {
		says  string
		tools []string
	}{
		{"노래 틀어줘", []string{"song"}},
		{"오늘 좀 슬픈데 노래 하나 추천해서 틀어줘", []string{"song"}}, // more than code reads: the model is asked
		{"비가 오나 보네. 부산 날씨 알려줄 수 있니?", []string{"weather"}},
		{"고마워!", nil},
	}
	server := serve(t)
	for _, fault := range []string{
		"silent", "stalls", "eof", "garbage", "repeat-limit", "empty", "think-only", "loop", "same-line", "chinese", "duplicate-keys",
		"two-objects", "not-json", "length", "overflow", "crash", "unknown-tool", "unknown-service",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			wait := "2m" // what comes at all may come late on a busy computer
			if fault == "silent" || fault == "stalls" {
				wait = "1s"
			}
			c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_MODEL="+fault,
				"AGENTCHAT_MODEL_TIMEOUTS=connect=10s,first="+wait+",gap="+wait)
			until(c, "the model is on duty", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == "ollama" && p.Health == "ok" })
			c.again()
			c.hurry()
			for _, turn := range turns {
				m, jobs := c.replied(turn.says)
				if got := c.toolsOf(jobs); m.Code != "" || !slices.Equal(got, turn.tools) {
					t.Errorf("%q started %q with code %q: %q", turn.says, got, m.Code, m.Text)
				}
			}
			calls, err := server.Calls(t.Context())
			if err != nil || !slices.ContainsFunc(calls, func(x fakemodel.Call) bool { return x.Model == fault && x.Path == "/api/chat" }) {
				t.Errorf("the model was never asked: %v", err)
			}
			if m, _ := c.replied("너는 왜 하늘이 파랗다고 생각해?"); m.Text == "" || apperr.Code(m.Code) == apperr.Internal { // no phrasebook knows
				t.Errorf("%+v", m)
			}
		})
	}
}

// What a request for a model holds is no longer than it need be: everything of the tools that are meant, a line of the others.
func TestRequestsAreShort(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "shop")
	c.hurry()
	c.names("이야기")
	before := ""
	for _, says := range []string{"Could you tell me why the sky is blue?", "오늘 좀 슬픈데 노래 하나 추천해서 들려줄 수 있을까", "여행 가고 싶은데 부산은 어떤지 날씨라도 봐 줄래 나 대신"} {
		c.say(says)
		list := c.requests("main")
		x := list[len(list)-1]
		last := x.Prompt.Messages[len(x.Prompt.Messages)-1].Text
		whole := utf8.RuneCountInString(x.Prompt.System)
		for _, m := range x.Prompt.Messages {
			whole += utf8.RuneCountInString(m.Text)
		}
		t.Logf("%s: %d characters in all, %d of them new", says, whole, utf8.RuneCountInString(last))
		if x.Request.Role != provider.RolePlanner || whole > 8500 || utf8.RuneCountInString(last) > 900 {
			t.Errorf("%s %q has %d characters, %d of them new:\n%s", x.Request.Role, says, whole, utf8.RuneCountInString(last), last)
		}
		if before != "" && before != x.Prompt.System {
			t.Errorf("%q has another first block than the one before", says)
		}
		before = x.Prompt.System
	}
}
