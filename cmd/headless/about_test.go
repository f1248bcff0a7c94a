package main

import (
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/fakemodel"
)

// documents gives the customer's own documents by title.
func (s *session) documents() map[string]string {
	s.t.Helper()
	var v struct {
		Documents []struct{ ID, Title, Kind string }
	}
	s.must("documents", nil, &v)
	ids := map[string]string{}
	for _, d := range v.Documents {
		if d.Kind == "mine" {
			ids[d.Title] = d.ID
		}
	}
	return ids
}

// answers gives the answer to a message that is said with more than words.
func (s *session) answers(say map[string]any) (m event.ChatMessage) {
	s.t.Helper()
	from := s.mark()
	s.must("say", say, nil)
	s.awaitFrom(from, "an answer", func(l line) bool {
		return l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &m) == nil && m.Role == event.RoleShop
	})
	return m
}

// A question about one of two documents is answered from that one, by the program that follows a kill too; said anew it keeps its
// document, and once that is gone the answer says so.
func TestAskingOneDocument(t *testing.T) {
	server, err := fakemodel.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	dir := t.TempDir()
	s := start(t, dir)
	s.reads("회사.txt", leaseOfWork)
	s.reads("집 임대차.txt", "임대차계약서\n제1조(목적) 이 계약은 집을 빌리는 데 쓴다.\n제5조(차임) 차임은 매월 70만원으로 한다.\n")
	ids := s.documents()
	if len(ids) != 2 {
		t.Fatalf("%v", ids)
	}
	house := ids["집 임대차"]
	const wage = "월급은 얼마야?"
	if m := s.answers(map[string]any{"text": wage}); !strings.Contains(m.Text, "300만원") {
		t.Errorf("of all documents: %q", m.Text)
	}
	if m := s.answers(map[string]any{"text": wage, "document": house}); !strings.Contains(m.Text, "‘집 임대차’ 문서에는 없어요.") || strings.Contains(m.Text, "300만원") {
		t.Errorf("of the other document: %q", m.Text)
	}
	m := s.answers(map[string]any{"text": "제5조 내용이 뭐야?", "document": house})
	if !strings.Contains(m.Text, "70만원") || strings.Contains(m.Text, "300만원") || m.Library == nil || len(m.Library.Sources) != 1 {
		t.Errorf("an article of the document: %q from %+v", m.Text, m.Library)
	}
	if a := s.do("say", map[string]any{"text": "?", "document": "nobody's"}); a.OK || a.Error.Code != "document_gone" {
		t.Errorf("of no document: %+v", a)
	}
	s.quit()

	s = start(t, dir, "--provider", "ollama", "--ollama-host", server.Addr, "--model", "silent")
	var said struct{ Message event.ChatMessage }
	s.must("say", map[string]any{"text": "5조 알려줘", "document": house}, &said)
	s.await("the answer is being written", func(l line) bool {
		var a event.AgentStart
		return l.Kind == event.KindAgentStart && json.Unmarshal(l.Data, &a) == nil && a.Agent == "responder"
	})
	s.kill()

	s = start(t, dir)
	s.await("the answer after the kill", func(l line) bool {
		return l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &m) == nil && m.Role == event.RoleShop && m.Turn == said.Message.ID
	})
	if !strings.Contains(m.Text, "70만원") || strings.Contains(m.Text, "300만원") {
		t.Errorf("after the kill: %q", m.Text)
	}
	s.must("remove_document", map[string]any{"document": house}, nil)
	if m := s.answers(map[string]any{"text": "5조 알려줘", "instead": said.Message.ID}); !strings.Contains(m.Text, "‘집 임대차’: 그 문서는 이제 도서관에 없어요.") {
		t.Errorf("once it is gone: %q", m.Text)
	}
	var history struct{ Messages []event.ChatMessage }
	s.must("history", nil, &history)
	if last := history.Messages[len(history.Messages)-2]; last.About == nil || last.About.Title != "집 임대차" || last.About.DocumentID != house {
		t.Errorf("%+v", last)
	}
	s.quit()
}
