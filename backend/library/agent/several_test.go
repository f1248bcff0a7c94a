package agent_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
)

// Each question of a message is looked up and answered, and what is cited is counted through.
func TestSeveralQuestions(t *testing.T) {
	s := open(t)
	q := s.ask("제5조 내용이 뭐야? 그럼 제2조 내용은?", nil)
	if want := "‘제5조 내용이 뭐야?’\n\n**계약 제5조(임금)** (2쪽) [1]\n> 제5조(임금) 월급은 300만원으로 한다.\n\n‘그럼 제2조 내용은?’\n\n**계약 제2조(계약기간)** (1쪽) [2]\n> 제2조(계약기간) 계약기간은 1년으로 한다."; q.Answer != want {
		t.Errorf("%q", q.Answer)
	}
	if len(q.Sources) != 2 || q.Sources[0].Article != "제5조(임금)" || q.Sources[1].Article != "제2조(계약기간)" || q.Parts[1].Before == nil || len(q.Trail) == 0 {
		t.Errorf("%+v, %+v", q.Sources, q.Parts[1].Before)
	}
	s = open(t)
	s.word = func([]library.Item) (agent.Wording, error) {
		return agent.Wording{Text: "있어요 [1], 그리고 [7]."}, nil
	}
	q = s.ask("제5조 내용이 뭐야? 그럼 제2조 내용은?", nil)
	if !strings.Contains(q.Answer, "뭐야?’\n\n있어요 [1], 그리고 [7].") || !strings.Contains(q.Answer, "내용은?’\n\n있어요 [2], 그리고 (7).") || !slices.Equal(q.Unverified, []string{"[7]", "(7)"}) {
		t.Errorf("%q, %q", q.Answer, q.Unverified)
	}
}

// What is not answered is named: a question beside the documents, and those beyond what is answered at once. One that says
// nothing by itself goes with the one it belongs to.
func TestWhatIsNotAnsweredIsNamed(t *testing.T) {
	s := open(t)
	q := s.ask("제5조 내용이 뭐야? 오늘 점심 뭐 먹지? 제2조는? 왜? 제9조는? 제5조는? 제6조는 뭐야?", nil)
	for _, want := range []string{"‘오늘 점심 뭐 먹지?’\n\n그건 도서관의 문서에 대한 질문이 아닌 것 같아요.", "‘제2조는? 왜?’\n\n**계약 제2조", "‘제9조는?’\n\n문서에 없어요.", "다시 물어봐 주세요: ‘제5조는?’, ‘제6조는 뭐야?’"} {
		if !strings.Contains(q.Answer, want) {
			t.Errorf("%q lacks %q", q.Answer, want)
		}
	}
	if slices.ContainsFunc(s.used, func(u string) bool { return strings.Contains(u, `"6"`) }) || len(q.Parts) != 4 {
		t.Errorf("%d parts, %q", len(q.Parts), s.used)
	}
	s.none = true
	if q = s.ask("제5조 내용이 뭐야? 제2조는 뭐야?", nil); strings.Count(q.Answer, "문서가 없어요") != 1 {
		t.Errorf("%q", q.Answer)
	}
}

// Several questions go on where they stood, whenever the program dies: nothing that was found is looked up again.
func TestSeveralQuestionsGoOn(t *testing.T) {
	const text = "제5조 내용이 뭐야? 그럼 제2조 내용은?"
	s := open(t)
	whole := s.ask(text, nil)
	uses, died := len(s.used), errors.New("died")
	for after := 1; ; after++ {
		s = open(t)
		q, steps := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: text}, 0
		var kept []byte
		err := s.Answer(t.Context(), q, func(q *agent.Inquiry) (err error) {
			if kept, err = json.Marshal(q); err != nil {
				t.Error(err)
			}
			if steps++; steps == after {
				return died
			}
			return nil
		})
		if err == nil {
			if after < 8 {
				t.Fatalf("it was kept %d times", steps)
			}
			return
		}
		if !errors.Is(err, died) {
			t.Fatal(err)
		}
		again := &agent.Inquiry{}
		if err := json.Unmarshal(kept, again); err != nil {
			t.Fatal(err)
		}
		if err := s.Answer(t.Context(), again, func(*agent.Inquiry) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if again.Answer != whole.Answer || len(again.Sources) != 2 || len(again.Trail) != len(whole.Trail) || len(s.used) != uses {
			t.Errorf("after %d: %q, %d sources, %d of %d steps, %q", after, again.Answer, len(again.Sources), len(again.Trail), len(whole.Trail), s.used)
		}
	}
}

// A reply that is stopped keeps the questions that were answered, with what they rest on.
func TestStoppedAmongSeveral(t *testing.T) {
	s := open(t)
	stop, answered := errors.New("stop"), 0
	s.word = func([]library.Item) (agent.Wording, error) {
		answered++
		return agent.Wording{Text: "있어요 [1]."}, nil
	}
	q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: "제5조 내용이 뭐야? 그럼 제2조 내용은?"}
	if q.Broken("") {
		t.Error("nothing was told")
	}
	err := s.Answer(t.Context(), q, func(q *agent.Inquiry) error {
		if answered == 1 && q.Parts[1].Next != "" {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !q.Broken("그건") || q.Answer != "‘제5조 내용이 뭐야?’\n\n있어요 [1].\n\n‘그럼 제2조 내용은?’\n\n그건" || len(q.Sources) != 1 {
		t.Errorf("%v: %q, %+v", err, q.Answer, q.Sources)
	}
}
