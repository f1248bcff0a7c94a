package main

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/testing/tinygguf"
)

// solved are the scripts of a model that works out a request with two tools, one on what the other brought, and of one that
// never comes to an end.
func solved() []tinygguf.Script {
	return []tinygguf.Script{
		{Role: "role: planner", After: "7로 나눈 미터는 몇 킬로미터야?", Say: plan("따져 볼게요.", `{"title":"거리","todos":[{"title":"거리 따지기","request":"35000을 7로 나눈 미터는 몇 킬로미터인지"}]}`)},
		{Role: "role: solver", After: "7로 나눈 미터는 몇 킬로미터야?", Say: `{"act":"call","calls":[{"tool":"calculator","args":{"expression":"35000/7"}}]}`},
		{Role: "role: solver", After: "35000/7 = 5,000", Say: `{"act":"call","calls":[{"tool":"unit_convert","args":{"from":"m","to":"km","value":5000}}]}`},
		{Role: "role: solver", After: "5,000 m = 5 km", Say: `{"act":"answer","text":"35000을 7로 나누면 5,000미터이고, 5킬로미터예요."}`},
		{Role: "role: planner", After: "끝없이 계산해 줘", Say: plan("계산해 볼게요.", `{"title":"끝없는 계산","todos":[{"title":"계산","request":"끝이 없는 계산"}]}`)},
		{Role: "role: solver", Say: `{"act":"call","calls":[{"tool":"calculator","args":{"expression":"6*7"}}]}`},
		{Role: "role: reporter", Say: "부탁하신 일을 살펴봤어요."},
		{Say: "모르는 부탁이에요."},
	}
}

// The solve loop on a real server: a step that no single call does is worked out round by round; one that comes to no end
// is given up after five.
func TestSolveLoopOnARealServer(t *testing.T) {
	h := house(t)
	h.scripted(t, "solver", solved())
	s := h.open(t, "solver")

	s.solve("35000을 7로 나눈 미터는 몇 킬로미터야?", "succeeded")
	if told := s.told(); told != "35000을 7로 나누면 5,000미터이고, 5킬로미터예요." {
		t.Errorf("told %q", told)
	}
	if got := s.count(event.KindToolAcquired); got != 2 {
		t.Errorf("%d tools were taken", got)
	}

	s.solve("끝없이 계산해 줘", "failed")
	if told := s.told(); !strings.Contains(told, "요청이 너무 복잡합니다.") || strings.Contains(told, "살펴봤어요") {
		t.Errorf("told %q", told)
	}
	if got := s.count(event.KindToolAcquired); got != 3 {
		t.Errorf("%d tools were taken: the same call must not run again", got)
	}
	rounds := 0
	for _, x := range s.letters() {
		if x.Request.Role == provider.RoleSolver {
			rounds++
		}
		if x.Provider != "ollama" || x.Error != "" || x.Attempt != 1 {
			t.Errorf("%s, attempt %d, went to %s: %s %q", x.Request.Role, x.Attempt, x.Provider, x.Error, x.Reply.Text)
		}
	}
	if rounds != 3+5 {
		t.Errorf("%d rounds for an answer after three and an end after five", rounds)
	}
	h.sameRunner(t, 0)
	s.quit()
}

// solve says something and waits until its job has come to the state.
func (s *session) solve(text, state string) {
	s.t.Helper()
	from := s.mark()
	s.must("say", map[string]any{"text": text}, nil)
	created := s.awaitFrom(from, "a job", func(l line) bool { return l.Kind == event.KindJobCreated })
	s.becomes(created.Job, state)
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
}

// told is the newest report of a job.
func (s *session) told() (text string) {
	for _, l := range s.printed() {
		var m event.ChatMessage
		if l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &m) == nil && m.Role == event.RoleJob {
			text = m.Text
		}
	}
	return text
}

func (s *session) count(kind event.Kind) (n int) {
	for _, l := range s.printed() {
		if l.Kind == kind {
			n++
		}
	}
	return n
}
