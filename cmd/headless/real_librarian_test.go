package main

import (
	"slices"
	"strings"
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// librarians are the scripts of a model that finds the first round of that question wanting, plans two tools, and is
// content with what they bring.
func librarians() []tinygguf.Script {
	says := func(text, answer string) tinygguf.Script {
		return tinygguf.Script{Role: "role: responder", After: text, Say: answer}
	}
	return []tinygguf.Script{
		says(askArticle, "제5조에 따르면 월급은 300만원이고 매월 25일에 지급돼요."),
		says(askPeriod, "계약 기간은 2026년 3월 1일부터 1년이에요."),
		says(askDiffers, "내 문서에는 수습기간에 대한 말이 없어요."),
		{Role: "role: planner", After: askLunch, Say: `{"route":"library","reply":""}`},
		{Role: `"task":"evaluate","round":1`, After: askTwice, Say: `{"sufficient":false,"missing":["연장근로 수당"],"why":"수당이 없다"}`},
		{Role: `"task":"plan","round":1`, After: askTwice, Say: `{"uses":[{"tool":"get_article_by_index","args":{"number":"제5조"}},{"tool":"get_article_by_title","args":{"title":"임금","scope":"standard"}}]}`},
		{Role: `"task":"evaluate","round":2`, After: askTwice, Say: `{"sufficient":true,"missing":[],"why":"둘 다 있다"}`},
		says(askTwice, "해고는 15일 전에 알리고, 연장근로에는 30퍼센트를 더해요."),
		{Say: "모르는 부탁이에요."},
	}
}

// The library's agent on a real server: the dialogue of a newcomer, and a question for which the model judges, plans two
// tools that run side by side, and judges again. Its requests cost the server next to nothing to read.
func TestTheLibrarianOnARealServer(t *testing.T) {
	h := house(t)
	h.reads = append(h.reads, leaseOfWork)
	h.scripted(t, "librarian", librarians())
	s := h.open(t, "librarian")
	s.reads("근로계약서.txt", leaseOfWork)

	for _, c := range []struct{ text, answer, source, steps string }{
		{askArticle, "제5조에 따르면 월급은 300만원이고 매월 25일에 지급돼요.", "제5조(임금)", "scope=rules context=rules planning=rules tool_selected=rules evaluation_result=rules"},
		{askPeriod, "계약 기간은 2026년 3월 1일부터 1년이에요.", "제2조(계약기간)", "scope=rules context=rules planning=rules tool_selected=rules evaluation_result=rules"},
		{askDiffers, "내 문서에는 수습기간에 대한 말이 없어요.", "제2조(계약기간) 제2조(계약기간)", "scope=rules context=rules planning=rules tool_selected=rules evaluation_result=rules"},
		{askLunch, "그건 도서관의 문서에 대한 질문이 아닌 것 같아요. 문서의 조항이나 내용을 물어봐 주시면 찾아 드릴게요.", "", "scope=rules"},
	} {
		if f := s.asks(c.text); f.Text != c.answer || f.sources() != c.source || strings.Join(f.steps, " ") != c.steps || len(f.Library.Unverified) > 0 {
			t.Errorf("%s: %q from %s, decided %v, unverified %v", c.text, f.Text, f.sources(), f.steps, f.Library.Unverified)
		}
	}

	f := s.asks(askTwice)
	want := "scope=rules context=rules planning=rules tool_selected=rules evaluation_result=model planning=model tool_selected=model evaluation_result=model"
	if strings.Join(f.steps, " ") != want || len(f.tools) != 2 || f.tools[1] != "제5조 보기, “임금” 조문 보기 (표준계약서에서)" {
		t.Errorf("decided %v with %v", f.steps, f.tools)
	}
	if f.Text != "해고는 15일 전에 알리고, 연장근로에는 30퍼센트를 더해요." || !strings.Contains(f.sources(), "제7조(해지)") || !strings.Contains(f.sources(), "제5조(임금) ") || len(f.Library.Unverified) > 0 {
		t.Errorf("%q from %s, unverified %v", f.Text, f.sources(), f.Library.Unverified)
	}

	roles := map[provider.Role]int{}
	for _, x := range s.letters() {
		roles[x.Request.Role]++
		if x.Provider != "ollama" || x.Error != "" || x.Attempt != 1 {
			t.Errorf("%s, attempt %d, went to %s: %s %s %q", x.Request.Role, x.Attempt, x.Provider, x.Error, x.Problem, x.Reply.Text)
		}
	}
	if roles[provider.RoleLibrarian] != 3 || roles[provider.RolePlanner] != 1 || roles[provider.RoleResponder] != 4 {
		t.Errorf("letters by role: %v", roles)
	}
	s.quit()
	h.librariansPrefix(t)
	h.sameRunner(t, 0)
}

// librariansPrefix checks that requests to the librarian begin with what the server has read already: of all that was sent
// before, nearly everything comes from its cache.
func (h *realHouse) librariansPrefix(t *testing.T) {
	t.Helper()
	all, theirs := &account{h: h}, &account{h: h}
	for _, c := range h.tap.Chats() {
		history, known := all.history, all.known
		all.add(t, c)
		if strings.HasPrefix(c.Messages[len(c.Messages)-1].Content, "role: librarian\n") {
			theirs.letters++
			theirs.history += all.history - history
			theirs.known += all.known - known
		}
	}
	if part := share(theirs.known, theirs.history); theirs.letters != 3 || part < 95 || !slices.ContainsFunc(h.tap.Chats(), func(c realollama.Chat) bool { return len(c.Messages) > 6 }) {
		t.Errorf("%.1f %% of what %d letters to the librarian began with came from the cache", part, theirs.letters)
	}
	t.Logf("%d of %d tokens in front of the librarian's last messages came from the cache", theirs.known, theirs.history)
}
