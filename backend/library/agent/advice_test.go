package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/agent"
	"agentchat/backend/provider"
)

// mind is a scripted model: what it says to each kind of request, and the requests it got. A list that runs out stays at its
// last.
type mind struct {
	scope, previous *bool
	plans           [][]provider.LibraryUse
	verdicts        []provider.LibraryVerdict
	err             error

	asked []string
	seen  []string // what it was shown of documents
}

func (m *mind) note(what string, seen []provider.StepResult) error {
	m.asked = append(m.asked, what)
	for _, r := range seen {
		if !r.Untrusted {
			return errors.New("documents were shown as the shop's own words")
		}
		m.seen = append(m.seen, r.Text)
	}
	return m.err
}

// times is how many requests of a kind it got.
func (m *mind) times(what string) (n int) {
	for _, a := range m.asked {
		if a == what {
			n++
		}
	}
	return n
}

func nth[T any](list []T, n int) (v T) {
	if len(list) > 0 {
		v = list[min(n, len(list))-1]
	}
	return v
}

// Scope makes the shelf its agent's advisor.
func (s *shelf) Scope(_ context.Context, _ *agent.Inquiry, seen []provider.StepResult) (bool, error) {
	if s.mind == nil {
		return false, agent.ErrNoModel
	}
	err := s.mind.note("scope", seen)
	return s.mind.scope == nil || *s.mind.scope, err
}

func (s *shelf) Context(context.Context, *agent.Inquiry) (bool, error) {
	if s.mind == nil {
		return false, agent.ErrNoModel
	}
	err := s.mind.note("context", nil)
	return s.mind.previous != nil && *s.mind.previous, err
}

func (s *shelf) Plan(_ context.Context, _ *agent.Inquiry, seen []provider.StepResult) ([]provider.LibraryUse, error) {
	if s.mind == nil {
		return nil, agent.ErrNoModel
	}
	err := s.mind.note("plan", seen)
	return nth(s.mind.plans, s.mind.times("plan")), err
}

func (s *shelf) Evaluate(_ context.Context, _ *agent.Inquiry, seen []provider.StepResult) (provider.LibraryVerdict, error) {
	if s.mind == nil {
		return provider.LibraryVerdict{}, agent.ErrNoModel
	}
	err := s.mind.note("evaluate", seen)
	return nth(s.mind.verdicts, s.mind.times("evaluate")), err
}

func find(query, scope string) provider.LibraryUse {
	args := map[string]string{"query": query}
	if scope != "" {
		args["scope"] = scope
	}
	return provider.LibraryUse{Tool: "hybrid_search", Args: args}
}

func article(number string) provider.LibraryUse {
	return provider.LibraryUse{Tool: "get_article_by_index", Args: map[string]string{"number": number}}
}

var (
	enough = provider.LibraryVerdict{Sufficient: true, Why: "다 있다"}
	lacks  = provider.LibraryVerdict{Missing: []string{"월급"}, Why: "월급이 없다"}
)

// open question: no article, no title, so that only a model can say whether the findings answer it.
const openQuestion = "계약서에 1년으로 하는 것과 월급이 뭐야?"

func (s *shelf) walked(q *agent.Inquiry) string {
	var keys []string
	for _, u := range q.History {
		keys = append(keys, u.Key)
	}
	return strings.Join(keys, "|")
}

func who(t *testing.T, q *agent.Inquiry) string {
	t.Helper()
	var list []string
	for _, step := range q.Trail {
		data, _ := step.Data.(map[string]any)
		by, _ := data["by"].(string)
		if because, _ := data["because"].(string); because != "" {
			by += ":" + because
		}
		if step.Step == "generating" {
			continue
		}
		list = append(list, step.Step+"="+by)
	}
	return strings.Join(list, " ")
}

// Not enough, then two tools side by side, then enough: the model decides, within the rules of the graph.
func TestAModelPlansTheNextRound(t *testing.T) {
	s := open(t)
	s.mind = &mind{
		verdicts: []provider.LibraryVerdict{lacks, enough},
		plans:    [][]provider.LibraryUse{{article("제5조"), find("매월", "all"), article("5")}},
	}
	q := s.ask("계약서에 1년으로 적힌 것이 뭐야?", nil)
	if got := s.walked(q); got != `hybrid_search {"query":"1 년으 적힌"}|get_article_by_index {"number":"5"}|hybrid_search {"query":"매월","scope":"all"}` {
		t.Errorf("used %s", got)
	}
	want := "scope=rules:sure context=rules:sure planning=rules:sure tool_selected=rules:sure evaluation_result=model " +
		"planning=model tool_selected=model evaluation_result=model"
	if got := who(t, q); got != want {
		t.Errorf("decided by\n%s, want\n%s", got, want)
	}
	if strings.Join(s.mind.asked, " ") != "evaluate plan evaluate" || len(q.Decisions) != 2 || q.Decisions[0].By != "model" || q.Decisions[0].Why != "월급이 없다" {
		t.Errorf("asked %v, decided %+v", s.mind.asked, q.Decisions)
	}
	if !strings.Contains(q.Answer, "300만원") || len(q.Sources) != 3 || !strings.Contains(q.Trail[4].Text, "더 찾을 것: 월급 (모델이 정함)") {
		t.Errorf("%q from %+v, trail %+v", q.Answer, q.Sources, q.Trail)
	}
}

// What the rules are sure of costs no letter.
func TestNoLetterWhereARuleIsSure(t *testing.T) {
	before := &agent.Earlier{Question: "제5조 내용이 뭐야?", Answer: "…", Articles: []string{"제5조(임금)"}}
	for _, text := range []string{
		"제5조 내용이 뭐야?", "제2조와 제5조 알려줘", "제9조 보여줘", "그럼 계약 기간은?", "표준계약서랑 뭐가 달라?", "오늘 점심 뭐 먹지?", "안녕하세요!", "고마워요", "노래 틀어줘",
		"what does article 5 say?",
	} {
		s := open(t)
		s.mind = &mind{}
		if q := s.ask(text, before); len(s.mind.asked) > 0 || strings.Contains(who(t, q), "model") {
			t.Errorf("%s: asked %v", text, s.mind.asked)
		}
	}
}

// What the rules leave open the model decides.
func TestAModelDecidesWhatIsOpen(t *testing.T) {
	yes, no := true, false
	before := &agent.Earlier{Question: "제5조 내용이 뭐야?", Answer: "…", Articles: []string{"제5조(임금)"}}
	s := open(t)
	s.mind = &mind{scope: &no}
	if q := s.ask("월급은 어디서 쓸까?", before); !strings.Contains(q.Answer, "문서에 대한 질문이 아닌 것") || who(t, q) != "scope=model" || len(s.mind.seen) != 1 || !strings.Contains(s.mind.seen[0], "제5조(임금)") {
		t.Errorf("%q, %s, shown %q", q.Answer, who(t, q), s.mind.seen)
	}
	s = open(t)
	s.mind = &mind{scope: &yes, previous: &yes, verdicts: []provider.LibraryVerdict{enough}}
	q := s.ask("월급은 어디서 쓸까?", before)
	if !q.NeedPrevious || strings.Join(s.mind.asked, " ") != "scope context evaluate" || !strings.HasPrefix(who(t, q), "scope=model context=model planning=rules:sure") {
		t.Errorf("leans %v, asked %v, %s", q.NeedPrevious, s.mind.asked, who(t, q))
	}
}

// A model that fails is not asked again for the question, and the rules come to what they would have without it.
func TestRulesDecideWhenAModelFails(t *testing.T) {
	text := "계약서에 매월 내는 것이 있어?"
	plain := open(t).ask(text, nil)
	if !strings.Contains(who(t, plain), "planning=rules:no_model") || strings.Contains(plain.Trail[0].Text, "(") {
		t.Errorf("%s, %+v", who(t, plain), plain.Trail)
	}
	for _, code := range []apperr.Code{apperr.ModelBadOutput, apperr.ModelTimeout, apperr.ProviderUnreachable} {
		s := open(t)
		s.mind = &mind{err: apperr.New(code)}
		q := s.ask(text, nil)
		if q.Answer != plain.Answer || s.walked(q) != s.walked(plain) || len(s.mind.asked) != 1 || q.Silent != string(code) {
			t.Errorf("%s: %q after %v, asked %v", code, q.Answer, s.walked(q), s.mind.asked)
		}
		if w := who(t, q); !strings.Contains(w, "planning=rules:"+string(code)) || !slices.ContainsFunc(q.Trail, func(step event.Thinking) bool {
			return strings.HasSuffix(step.Text, "(모델의 답을 쓸 수 없어 규칙으로 정함)")
		}) {
			t.Errorf("%s: %s", code, w)
		}
	}
}

// A model that says the same again, nothing, or never enough is bounded by the graph.
func TestAModelIsBounded(t *testing.T) {
	s := open(t) // the rules looked for "1 년으 것과 월급"
	s.mind = &mind{verdicts: []provider.LibraryVerdict{lacks}, plans: [][]provider.LibraryUse{{find("  1  년으 것과   월급 ", "mine")}}}
	q := s.ask(openQuestion, nil)
	if len(q.History) != 1 || !q.AllSkipped || q.Decisions[len(q.Decisions)-1].Sufficient || !strings.HasSuffix(who(t, q), "planning=model evaluation_result=rules:sure") {
		t.Errorf("used %s, all skipped %v, %s", s.walked(q), q.AllSkipped, who(t, q))
	}

	s = open(t)
	s.mind = &mind{verdicts: []provider.LibraryVerdict{lacks}, plans: [][]provider.LibraryUse{{}}}
	if q := s.ask(openQuestion, nil); len(q.History) != 1 || !strings.Contains(q.Answer, "1년") { // no tools: respond
		t.Errorf("used %s: %q", s.walked(q), q.Answer)
	}

	s = open(t)
	s.mind = &mind{verdicts: []provider.LibraryVerdict{lacks}, plans: [][]provider.LibraryUse{{find("하나", "")}, {find("둘", "")}, {find("셋", "")}, {find("넷", "")}, {find("다섯", "")}}}
	if q := s.ask(openQuestion, nil); q.Iteration != agent.DefaultMaxIterations || s.mind.times("evaluate") != q.Iteration-1 || s.mind.times("plan") != q.Iteration-1 {
		t.Errorf("%d rounds, asked %v", q.Iteration, s.mind.asked)
	}

	s = open(t)
	s.mind = &mind{plans: [][]provider.LibraryUse{{}}} // nothing is found and nothing proposed: the rules go on
	if q := s.ask("계약서에 매월 내는 것이 있어?", nil); !strings.Contains(who(t, q), "planning=rules:nothing_proposed") || len(q.Sources) != 1 {
		t.Errorf("%s, %+v", who(t, q), q.Sources)
	}
}

// Whatever a model proposes, nothing but the library's tools is used, and only with what they take.
func TestNoToolOutsideTheLibrary(t *testing.T) {
	s := open(t)
	s.mind = &mind{verdicts: []provider.LibraryVerdict{lacks, enough}, plans: [][]provider.LibraryUse{{
		{Tool: "transfer", Args: map[string]string{"target": "해커", "amount": "1000000"}},
		{Tool: "hybrid_search", Args: map[string]string{"query": "월급", "document": "../../etc/passwd"}},
		{Tool: "hybrid_search", Args: map[string]string{"query": strings.Repeat("가", 201)}},
		{Tool: "get_article_by_index", Args: map[string]string{"number": "모두 보내라"}},
		article("5"), // beyond the most of one plan
	}}}
	if q := s.ask(openQuestion, nil); len(q.History) != 1 || slices.ContainsFunc(s.used, func(u string) bool { return !strings.HasPrefix(u, "hybrid_search ") }) {
		t.Errorf("used %v", s.used)
	}
}

// An inquiry that is broken off after any node asks no letter again whose node is kept.
func TestNoLetterIsWrittenTwice(t *testing.T) {
	for n := 1; ; n++ {
		s := open(t)
		s.mind = &mind{verdicts: []provider.LibraryVerdict{lacks, enough}, plans: [][]provider.LibraryUse{{article("5"), find("매월", "all")}}}
		q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: "계약서에 1년으로 적힌 것이 뭐야?"}
		again := s.diesAfter(n, q)
		if again == nil {
			if n < 8 {
				t.Errorf("only %d nodes", n)
			}
			return
		}
		if got := strings.Join(s.mind.asked, " "); got != "evaluate plan evaluate" || len(s.used) != 3 || !strings.Contains(again.Answer, "300만원") {
			t.Errorf("after node %d: asked %s, used %v: %q", n, got, s.used, again.Answer)
		}
	}
}

// A question that is stopped while the model thinks ends as stopped, not by the rules.
func TestAQuestionIsStoppedWhileTheModelThinks(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.mind = &mind{err: context.Canceled}
	err := s.Answer(ctx, &agent.Inquiry{Lang: bilingual.KO, Text: openQuestion}, func(q *agent.Inquiry) error {
		if q.Iteration == 1 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
