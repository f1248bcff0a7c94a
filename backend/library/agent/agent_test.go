package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/agent"
)

// shelf is a library of one contract and one standard, and everything that was asked of it.
type shelf struct {
	*agent.Agent
	deps  agent.Deps
	t     *testing.T
	mu    sync.Mutex
	used  []string
	bus   *event.Bus
	read  *event.Reader
	word  func(chosen []library.Item) (agent.Wording, error)
	room  int
	mind  *mind         // nil: no model
	gate  chan struct{} // when set, every tool waits for it
	began chan string
	max   int
	none  bool // no document at all
}

var own = map[string]library.Item{
	"2": {DocumentID: "d", Title: "계약", Kind: "mine", Article: "제2조(계약기간)", Number: "2", Page: 1, Start: 10, End: 40, Quote: "제2조(계약기간) 계약기간은 1년으로 한다.", Score: 1},
	"5": {DocumentID: "d", Title: "계약", Kind: "mine", Article: "제5조(임금)", Number: "5", Page: 2, Start: 50, End: 90, Quote: "제5조(임금) 월급은 300만원으로 한다.", Score: 1},
}

var standard = library.Item{DocumentID: "s", Title: "표준", Kind: "standard", Article: "제6조(임금)", Number: "6", Page: 1, Start: 5, End: 60, Quote: "임금은 매월 지급한다.", Score: 1}

func open(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t: t, bus: event.NewBus(0, time.Now), max: agent.DefaultMaxIterations, room: 1000}
	s.read = s.bus.SubscribeFrom(1)
	t.Cleanup(s.bus.Close)
	s.deps = agent.Deps{
		Run: s.run, Publisher: s.bus, Advisor: s, MaxIterations: func() int { return s.max },
		Articles: func(_ context.Context, document string) ([]string, int, error) {
			if s.none || document != "" && document != "d" {
				return nil, 0, nil
			}
			return []string{"제2조(계약기간)", "제5조(임금)"}, 1, nil
		},
		Word: func(_ context.Context, _ *agent.Inquiry, chosen []library.Item, _ string) (agent.Wording, error) {
			if s.word == nil {
				return agent.Wording{}, nil
			}
			return s.word(chosen)
		},
		Room:      func() int { return s.room },
		Questions: func(text string) []string { return strings.SplitAfter(text, "? ") },
	}
	s.again()
	return s
}

// again makes the agent of what it works with now.
func (s *shelf) again() {
	s.t.Helper()
	var err error
	if s.Agent, err = agent.New(s.deps); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) run(ctx context.Context, tool, _ string, _ bilingual.Lang, args map[string]any) ([]byte, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.used = append(s.used, tool+" "+string(raw))
	s.mu.Unlock()
	if s.gate != nil {
		s.began <- tool
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f := library.Report{Items: []library.Item{}}
	text := fmt.Sprint(args["query"], args["title"], args["clause"])
	if document := args["document"]; document != nil && document != "d" {
		return json.Marshal(f) // nothing stands in another
	}
	switch tool {
	case "get_article_by_index":
		if it, ok := own[fmt.Sprint(args["number"])]; ok {
			f.Items = append(f.Items, it)
		}
	case "lookup_standard_contract":
		if strings.Contains(text, "5") || strings.Contains(text, "임금") {
			f.Items = append(f.Items, own["5"], standard)
			f.Comparison = &library.Differences{OnlyMine: []string{"300만원"}}
		}
	default:
		if strings.Contains(text, "고장") {
			return nil, errors.New("broken")
		}
		for _, it := range []library.Item{own["2"], own["5"]} {
			for w := range strings.FieldsSeq(text) {
				if strings.Contains(strings.ReplaceAll(it.Quote, " ", ""), w) && !slices.Contains(f.Items, it) {
					f.Items = append(f.Items, it)
				}
			}
		}
		if args["scope"] == "all" && strings.Contains(text, "매월") {
			f.Items = append(f.Items, standard)
		}
	}
	return json.Marshal(f)
}

func (s *shelf) ask(text string, before *agent.Earlier) *agent.Inquiry {
	s.t.Helper()
	q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: text, Before: before}
	if err := s.Answer(s.t.Context(), q, func(*agent.Inquiry) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	return q
}

// The questions of the seed, and every branch of its graph.
func TestQuestions(t *testing.T) {
	wage := &agent.Earlier{Question: "제5조 내용이 뭐야?", Answer: "…", Articles: []string{"제5조(임금)"}}
	for text, c := range map[string]struct {
		before *agent.Earlier
		used   string // all tools, in order
		answer string // a part
		source string // the articles
		needs  bool
	}{
		"제5조 내용이 뭐야?":     {nil, `get_article_by_index {"number":"5"}`, "300만원", "제5조(임금)", false},
		"그럼 계약 기간은?":      {wage, `hybrid_search {"query":"계약 기간"}`, "1년", "제2조(계약기간)", true},
		"표준계약서랑 뭐가 달라?":   {wage, `lookup_standard_contract {"clause":"제5조(임금)"}`, "내 문서에만 있는 숫자: 300만원", "제5조(임금) 제6조(임금)", true},
		"오늘 점심 뭐 먹지?":     {wage, `hybrid_search {"query":"오늘 점심 뭐 먹지?"}`, "문서에 대한 질문이 아닌 것", "", false},
		"임금 조항을 표준과 비교해줘": {nil, `lookup_standard_contract {"clause":"임금"}`, "표준: **표준 제6조(임금)**", "제5조(임금) 제6조(임금)", false},
		"제2조와 제5조 알려줘":    {nil, `get_article_by_index {"number":"2"}|get_article_by_index {"number":"5"}`, "1년", "제2조(계약기간) 제5조(임금)", false},
		"제9조 보여줘":         {nil, `get_article_by_index {"number":"9"}|get_article_by_index {"number":"9","scope":"all"}`, "문서에 없어요. 있는 조문은 제2조(계약기간), 제5조(임금)", "", false},
		"계약서에 매월 내는 것이 있어?": {
			nil, `hybrid_search {"query":"매월 내는"}|hybrid_search {"query":"매월 내는","scope":"all"}|get_article_by_title {"scope":"all","title":"매월 내는"}`,
			"내 문서에는 없어요.", "제6조(임금)", false,
		},
		"계약서에서 고장 찾아줘": {nil, `hybrid_search {"query":"고장"}|hybrid_search {"query":"고장","scope":"all"}|get_article_by_title {"scope":"all","title":"고장"}`, "문서에 없어요", "", false},
	} {
		s := open(t)
		q := s.ask(text, c.before)
		used := s.used
		if len(q.History) == len(used) { // tools that ran side by side are compared in the order they were asked for
			used = nil
			for _, u := range q.History {
				used = append(used, u.Key)
			}
		}
		var sources []string
		for _, it := range q.Sources {
			sources = append(sources, it.Article)
		}
		if got := strings.Join(used, "|"); got != c.used && !strings.HasPrefix(got, c.used+"|") {
			t.Errorf("%s used %s, want %s", text, got, c.used)
		}
		if !strings.Contains(q.Answer, c.answer) || strings.Join(sources, " ") != c.source || q.NeedPrevious != c.needs || len(q.Unverified) > 0 {
			t.Errorf("%s: %q from %v, leans %v, unverified %v", text, q.Answer, sources, q.NeedPrevious, q.Unverified)
		}
		if q.Iteration > s.max || len(q.Trail) == 0 || q.Trail[0].Step != "scope" {
			t.Errorf("%s: %d rounds, trail %+v", text, q.Iteration, q.Trail)
		}
		keys := map[string]bool{}
		for _, u := range q.History {
			if keys[u.Key] {
				t.Errorf("%s: %s was used twice", text, u.Key)
			}
			keys[u.Key] = true
		}
	}
}

func TestNoDocuments(t *testing.T) {
	s := open(t)
	s.none = true
	if q := s.ask("제5조 내용이 뭐야?", nil); !strings.Contains(q.Answer, "아직 문서가 없어요") || len(s.used) != 0 {
		t.Errorf("%q after %v", q.Answer, s.used)
	}
}

func TestIterationsAreBounded(t *testing.T) {
	s := open(t)
	s.max = 1
	if q := s.ask("계약서에서 없는말 찾아줘", nil); q.Iteration != 1 || !strings.Contains(q.Answer, "문서에 없어요") {
		t.Errorf("%d rounds: %q", q.Iteration, q.Answer)
	}
}

// Tools that do not depend on each other run side by side.
func TestToolsRunSideBySide(t *testing.T) {
	s := open(t)
	s.gate, s.began = make(chan struct{}), make(chan string, 4)
	done := make(chan *agent.Inquiry)
	go func() { done <- s.ask("제2조와 제5조 알려줘", nil) }()
	<-s.began
	<-s.began // the second began while the first was still at it
	close(s.gate)
	if q := <-done; len(q.Sources) != 2 || q.Sources[0].Article != "제2조(계약기간)" {
		t.Errorf("%+v", q.Sources)
	}
}

func TestAnInquiryIsCanceled(t *testing.T) {
	s := open(t)
	s.gate, s.began = make(chan struct{}), make(chan string, 4)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error)
	go func() {
		over <- s.Answer(ctx, &agent.Inquiry{Lang: bilingual.KO, Text: "제5조 알려줘"}, func(*agent.Inquiry) error { return nil })
	}()
	<-s.began
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// diesAfter breaks an inquiry off after its nth node, and gives what the next program makes of what was kept of it; nil when
// it has fewer nodes and came to its end.
func (s *shelf) diesAfter(n int, q *agent.Inquiry) *agent.Inquiry {
	s.t.Helper()
	died := errors.New("died")
	var kept []byte
	saved := 0
	err := s.Answer(s.t.Context(), q, func(q *agent.Inquiry) (err error) {
		if saved++; saved == n {
			kept, err = json.Marshal(q)
			return errors.Join(err, died)
		}
		return nil
	})
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, died):
		s.t.Fatal(err)
	}
	again := &agent.Inquiry{}
	if err := json.Unmarshal(kept, again); err != nil {
		s.t.Fatal(err)
	}
	if err := s.Answer(s.t.Context(), again, func(*agent.Inquiry) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	return again
}

// An inquiry that is broken off after any node ends like one that was not, and no tool is used again that was kept.
func TestAnInquiryGoesOnAfterEveryNode(t *testing.T) {
	whole := open(t).ask("제2조와 제5조를 알려줘", nil)
	for n := 1; ; n++ {
		s := open(t)
		q := &agent.Inquiry{Chat: "main", Message: "m", Lang: bilingual.KO, Text: "제2조와 제5조를 알려줘"}
		again := s.diesAfter(n, q)
		if again == nil {
			if n < 6 {
				t.Errorf("only %d nodes", n)
			}
			return
		}
		if again.Answer != whole.Answer || len(again.Sources) != len(whole.Sources) || len(s.used) != 2 {
			t.Errorf("after node %d: %q, %d sources, used %v", n, again.Answer, len(again.Sources), s.used)
		}
	}
}

// What a model names and no passage holds is flagged; a model that fails leaves the passages.
func TestAnswersOfAModel(t *testing.T) {
	for said, want := range map[string]string{
		"제5조에 따라 월급은 300만원이에요.":           "",
		"월급은 400만원이고 “월급은 500만원으로”라고 해요.": "400만원 500만원 월급은 500만원으로",
		"제7조를 보세요. 10퍼센트예요.":              "10퍼센트 제7조",
		"“월급은 300만원으로 한다” [1].":           "",
		"“월급은 … 한다” [1]라고 해요.":            "",
		"“월급은 300만원으로 한다” [2].":           "[2] 월급은 300만원으로 한다",
	} {
		s := open(t)
		s.word = func([]library.Item) (agent.Wording, error) { return agent.Wording{Text: said}, nil }
		if q := s.ask("제5조 알려줘", nil); q.Answer != said || strings.Join(slices.Sorted(slices.Values(q.Unverified)), " ") != want {
			t.Errorf("%q: unverified %v", q.Answer, q.Unverified)
		}
	}
	s := open(t)
	s.word = func([]library.Item) (agent.Wording, error) { return agent.Wording{}, errors.New("no model") }
	if q := s.ask("제5조 알려줘", nil); !strings.Contains(q.Answer, "300만원") {
		t.Errorf("%q", q.Answer)
	}
	s = open(t)
	s.word = func([]library.Item) (agent.Wording, error) { return agent.Wording{Text: "월급은", Cut: true}, nil }
	if q := s.ask("제5조 알려줘", nil); !strings.HasPrefix(q.Answer, "월급은\n\n(답이 길어져서") {
		t.Errorf("an answer that was cut: %q", q.Answer)
	}
}

// A model is given as many passages as it has room for, and these are the sources.
func TestPassagesForAModel(t *testing.T) {
	for room, want := range map[int]int{1000: 2, 30: 1, 0: 1} {
		s := open(t)
		s.room = room
		given := 0
		s.word = func(chosen []library.Item) (agent.Wording, error) {
			given = len(chosen)
			return agent.Wording{Text: "네."}, nil
		}
		if q := s.ask("제2조와 제5조를 알려줘", nil); given != want || len(q.Sources) != want {
			t.Errorf("with room for %d characters: %d passages, %d sources", room, given, len(q.Sources))
		}
	}
}

func TestConcerns(t *testing.T) {
	for text, want := range map[string][2]int{ // alone, and after an answer from the library
		"제5조 내용이 뭐야?": {2, 2}, "계약 기간은 언제까지야?": {2, 2}, "표준계약서랑 뭐가 달라?": {2, 2}, "그럼 위약금은 얼마야?": {0, 2},
		"오늘 점심 뭐 먹지?": {0, 1}, "노래 틀어줘": {0, 0}, "엄마한테 만원 보내줘": {0, 0}, "계약서 작성하느라 힘들었어": {0, 0},
		"what does article 5 say?": {2, 2}, "compare it with the standard contract": {2, 2}, "안녕": {0, 0}, "고마워": {0, 0}, "5조 원이 얼마나 큰 돈이야?": {0, 1},
	} {
		if a, b := agent.Concerns(text, false), agent.Concerns(text, true); a != want[0] || b != want[1] {
			t.Errorf("%s: %d, %d, want %v", text, a, b, want)
		}
	}
}
