package interpreter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/fakemodel"
)

func TestMain(m *testing.M) {
	fakemodel.BeChild()
	goleak.VerifyTestMain(m)
}

func fakeServer(t *testing.T) *fakemodel.Process {
	t.Helper()
	server, err := fakemodel.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// behind is an interpreter whose provider speaks with a model of the fake server; the built-in one stands by.
func behind(t *testing.T, server *fakemodel.Process, model string, first, gap time.Duration) *desk {
	t.Helper()
	p := ollama.New(ollama.Options{
		Host: func() string { return server.Addr }, Model: func() string { return model },
		Timeouts: func() (time.Duration, time.Duration, time.Duration) { return 30 * time.Second, first, gap },
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return openWith(t, nil, func(deps *interpreter.Deps) {
		deps.Provider = func() provider.Provider { return p }
		deps.Standby = builtin.New()
	})
}

func callsOf(t *testing.T, server *fakemodel.Process, model string) (n int) {
	t.Helper()
	calls, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Model == model {
			n++
		}
	}
	return n
}

// faultCase is a scenario of the fake server and how requests to it end.
type faultCase struct {
	model      string
	plan, text apperr.Code // "": it is answered
	calls      int         // of each
	first, gap time.Duration
}

// Every way in which a model and its server can go wrong has an end that is known before, for a plan and for a text, and
// takes as many requests as it is worth.
func TestEveryFaultHasADefinedEnd(t *testing.T) {
	server := fakeServer(t)
	soon, patient := 300*time.Millisecond, 2*time.Minute
	for _, c := range []faultCase{
		{model: "silent", plan: apperr.ModelTimeout, text: apperr.ModelTimeout, calls: 1, first: soon},
		{model: "drip", plan: apperr.ModelTimeout, text: apperr.ModelTimeout, calls: 1, first: soon},
		{model: "stalls", plan: apperr.ModelTimeout, text: apperr.ModelTimeout, calls: 1, gap: soon},
		{model: "eof", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "garbage", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "repeat-limit", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "blank-lines", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "huge-line", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "empty", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "think-only", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "whitespace", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "loop", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "loop-long", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "same-line", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "chinese", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "english", plan: apperr.ModelBadOutput, text: apperr.ModelBadOutput, calls: 3},
		{model: "english-once", calls: 2},
		{model: "duplicate-keys", plan: apperr.ModelBadOutput, calls: 3},
		{model: "two-objects", plan: apperr.ModelBadOutput, calls: 3},
		{model: "trailing-text", plan: apperr.ModelBadOutput, calls: 3},
		{model: "deep-json", plan: apperr.ModelBadOutput, calls: 3},
		{model: "not-json", plan: apperr.ModelBadOutput, calls: 3},
		{model: "length", plan: apperr.ModelBadOutput, calls: 3},
		{model: "overflow", plan: apperr.ContextOverflow, text: apperr.ContextOverflow, calls: 1},
		{model: "status-503x1", calls: 2},
	} {
		first, gap := patient, patient
		if c.first > 0 {
			first = c.first
		}
		if c.gap > 0 {
			gap = c.gap
		}
		t.Run(c.model+" plan", func(t *testing.T) {
			t.Parallel()
			model := c.model + "@" + t.Name()
			d := behind(t, server, model, first, gap)
			plan, err := d.Plan(t.Context(), streaming())
			c.check(t, server, model, c.plan, err)
			if s := d.streamed(); err == nil && s.words != plan.Reply || err != nil && !within(s.words) {
				t.Errorf("%+v streamed of %+v", s, plan)
			}
			told(t, err)
		})
		if c.plan != "" && c.text == "" {
			continue // its fault is in the JSON
		}
		t.Run(c.model+" text", func(t *testing.T) {
			t.Parallel()
			model := c.model + "@" + t.Name()
			d := behind(t, server, model, first, gap)
			solution, err := d.Solve(t.Context(), streaming())
			text := solution.Text
			c.check(t, server, model, c.text, err)
			if s := d.streamed(); err == nil && s.words != text {
				t.Errorf("%+v streamed of %q", s, text)
			}
			told(t, err)
		})
	}
}

func (c faultCase) check(t *testing.T, server *fakemodel.Process, model string, want apperr.Code, err error) {
	t.Helper()
	if got := apperr.CodeOf(err); got != want {
		t.Errorf("ended with %q (%v), want %q", got, err, want)
	}
	// Whoever waits for so short a time may be gone before the server knows of the request, but does not ask twice.
	if n := callsOf(t, server, model); n > c.calls || n < c.calls && c.first == 0 {
		t.Errorf("%d letters, want %d", n, c.calls)
	}
}

// within tells whether what streamed of a reply that was not accepted has nothing of its JSON in it.
func within(words string) bool {
	return !strings.ContainsAny(words, "{}") && !strings.Contains(words, "route")
}

// told fails the test when an error has no sentence for people.
func told(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, lang := range []bilingual.Lang{bilingual.KO, bilingual.EN} {
		if text := apperr.From(err).Text(lang); text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("a person reads %q", text)
		}
	}
}

// A report and a summary always come to words: those of the model, else those that need no model.
func TestAReportNeverFailsForWantOfWords(t *testing.T) {
	server := fakeServer(t)
	for _, model := range []string{"chinese", "empty", "same-line", "eof", "think-only"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			d := behind(t, server, model+"@"+t.Name(), 30*time.Second, 30*time.Second)
			b := streaming()
			b.Background.Transcript = []provider.Turn{{Speaker: "customer", Text: "3 더하기 4는?"}, {Speaker: "shop", Text: "7이에요."}}
			b.Outcome, b.Results = "succeeded", []provider.StepResult{{Title: "계산", Tool: "song", Text: "7이에요.", OK: true}, {Title: "노래", Tool: "song", Text: "다 들었어요.", OK: true}}
			w, err := d.Report(t.Context(), b)
			if err != nil || !strings.Contains(w.Text, "7") {
				t.Errorf("%+v, %v", w, err)
			}
			if text, err := d.Summarize(t.Context(), b); err != nil || text == "" {
				t.Errorf("%q, %v", text, err)
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			if last := d.kept[len(d.kept)-1]; len(d.kept) != 8 || last.Provider != "builtin" || last.Error != "" || d.kept[2].Attempt != 3 {
				t.Errorf("%d exchanges, the last of %s", len(d.kept), last.Provider)
			}
		})
	}
}

// What a tool says of itself, and what failed, is told by code: no model is asked, and none can say that it was done.
func TestAReportThatSpeaksForItselfNeedsNoModel(t *testing.T) {
	long := strings.Repeat("남의 글. ", 200)
	for name, c := range map[string]struct {
		outcome  string
		results  []provider.StepResult
		says     string
		requests int
	}{
		"one step":        {"succeeded", []provider.StepResult{{Title: "계산", Text: "7이에요.", OK: true}}, "7이에요.", 0},
		"it failed":       {"failed", []provider.StepResult{{Title: "하나", Text: "하나 했어요.", OK: true}, {Title: "둘", Text: "길이 막혔어요."}}, "길이 막혔어요.", 0},
		"a page to read":  {"succeeded", []provider.StepResult{{Title: "웹", Text: long, OK: true, Untrusted: true}}, "다 됐어요.", 1},
		"two steps":       {"succeeded", []provider.StepResult{{Title: "하나", Text: "하나.", OK: true}, {Title: "둘", Text: "둘.", OK: true}}, "다 됐어요.", 1},
		"a page's header": {"succeeded", []provider.StepResult{{Title: "웹", Text: "짧은 글", OK: true, Untrusted: true}}, "짧은 글", 0},
	} {
		d := openWith(t, fixed("다 됐어요."), func(deps *interpreter.Deps) { deps.Standby = builtin.New() })
		b := brief
		b.Outcome, b.Results = c.outcome, c.results
		w, err := d.Report(t.Context(), b)
		if err != nil || !strings.Contains(w.Text, c.says) || w.Worded != (c.requests > 0) || len(d.voice.Requests()) != c.requests {
			t.Errorf("%s: %+v, %v after %d requests", name, w, err, len(d.voice.Requests()))
		}
	}
}

// Stopping ends the work of the server, not only the waiting for it.
func TestStoppingEndsTheServersWork(t *testing.T) {
	server := fakeServer(t)
	for _, model := range []string{"endless", "silent"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			model += "@" + t.Name()
			d := behind(t, server, model, 30*time.Second, 30*time.Second)
			ctx, stop := context.WithCancel(t.Context())
			over := make(chan error, 1)
			go func() { _, err := d.Solve(ctx, streaming()); over <- err }()
			if _, err := server.Await(t.Context(), model, "running"); err != nil {
				t.Fatal(err)
			}
			stop()
			if err := <-over; apperr.CodeOf(err) != apperr.Canceled {
				t.Error(err)
			}
			seq := d.bus.Seq()
			if _, err := server.Await(t.Context(), model, "aborted"); err != nil {
				t.Error(err)
			}
			if d.bus.Seq() != seq {
				t.Error("something was told after the stop")
			}
		})
	}
}

// The very same request goes out again and nothing comes of it but an exchange that is kept.
func TestReplay(t *testing.T) {
	server := fakeServer(t)
	model := "shop@" + t.Name()
	d := behind(t, server, model, 30*time.Second, 30*time.Second)
	if _, err := d.Plan(t.Context(), streaming()); err != nil {
		t.Fatal(err)
	}
	seq := d.bus.Seq()
	x := d.Replay(t.Context(), d.kept[0])
	if x.Error != "" || x.ReplayOf != d.kept[0].Request.ID || x.Request.ID == x.ReplayOf || x.Reply.Text != d.kept[0].Reply.Text || x.Reply.Model != model || x.Provider != "ollama" {
		t.Errorf("%+v", x)
	}
	if d.bus.Seq() != seq {
		t.Error("a replay was told to the world")
	}
	calls, err := server.Calls(t.Context())
	if err != nil || len(calls) != 2 || string(calls[0].Body) != string(calls[1].Body) {
		t.Errorf("%d calls, %v; the same: %t", len(calls), err, len(calls) == 2 && string(calls[0].Body) == string(calls[1].Body))
	}
	if len(d.kept) != 2 || d.kept[1].Request.ID != x.Request.ID {
		t.Errorf("%d exchanges are kept", len(d.kept))
	}
}
