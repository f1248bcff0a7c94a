package agent_test

import (
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/agent"
)

func (s *shelf) askAbout(document, text string) *agent.Inquiry {
	s.t.Helper()
	q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: text, About: &event.DocumentRef{DocumentID: document, Title: "계약"}}
	if err := s.Answer(s.t.Context(), q, func(*agent.Inquiry) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	return q
}

// What asks one document is looked up in that one alone, whatever its words say and however often it is looked for; that it
// does not hold the answer is said.
func TestAQuestionAboutOneDocument(t *testing.T) {
	for text, c := range map[string]struct{ answer, source string }{
		"제5조 내용이 뭐야?":      {"300만원", "제5조(임금)"},
		"1년":               {"계약기간은 1년", "제2조(계약기간)"}, // by itself no question to the documents
		"매월 내는 것이 있어?":     {"‘계약’ 문서에는 없어요.", ""},    // the standard has it
		"제9조 보여줘":          {"‘계약’ 문서에는 없어요.", ""},
		"표준계약서 6조 보여줘":     {"‘계약’ 문서에는 없어요.", ""},
		"노래 틀어줘":           {"‘계약’ 문서에는 없어요.", ""}, // an order elsewhere
		"제5조를 표준과 비교해줘":    {"내 문서에만 있는 숫자: 300만원", "제5조(임금) 제6조(임금)"},
		"고마워":              {"문서에 대한 질문이 아닌 것", ""},
		"1년이야? 월급은 300만원?": {"‘월급은 300만원?’", "제2조(계약기간) 제5조(임금)"}, // two questions
	} {
		s := open(t)
		q := s.askAbout("d", text)
		var sources []string
		for _, it := range q.Sources {
			sources = append(sources, it.Article)
		}
		if !strings.Contains(q.Answer, c.answer) || strings.Join(sources, " ") != c.source {
			t.Errorf("%s: %q from %v", text, q.Answer, sources)
		}
		for _, used := range s.used {
			if !strings.Contains(used, `"document":"d"`) || strings.Contains(used, "scope") {
				t.Errorf("%s: %s was used", text, used)
			}
		}
		if c.source != "" && !strings.Contains(q.Trail[0].Text, "‘계약’ 문서에서만") {
			t.Errorf("%s: the trail begins with %q", text, q.Trail[0].Text)
		}
	}
	s := open(t)
	if q := s.askAbout("gone", "제5조 내용이 뭐야?"); !strings.Contains(q.Answer, "‘계약’: 그 문서는 이제 도서관에 없어요.") || len(s.used) != 0 {
		t.Errorf("of a document that is gone: %q after %v", q.Answer, s.used)
	}
}
