package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/testing/tinygguf"
)

// pricelist is a document of many articles, of which only one has the characters of "차동자 비정 금요", none of them next to
// each other in that order: words do not find it.
func pricelist() string {
	used := "자동차정비요금은빌린쪽이낸다"
	var b strings.Builder
	b.WriteString("임대차 약속\n")
	next := '가'
	for n := range 70 {
		if n == 40 {
			b.WriteString("제41조(누가) 자동차 정비 요금은 빌린 쪽이 낸다.\n")
			continue
		}
		fmt.Fprintf(&b, "제%d조(무엇) ", n+1)
		for range 24 {
			for strings.ContainsRune(used, next) {
				next += 7
			}
			b.WriteRune(next)
			next += 7
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// sourcesOf asks and gives the articles that the answer rests on.
func (s *session) sourcesOf(question string) (articles []string) {
	s.t.Helper()
	from := s.mark()
	s.must("say", map[string]any{"text": question}, nil)
	s.awaitFrom(from, "the answer to "+question, func(l line) bool { return l.Kind == event.KindTurnDone })
	var h struct {
		Messages []event.ChatMessage `json:"messages"`
	}
	s.must("history", map[string]any{"limit": 1}, &h)
	if len(h.Messages) != 1 || h.Messages[0].Library == nil {
		s.t.Fatalf("no answer from the library: %+v", h.Messages)
	}
	for _, x := range h.Messages[0].Library.Sources {
		articles = append(articles, x.Article)
	}
	return articles
}

// A real embedding model on a real server: the library searches by words until there is one, has vectors made in the
// background, finds by them what shares no word with the question, and makes all of them anew for another model.
func TestTheLibraryOnARealServer(t *testing.T) {
	h := house(t)
	h.scripted(t, "scripted", []tinygguf.Script{{Say: "네, 알겠어요."}})
	s := h.open(t, "scripted")
	path := filepath.Join(t.TempDir(), "약속.txt")
	if err := os.WriteFile(path, []byte(pricelist()), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must("import", map[string]any{"path": path}, nil)
	s.await("the import", func(l line) bool {
		var v event.LibraryImport
		return l.Kind == event.KindLibraryImport && json.Unmarshal(l.Data, &v) == nil && v.State == "done" && v.Added == 1
	})
	const question = "계약서에서 차동자 비정 금요 찾아줘"
	if got := s.sourcesOf(question); len(got) > 0 {
		t.Errorf("words alone found %v", got)
	}
	for i, model := range []string{"characters", "others"} {
		h.server.Create(t, model, tinygguf.Embedding(uint64(i+1)), "")
		from := s.mark()
		s.must("config", map[string]any{"set": map[string]any{"embed_model": model}}, nil)
		s.awaitFrom(from, "the vectors of "+model, func(l line) bool {
			var v event.LibraryVectors
			return l.Kind == event.KindLibraryVectors && json.Unmarshal(l.Data, &v) == nil && v.State == "ready" && strings.HasSuffix(v.Model, model) &&
				v.Total > 70 && v.Done == v.Total && v.Refused == 0
		})
		if got := s.sourcesOf(question); len(got) == 0 || !strings.Contains(got[0], "41") {
			t.Errorf("with %s it found %v", model, got)
		}
	}
	s.quit()
}
