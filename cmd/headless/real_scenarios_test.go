package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/testing/tinygguf"
)

// company is what no phrasebook makes anything of: a wish it stands behind is a model's to plan.
const company = ". 손님이 오셨거든."

const reported = "부탁하신 일을 모두 마쳤어요. 또 필요하면 말해 주세요."

// scenarioScripts are what a good model says in the scenarios: some plans name the arguments, others leave them to the tool
// chooser.
func scenarioScripts() []tinygguf.Script {
	return slices.Concat(
		[]tinygguf.Script{
			{Say: "모르는 부탁이에요."},
			{Role: "role: reporter", Say: reported},
			{Role: "role: summarizer", Say: "손님이 길 안내와 노래를 부탁했어요."},
			{Role: "role: planner", Say: plan("무슨 부탁인지 모르겠어요.")},
		},
		wish("목적지 A로 네비 켜줘"+company, plan("네비를 켤게요.", work("길 안내", "nav", "목적지 A로 네비 켜줘"+company, "")), `{"tool":"nav","args":{"destination":"A"}}`),
		wish("노래 불러줘"+company, plan("노래를 불러 드릴게요.", work("노래", "song", "노래 불러줘"+company, "{}")), ""),
		wish("노래 하나 더!"+company, plan("한 곡 더 갈게요.", work("한 곡 더", "song", "노래 하나 더!"+company, "")), `{"tool":"song","args":{}}`),
		wish("영화도 틀어줘"+company, plan("영화도 준비할게요.", work("영화", "movie", "영화도 틀어줘"+company, "")), `{"tool":"movie","args":{ }}`),
		wish("영화 틀어줘"+company, plan("영화를 틀게요.", work("영화 보기", "movie", "영화 틀어줘"+company, "{}")), ""),
		wish("영화 하나 더 틀어줘"+company, plan("영화를 하나 더 틀게요.", work("영화 더 보기", "movie", "영화 하나 더 틀어줘"+company, "{}")), ""),
	)
}

// The scenarios of the seed on a real server: the plans and the arguments are a model's own, through its
// template, its runner and its grammar.
func TestScenariosOnARealServer(t *testing.T) {
	h := house(t)
	h.scripted(t, "scripted", scenarioScripts())
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			scenario.play(t, func(t *testing.T, args ...string) *session {
				s := h.open(t, "scripted", args...)
				s.more = company
				from, lost := len(h.tap.Chats()), h.tap.Unloads()
				s.last = func() { h.check(s, from, lost) }
				return s
			})
		})
	}
	h.loadedOnce(t)
}

// check looks whether a session really was the model's work. from and lost are how many chats and lost places there were before
// it: a model that was loaded again has to read its next letter whole.
func (h *realHouse) check(s *session, from, lost int) {
	s.t.Helper()
	said := map[string]bool{}
	for _, script := range scenarioScripts() {
		said[script.Say] = true
	}
	reqs := s.letters()
	plans, messages, anew := 0, 0, h.tap.Unloads()-lost
	for i, x := range reqs {
		if x.Provider != "ollama" || x.Reply.Model != "scripted" || x.Reply.TokensIn < 1000 {
			s.t.Errorf("letter %d (%s) went to %s %s: %d tokens", i, x.Request.Role, x.Provider, x.Reply.Model, x.Reply.TokensIn)
		}
		if x.Error == "" && (!said[x.Reply.Text] || x.Reply.TokensOut == 0 || x.Attempt != 1) {
			s.t.Errorf("letter %d (%s), attempt %d: %d tokens, %q", i, x.Request.Role, x.Attempt, x.Reply.TokensOut, x.Reply.Text)
		}
		if x.Error != "" && x.Error != "canceled" {
			s.t.Errorf("letter %d (%s): %s, %s", i, x.Request.Role, x.Error, x.Problem)
		}
		if i > 0 && x.Reply.TokensCached < x.Reply.TokensIn/2 {
			if anew--; anew < 0 {
				s.t.Errorf("letter %d (%s): only %d of %d tokens were known already", i, x.Request.Role, x.Reply.TokensCached, x.Reply.TokensIn)
			}
		}
		if x.Request.Role == provider.RolePlanner {
			plans++
		}
	}
	streamed := s.streamed()
	for _, l := range s.printed() {
		var m event.ChatMessage
		if l.Kind != event.KindChatMessage || json.Unmarshal(l.Data, &m) != nil {
			continue
		}
		switch {
		case m.Role == event.RoleCustomer:
			messages++
		case m.Role == event.RoleShop && m.Code == "" && strings.TrimSpace(streamed[m.ID]) != m.Text:
			s.t.Errorf("%q streamed as %q", m.Text, streamed[m.ID])
		case m.Role == event.RoleJob && m.Text == reported:
			s.t.Error("a model reports what one tool did")
		}
	}
	if plans != messages || messages == 0 {
		s.t.Errorf("%d plans for %d messages", plans, messages)
	}
	h.sameRunner(s.t, from)
}

// sameRunner checks that no letter asked for another runner than the one before, and that none may be cut silently.
func (h *realHouse) sameRunner(t testing.TB, from int) {
	t.Helper()
	chats := h.tap.Chats()[from:]
	runner := func(options map[string]any) map[string]any {
		rest := maps.Clone(options)
		delete(rest, "temperature")
		delete(rest, "num_predict")
		return rest
	}
	for i, c := range chats {
		if !maps.Equal(runner(c.Options), runner(chats[0].Options)) || c.Truncate == nil || *c.Truncate || c.Shift == nil || *c.Shift {
			t.Errorf("chat %d: %v, truncate %v, shift %v", i, c.Options, c.Truncate, c.Shift)
		}
		if c.Messages[0].Content != chats[0].Messages[0].Content {
			t.Errorf("chat %d begins with another system block", i)
		}
	}
}
