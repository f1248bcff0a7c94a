package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// tale is long, and nowhere the same.
func tale() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "%d번째 손님이 문을 열고 들어왔어요. ", i)
	}
	return b.String()
}

// What is stopped at the front stops at the server: its only slot is free, and the next request is answered from what it
// still knows.
func TestStopReachesTheRealServer(t *testing.T) {
	h := house(t, "OLLAMA_NUM_PARALLEL=1")
	telling := `{"title":"이야기","todos":[{"title":"이야기 짓기","request":"이야기를 지어 줘"}]}`
	h.scripted(t, "talker", []tinygguf.Script{
		{Role: "role: planner", After: "끝없이 말해 줘", Say: `{"route":"answer","reply":"` + tale(), Endless: true},
		{Role: "role: planner", After: "이야기를 지어 줘", Say: plan("이야기를 지을게요.", telling)},
		{Role: "role: solver", Say: `{"act":"answer","text":"` + tale(), Endless: true},
		{Role: "role: planner", After: "안녕?", Say: plan("안녕하세요, 손님!")},
	})
	s := h.open(t, "talker")
	// Without a limit the story ends only where the context does.
	s.must("config", map[string]any{"set": map[string]any{"roles.solver.max_tokens": 0, "roles.planner.max_tokens": 0}}, nil)

	t.Run("stop_reply", func(t *testing.T) {
		h.caught(t, s, "끝없이 말해 줘", func(line) {
			s.must("stop_reply", map[string]any{"chat": "main"}, nil)
		})
	})
	t.Run("cancel of a job", func(t *testing.T) {
		h.caught(t, s, "이야기를 지어 줘", func(l line) {
			s.must("cancel", map[string]any{"job": l.Job}, nil)
			s.becomes(l.Job, "canceled")
		})
	})
	s.quit()
	h.loadedOnce(t)
}

// caught says something whose answer is long and stops it while it is being written. A machine that stood still may have
// let the answer end before; then it is tried again.
func (h *realHouse) caught(t *testing.T, s *session, text string, stop func(line)) {
	t.Helper()
	for range 5 {
		from, first := s.mark(), len(h.tap.Chats())
		s.must("say", map[string]any{"text": text}, nil)
		writing := s.awaitFrom(from, "the first words", func(l line) bool {
			return l.Kind == event.KindChatToken && (l.Job != "") == strings.Contains(text, "이야기")
		})
		busy := h.server.Busy(t)
		stop(writing)
		s.awaitFrom(from, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
		s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
		over := h.tap.Await(t, h.last(first), "the end of the answer", func(c realollama.Chat) bool { return c.Ended || c.Left })
		if over.Ended || !busy {
			continue
		}
		h.server.AwaitIdle(t)
		h.answers(t, s)
		return
	}
	t.Error("no answer was caught while it was written")
}

// last is the number of the newest chat, which must be newer than first.
func (h *realHouse) last(first int) int { return max(len(h.tap.Chats())-1, first) }

// answers checks that the very next request is answered, by the model that is still in memory.
func (h *realHouse) answers(t *testing.T, s *session) {
	t.Helper()
	from, next, lost := s.mark(), len(h.tap.Chats()), h.tap.Unloads()
	s.must("say", map[string]any{"text": "안녕?"}, nil)
	var done event.TurnDone
	s.awaitFrom(from, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone && json.Unmarshal(l.Data, &done) == nil })
	if done.Message != "안녕하세요, 손님!" {
		t.Errorf("answered %q", done.Message)
	}
	c := h.tap.Await(t, next, "the answer", func(c realollama.Chat) bool { return c.Ended })
	if h.tap.Unloads() == lost && c.Done.Cached < c.Done.Tokens/2 {
		t.Errorf("only %d of %d tokens were known still", c.Done.Cached, c.Done.Tokens)
	}
}
