package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/testing/fakemodel"
)

const leaseOfWork = `근로계약서
제1조(목적) 이 계약은 갑과 을의 근로조건을 정한다.
제2조(계약기간) 계약기간은 2026년 3월 1일부터 1년으로 한다.
제5조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다. 연장근로에는 통상임금의 30퍼센트를 더한다.
제7조(해지) 갑은 15일 전에 알리고 을을 해고할 수 있다.
`

// The dialogue of a newcomer, and a question that takes the librarian a second round.
const (
	askArticle = "제5조 내용이 뭐야?"
	askPeriod  = "그럼 계약 기간은?"
	askDiffers = "표준계약서랑 뭐가 달라?"
	askLunch   = "오늘 점심 뭐 먹지?"
	askTwice   = "계약서에 15일 전에 알리고 해고할 수 있다는데 추가 수당은 얼마야?"
)

// reads puts a document into the library and waits until it is there.
func (s *session) reads(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	from := s.mark()
	s.must("import", map[string]any{"path": path}, nil)
	s.awaitFrom(from, "the document in the library", func(l line) bool {
		var i event.LibraryImport
		return l.Kind == event.KindLibraryImport && json.Unmarshal(l.Data, &i) == nil && i.State == "done" && i.Added == 1
	})
}

// found is an answer from the library, and who decided its steps.
type found struct {
	event.ChatMessage
	steps []string // planning=model
	tools []string // of each round
}

// asks says something and gives the library's answer.
func (s *session) asks(text string) (f found) {
	s.t.Helper()
	from := s.mark()
	s.must("say", map[string]any{"text": text}, nil)
	s.awaitFrom(from, "an answer to "+text, func(l line) bool {
		return l.Kind == event.KindChatMessage && json.Unmarshal(l.Data, &f.ChatMessage) == nil && f.Role == event.RoleShop
	})
	s.must("wait", map[string]any{"until": "idle", "timeout_ms": patience.Milliseconds()}, nil)
	if f.Library == nil {
		s.t.Fatalf("%s: the library did not answer: %q", text, f.Text)
	}
	for _, step := range f.Library.Trail {
		data, _ := step.Data.(map[string]any)
		if by, ok := data["by"].(string); ok {
			f.steps = append(f.steps, step.Step+"="+by)
		}
		if step.Step == "tool_selected" {
			f.tools = append(f.tools, step.Text)
		}
	}
	return f
}

// sources are the articles behind an answer.
func (f found) sources() string {
	var list []string
	for _, src := range f.Library.Sources {
		list = append(list, src.Article)
	}
	return strings.Join(list, " ")
}

// The dialogue of a newcomer with the built-in interpreter: a cited answer, one that leans on it, a comparison and a polite
// end, and the trail says how.
func TestTheDialogueAboutAContract(t *testing.T) {
	s := start(t, t.TempDir())
	s.reads("근로계약서.txt", leaseOfWork)
	for _, c := range []struct{ text, answer, source, says string }{
		{askArticle, "월급은 300만원", "제5조(임금)", "이 질문만으로 찾을 수 있어요."},
		{askPeriod, "1년으로 한다", "제2조(계약기간)", "앞의 대화를 이어서 봐요."},
		{askDiffers, "표준계약서와 비교하면", "제2조(계약기간) 제2조(계약기간)", "“제2조(계약기간)” 표준계약서와 비교하기"},
		{askLunch, "문서에 대한 질문이 아닌 것", "", "문서에 대한 질문이 아니에요."},
	} {
		f := s.asks(c.text)
		said := false
		for _, step := range f.Library.Trail {
			said = said || step.Text == c.says
		}
		if !strings.Contains(f.Text, c.answer) || f.sources() != c.source || !said || len(f.Library.Unverified) > 0 || strings.Contains(strings.Join(f.steps, " "), "model") {
			t.Errorf("%s: %q from %s, trail %+v", c.text, f.Text, f.sources(), f.Library.Trail)
		}
	}
	s.quit()
}

// What a model decided before the program was killed is not asked again by the next one.
func TestADecisionSurvivesAKill(t *testing.T) {
	server, err := fakemodel.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	dir := t.TempDir()
	s := start(t, dir, "--provider", "ollama", "--ollama-host", server.Addr, "--model", "endless-report")
	s.must("config", map[string]any{"set": map[string]any{"library.persistence": "database"}}, nil)
	s.reads("근로계약서.txt", leaseOfWork)
	s.must("say", map[string]any{"text": askTwice}, nil)
	s.await("the answer is being written", func(l line) bool { return l.Kind == event.KindChatToken })
	s.kill()

	s = start(t, dir, "--provider", "ollama", "--ollama-host", server.Addr, "--model", "shop")
	s.await("turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
	calls, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for _, c := range calls {
		for _, role := range []provider.Role{provider.RoleLibrarian, provider.RoleResponder} {
			if strings.Contains(string(c.Body), `role: `+string(role)+`\n`) {
				asked[c.Model+" "+string(role)]++
			}
		}
	}
	if len(asked) != 3 || asked["endless-report librarian"] != 1 || asked["endless-report responder"] != 1 || asked["shop responder"] != 1 {
		t.Errorf("the models were asked %v", asked)
	}
	s.quit()
}
