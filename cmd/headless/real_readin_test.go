package main

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// ahead are the chats in which the model was to write nothing but one token: it only read.
func ahead(c realollama.Chat) bool { return c.Options["num_predict"] == float64(1) && c.Format == nil }

// The first request of a session finds the frozen block read when the model was in memory before, and reads all of it when nobody
// read ahead; a model that is not in memory is left where it is.
func TestTheBlockIsReadInOnARealServer(t *testing.T) {
	h := house(t)
	h.scripted(t, "scripted", []tinygguf.Script{{Role: "role: planner", Say: plan("무슨 부탁인지 모르겠어요.")}})
	first := func(load bool) (chat realollama.Chat) {
		s := h.open(t, "scripted")
		from := len(h.tap.Chats())
		if load {
			s.must("load_model", map[string]any{"model": "scripted"}, nil)
			read := h.tap.Await(t, from, "what is read ahead", func(c realollama.Chat) bool { return ahead(c) && c.Ended })
			t.Logf("read ahead: %d tokens, %d of them new, in %v", read.Done.Tokens, read.Done.Tokens-read.Done.Cached, read.Done.Reading)
		}
		mark := s.mark()
		s.must("say", map[string]any{"text": "오늘 좀 피곤하네"}, nil)
		s.awaitFrom(mark, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
		chat = h.tap.Await(t, from, "the first request", func(c realollama.Chat) bool { return !ahead(c) && c.Ended })
		s.must("unload_model", map[string]any{"model": "scripted"}, nil)
		s.quit()
		return chat
	}
	cold := first(false)
	for _, c := range h.tap.Chats() {
		if ahead(c) {
			t.Errorf("a model that was not in memory was asked to read: %+v", c.Done)
		}
	}
	warm := first(true)
	before, after := cold.Done.Tokens-cold.Done.Cached, warm.Done.Tokens-warm.Done.Cached
	t.Logf("the first request: %d tokens, %d read anew without reading ahead (%v), %d with it (%v)", warm.Done.Tokens, before, cold.Done.Reading, after, warm.Done.Reading)
	if before < cold.Done.Tokens*9/10 || after > warm.Done.Tokens/5 {
		t.Errorf("read anew: %d of %d, then %d of %d", before, cold.Done.Tokens, after, warm.Done.Tokens)
	}
}

// After a compaction the model reads what the chat begins with now, so that the next request need not.
func TestACompactionIsReadInOnARealServer(t *testing.T) {
	h := house(t)
	h.scripted(t, "scripted", []tinygguf.Script{
		{Role: "role: planner", Say: plan("네, 듣고 있어요. 더 말씀해 주세요.")},
		{Role: "role: summarizer", Say: numbered(40)},
	})
	s := h.open(t, "scripted")
	say := func(text string) realollama.Chat {
		from, mark := len(h.tap.Chats()), s.mark()
		s.must("say", map[string]any{"text": text}, nil)
		s.awaitFrom(mark, "turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
		return h.tap.Await(t, from, text, func(c realollama.Chat) bool { return asks(c, "planner") && c.Ended })
	}
	for range 9 {
		say("오늘 좀 피곤하네")
	}
	h.tap.Await(t, 0, "the summary", func(c realollama.Chat) bool { return asks(c, "summarizer") && c.Ended })
	read := h.tap.Await(t, 0, "what is read ahead", func(c realollama.Chat) bool { return ahead(c) && c.Ended })
	next := say("이제 좀 쉴래")
	anew := next.Done.Tokens - next.Done.Cached
	t.Logf("read ahead after the compaction: %d of %d tokens; the next request read %d of %d anew", read.Done.Tokens-read.Done.Cached, read.Done.Tokens, anew, next.Done.Tokens)
	if read.Done.Tokens-read.Done.Cached < 256 || next.Done.Cached < read.Done.Tokens*98/100 { // the last message itself is new
		t.Errorf("%+v, then %+v", read.Done, next.Done)
	}
	s.quit()
}

// asks tells whether a chat is a request of a role.
func asks(c realollama.Chat, role string) bool {
	return !ahead(c) && strings.Contains(c.Messages[len(c.Messages)-1].Content, "role: "+role+"\n")
}

// titles tells whether a chat asks for the title of one.
func titles(c realollama.Chat) bool {
	last := c.Messages[len(c.Messages)-1].Content
	return asks(c, "summarizer") && (strings.Contains(last, "제목 하나로") || strings.Contains(last, "in one title"))
}

func numbered(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "손님의 %d번째 부탁은 길 안내와 노래였고 모두 해 드렸어요. ", i+1)
	}
	return strings.TrimSpace(b.String())
}
