package interpreter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// reader is a model service that reads so many tokens and no more.
type reader struct {
	tokenizer tokenizer
	window    int
	silent    bool // cuts what is too long instead of refusing it
	mute      bool // refuses without a figure

	mu      sync.Mutex
	letters []provider.Request
	refused int
}

func (*reader) Name() string                                     { return "reader" }
func (*reader) Parallel() int                                    { return 1 }
func (*reader) Models(context.Context) ([]provider.Model, error) { return nil, nil }
func (*reader) Status(context.Context) provider.Status {
	return provider.Status{Health: provider.HealthOK}
}

func (*reader) Embed(context.Context, []string) ([][]float32, error) {
	return nil, apperr.New(apperr.NotAvailable)
}

func (r *reader) count(l provider.Request) int {
	return r.tokenizer.counts(provider.Adapter{}.NormalizePrompt(l), rand.New(rand.NewPCG(1, 1)))
}

func (r *reader) Chat(_ context.Context, l provider.Request, _ func(provider.Delta)) (provider.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.count(l)
	if n > r.window && !r.silent {
		r.refused++
		words := fmt.Sprintf("request (%d tokens) exceeds the available context size (%d tokens), try increasing it", n, r.window)
		if r.mute {
			words = "exceed_context_size"
		}
		return provider.Reply{}, apperr.Wrap(fmt.Errorf("status 400: %w", errors.New(words)), apperr.ContextOverflow)
	}
	r.letters = append(r.letters, l)
	text := `{"route":"answer","reply":"네, 알겠어요."}`
	if l.Role == provider.RoleSummarizer {
		text = "요약이에요: " + strings.Repeat("그리고 또 ", 20)
	} else if l.Schema == nil {
		text = "네, 알겠어요."
	}
	return provider.Reply{Text: text, TokensIn: min(n, r.window)}, nil
}

// study is an interpreter with a budget over a reader.
type study struct {
	*Interpreter
	t      testing.TB
	reader *reader
	bus    *event.Bus
	set    int // the window by settings
	cuts   int
}

func enter(t testing.TB, r *reader, set int) *study {
	s := &study{t: t, reader: r, bus: event.NewBus(0, nil), set: set}
	ids := 0
	s.Interpreter = New(Deps{
		Provider: func() provider.Provider { return r },
		Tools: func(bilingual.Lang) []provider.ToolCard {
			return []provider.ToolCard{{Key: "song", Description: strings.Repeat("plays a song ", 20), Params: json.RawMessage(`{}`)}}
		},
		Timeouts:  func() Timeouts { return Timeouts{First: time.Minute, Gap: time.Minute} },
		Publisher: s.bus, NewID: func() string { ids++; return fmt.Sprint("L", ids) },
		Budget: Budget{
			Window:  func(provider.Provider, provider.Role, string) Window { return Window{Model: "m", Tokens: s.set} },
			Reserve: func(provider.Role) int { return 256 }, Compact: s.compact, Log: zerolog.Nop(),
		},
	})
	return s
}

// compact is a memory without a ledger: it sums up all but the last turn.
func (s *study) compact(ctx context.Context, _ string, pen Summarizer) (Background, bool, error) {
	s.cuts++
	summary, err := pen.Compact(ctx, Background{Transcript: []provider.Turn{{Speaker: "customer", Text: "앞부분"}}})
	if err != nil {
		return Background{}, false, err
	}
	return Background{Summary: summary, Facts: []string{"[customer 2026-11-21] 사실"}, Transcript: []provider.Turn{{Speaker: "customer", Text: "마지막 말"}}}, true, nil
}

// events gives what was published of one kind.
func events[P event.Payload](s *study) (list []P) {
	s.t.Helper()
	r := s.bus.SubscribeFrom(1)
	for seen := uint64(0); seen < s.bus.Seq(); {
		batch, err := r.Next(context.Background(), 0)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, e := range batch {
			seen = e.Seq
			var p P
			if e.Kind != p.EventKind() {
				continue
			}
			if err := json.Unmarshal(e.Data, &p); err != nil {
				s.t.Fatal(err)
			}
			list = append(list, p)
		}
	}
	return list
}

func talk(turns, length int) (b Background) {
	for n := range turns {
		b.Transcript = append(b.Transcript,
			provider.Turn{Speaker: "customer", Text: fmt.Sprintf("말 %d ", n) + strings.Repeat("그리고 ", length)}, provider.Turn{Speaker: "shop", Text: "네, 알겠어요."})
	}
	return b
}

func (s *study) plan(b Background, request string) error {
	_, err := s.Plan(context.Background(), Brief{Chat: "main", Lang: bilingual.KO, Now: time.Now(), Request: request, Background: b})
	return err
}

func TestALetterThatFitsIsLeftAlone(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 8192}, 8192)
	b := talk(4, 5)
	if err := s.plan(b, "안녕"); err != nil || s.cuts != 0 || len(s.reader.letters[0].Transcript) != 8 || len(events[event.Thinking](s)) != 0 {
		t.Errorf("%v, %d cuts, %+v", err, s.cuts, s.reader.letters)
	}
}

func TestALetterThatDoesNotFitIsCompactedAndSaysSo(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 4096}, 4096)
	if err := s.plan(talk(40, 80), "안녕"); err != nil {
		t.Fatal(err)
	}
	reqs := s.reader.letters
	if s.cuts != 1 || s.reader.refused != 0 || len(reqs) != 2 || reqs[0].Role != provider.RoleSummarizer || reqs[1].Summary == "" ||
		len(reqs[1].Transcript) != 1 || reqs[1].Message != "안녕" || len(reqs[1].Facts) != 1 {
		t.Errorf("%d cuts, %d letters: %+v", s.cuts, len(reqs), reqs)
	}
	said := events[event.Thinking](s)
	if len(said) != 1 || said[0].Step != "context" || said[0].Text != compacted.KO {
		t.Errorf("it was said: %+v", said)
	}
	starts, ends := events[event.AgentStart](s), events[event.AgentDone](s)
	if len(starts) != 2 || len(ends) != 2 || ends[0].Agent != "summarizer" || !ends[0].Success {
		t.Errorf("agents: %+v, %+v", starts, ends)
	}
}

// What one step brought may be longer than everything else; it is shortened, and one can see that it was.
func TestLongResultsAreShortenedVisibly(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 4096}, 4096)
	s.deps.Budget.Compact = nil
	results := []provider.StepResult{{Title: "글", Text: strings.Repeat("가나다 ", 4000), OK: true}, {Title: "수", Text: "42", OK: true}}
	_, err := s.Report(t.Context(), Brief{Chat: "main", Job: "j", Lang: bilingual.KO, Request: "읽어줘", Results: results})
	if err != nil || len(s.reader.letters) != 1 {
		t.Fatal(err, len(s.reader.letters))
	}
	l := s.reader.letters[0]
	if got := l.State.Results; len(got) != 2 || got[1].Text != "42" || !strings.HasPrefix(got[0].Text, "가나다") || !strings.Contains(got[0].Text, "/16000)") {
		t.Errorf("%.80q… and %q", got[0].Text, got[1].Text)
	}
	if len(results[0].Text) < 16000 {
		t.Error("the job's own result was changed")
	}
	if said := events[event.Thinking](s); len(said) != 1 || said[0].Text != shortened.KO {
		t.Errorf("it was said: %+v", said)
	}
}

func TestARequestThatIsTooLongIsRefused(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 4096}, 4096)
	if err := s.plan(talk(2, 2), strings.Repeat("아주 긴 부탁 ", 3000)); apperr.CodeOf(err) != apperr.ContextOverflow {
		t.Errorf("%v", err)
	}
	for _, l := range s.reader.letters {
		if l.Role == provider.RolePlanner {
			t.Error("it was sent all the same")
		}
	}
}

// The server knows better: one compaction and one more try, and from then on its figures count.
func TestAServerThatRefuses(t *testing.T) {
	for _, mute := range []bool{false, true} {
		s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 2500, mute: mute}, 8192)
		if err := s.plan(talk(20, 60), "안녕"); err != nil || s.reader.refused != 1 || s.cuts != 1 {
			t.Fatalf("%v, refused %d times, %d cuts", err, s.reader.refused, s.cuts)
		}
		if mute {
			continue
		}
		if err := s.plan(talk(20, 60), "안녕"); err != nil || s.reader.refused != 1 || s.cuts != 2 {
			t.Errorf("the second time: %v, refused %d times, %d cuts", err, s.reader.refused, s.cuts)
		}
		if g := s.Gauge("main", bilingual.KO, Background{}); g.NumCtx != 2500 {
			t.Errorf("the window is taken for %d", g.NumCtx)
		}
	}
}

func TestAServerThatAlwaysRefuses(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 10, mute: true}, 8192)
	if err := s.plan(talk(4, 4), "안녕"); apperr.CodeOf(err) != apperr.ContextOverflow {
		t.Errorf("%v", err)
	}
	planners := s.reader.refused
	if planners > 4 { // the request and its retry, and the summaries that were tried for it
		t.Errorf("asked %d times", planners)
	}
}

// A server that silently read less than it was sent is found out, once, and the alarm ends when it reads whole requests.
func TestASilentCutRaisesTheAlarm(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 100000, silent: true}, 32768)
	for n := range 5 {
		if err := s.plan(talk(2*n, 20), "안녕"); err != nil {
			t.Fatal(err)
		}
	}
	if errs := events[event.Error](s); len(errs) != 0 {
		t.Fatalf("a false alarm: %+v", errs)
	}
	s.reader.window = 2000
	for range 3 {
		if err := s.plan(talk(60, 20), "안녕"); err != nil {
			t.Fatal(err)
		}
	}
	errs := events[event.Error](s)
	g := s.Gauge("main", bilingual.KO, talk(60, 20))
	if len(errs) != 1 || errs[0].Code != "context_truncated" || !strings.Contains(errs[0].Message, "2000") {
		t.Errorf("%+v", errs)
	}
	if g.Alarm == nil || g.Alarm.Read != 2000 || g.Alarm.Sent <= 2000 || g.Alarm.Message == "" || g.Server != 2000 || g.ServerEstimated <= 2000 {
		t.Errorf("%+v", g)
	}
	s.reader.window = 100000
	if err := s.plan(talk(60, 20), "안녕"); err != nil {
		t.Fatal(err)
	}
	if g := s.Gauge("main", bilingual.KO, Background{}); g.Alarm != nil {
		t.Errorf("%+v", g.Alarm)
	}
}

func TestTheGauge(t *testing.T) {
	s := enter(t, &reader{tokenizer: tokenizers["qwen 2.5"], window: 8192}, 8192)
	b := talk(4, 20)
	b.Summary, b.Facts = strings.Repeat("요약 ", 50), []string{"사실"}
	g := s.Gauge("main", bilingual.KO, b)
	if g.Calibrated || g.NumCtx != 8192 || g.Reserve != 256 || g.System <= 0 || g.Memory <= 0 || g.Transcript <= 0 ||
		g.System+g.Memory+g.Transcript != g.Estimated || g.Room != 8192-256-g.Estimated || g.Server != 0 {
		t.Errorf("%+v", g)
	}
	if err := s.plan(b, "안녕"); err != nil {
		t.Fatal(err)
	}
	if g := s.Gauge("main", bilingual.KO, b); !g.Calibrated || g.Server == 0 {
		t.Errorf("%+v", g)
	}
	s.set = 0
	if g := s.Gauge("main", bilingual.KO, b); g.NumCtx != 0 || g.Room != 0 || g.Estimated == 0 {
		t.Errorf("without a limit: %+v", g)
	}
}

// Whatever a request holds, what is sent is within the budget by the estimate, or nothing is sent and the error says why.
func TestTheBudgetIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		window := rapid.IntRange(600, 6000).Draw(rt, "window")
		s := enter(t, &reader{tokenizer: tokenizers["llama 3"], window: 1 << 20}, window)
		if rapid.Bool().Draw(rt, "nothing can be compacted") {
			s.deps.Budget.Compact = nil
		}
		b := talk(rapid.IntRange(0, 30).Draw(rt, "turns"), rapid.IntRange(0, 200).Draw(rt, "words"))
		b.Summary = strings.Repeat("요약 ", rapid.IntRange(0, 400).Draw(rt, "summary"))
		for n := range rapid.IntRange(0, 40).Draw(rt, "facts") {
			b.Facts = append(b.Facts, fmt.Sprint("사실 ", n))
		}
		brief := Brief{Chat: "main", Job: "j", Lang: bilingual.KO, Background: b, Request: strings.Repeat("부탁 ", rapid.IntRange(1, 1500).Draw(rt, "request"))}
		for n := range rapid.IntRange(0, 12).Draw(rt, "results") {
			brief.Results = append(brief.Results, provider.StepResult{Title: fmt.Sprint(n), Text: strings.Repeat("결과 ", rapid.IntRange(0, 2000).Draw(rt, "length")), OK: true})
		}
		_, err := s.Report(context.Background(), brief)
		var sent *provider.Request
		for n, l := range s.reader.letters {
			if l.Role == provider.RoleReporter {
				sent = &s.reader.letters[n]
			}
		}
		switch {
		case sent == nil && apperr.CodeOf(err) != apperr.ContextOverflow:
			rt.Fatalf("nothing was sent, and %v", err)
		case sent != nil && err != nil:
			rt.Fatalf("%v", err)
		case sent != nil:
			// Measured as it was before the server's figure was learned: a fresh meter.
			var m meter
			size := m.estimate("reader m", extentOf(provider.Adapter{}.NormalizePrompt(*sent)))
			if len(s.reader.letters) == 1 && size.high > window-min(256, window/4) && size.likely > window*15/16 {
				rt.Fatalf("%+v tokens in a window of %d", size, window)
			}
			if sent.Message != brief.Request {
				rt.Fatal("the request was changed")
			}
			if len(b.Transcript) > 0 && len(sent.Transcript) == 0 {
				rt.Fatal("the last turn is missing")
			}
		}
	})
}
