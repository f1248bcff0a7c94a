package interpreter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// desk is an interpreter whose provider is scripted.
type desk struct {
	*interpreter.Interpreter
	t     *testing.T
	voice *jobtest.ScriptedModel
	bus   *event.Bus

	mu   sync.Mutex
	kept []interpreter.Exchange
}

type say = func(ctx context.Context, l provider.Request, on func(provider.Delta)) (string, error)

func open(t *testing.T, answer say) *desk {
	t.Helper()
	return openWith(t, answer, func(*interpreter.Deps) {})
}

func openWith(t *testing.T, answer say, change func(*interpreter.Deps)) *desk {
	t.Helper()
	d := &desk{t: t, voice: &jobtest.ScriptedModel{Say: answer}, bus: event.NewBus(0, nil)}
	var ids atomic.Int64
	deps := interpreter.Deps{
		Provider: func() provider.Provider { return d.voice },
		Tools: func(bilingual.Lang) []provider.ToolCard {
			return []provider.ToolCard{{Key: "song", Params: json.RawMessage(`{}`)}}
		},
		Timeouts: func() interpreter.Timeouts {
			return interpreter.Timeouts{First: 2 * time.Minute, Gap: 30 * time.Second, Load: 10 * time.Minute}
		},
		Publisher: d.bus, NewID: func() string { return fmt.Sprint("L", ids.Add(1)) },
		Keep: func(x interpreter.Exchange) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.kept = append(d.kept, x)
		},
	}
	change(&deps)
	d.Interpreter = interpreter.New(deps)
	return d
}

// paired fails the test unless every agent.start has its agent.done, and gives the latter.
func (d *desk) paired() (done []event.AgentDone) {
	d.t.Helper()
	d.bus.Close()
	r := d.bus.SubscribeFrom(1)
	open := map[string]int{}
	for {
		batch, err := r.Next(context.Background(), 0)
		if err != nil {
			break
		}
		for _, e := range batch {
			var p event.AgentDone // has all of agent.start's fields
			if e.Kind == event.KindChatToken || e.Kind == event.KindThinking {
				continue
			}
			if err := json.Unmarshal(e.Data, &p); err != nil || p.Agent == "" || p.Label == "" {
				d.t.Errorf("%s: %s", e.Kind, e.Data)
			}
			switch e.Kind {
			case event.KindAgentStart:
				open[p.Agent]++
			case event.KindAgentDone:
				open[p.Agent]--
				done = append(done, p)
			default: // of no concern here
			}
		}
	}
	for agent, n := range open {
		if n != 0 {
			d.t.Errorf("%s: %d starts more than ends", agent, n)
		}
	}
	return done
}

var brief = interpreter.Brief{Chat: "main", Lang: bilingual.KO, Request: "노래 틀어줘"}

func fixed(replies ...string) say {
	var n atomic.Int64
	return func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		return replies[min(int(n.Add(1)), len(replies))-1], nil
	}
}

const goodPlan = `{"route":"jobs","reply":"네","jobs":[{"title":"노래","todos":[{"title":"노래","tool":"song","request":"노래"}]}]}`

func TestABadReplyIsSentBackTwice(t *testing.T) {
	d := open(t, fixed(`not json`, `{"route":"jobs","reply":"","jobs":[{"title":"x","todos":[{"title":"x","tool":"rocket","request":"x"}]}]}`, goodPlan))
	plan, err := d.Plan(t.Context(), brief)
	if err != nil || len(plan.Jobs) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	reqs := d.voice.Requests()
	if len(reqs) != 3 || reqs[0].State.Repair != "" || reqs[1].State.Repair == "" || !strings.Contains(reqs[2].State.Repair, "rocket") {
		t.Errorf("the letters name the problems %q, %q, %q", reqs[0].State.Repair, reqs[1].State.Repair, reqs[2].State.Repair)
	}
	if reqs[0].ID == reqs[1].ID {
		t.Error("a repair letter has the id of the first")
	}
	var adapter provider.Adapter
	if adapter.NormalizePrompt(reqs[0]).System != adapter.NormalizePrompt(reqs[2]).System {
		t.Error("a repair letter changes the first block")
	}
	if done := d.paired(); len(done) != 3 {
		t.Errorf("%d ends", len(done))
	}
}

// What the front desk found in a message is not looked for again; only a request without it is looked at.
func TestAMessageIsReadOnce(t *testing.T) {
	looked := 0
	d := openWith(t, fixed(goodPlan), func(deps *interpreter.Deps) {
		deps.Candidates = func(context.Context, string, time.Time, bilingual.Lang) []string { looked++; return []string{"song"} }
	})
	read := brief
	read.Candidates = []string{}
	for _, b := range []interpreter.Brief{read, brief} {
		if _, err := d.Plan(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	reqs := d.voice.Requests()
	if looked != 1 || len(reqs) != 2 || len(reqs[0].Shown) != 0 || !slices.Equal(reqs[1].Shown, []string{"song"}) {
		t.Errorf("looked %d times; %d requests", looked, len(reqs))
	}
}

func TestAReplyThatStaysBadIsAnError(t *testing.T) {
	d := open(t, fixed(`{"route":"jobs","reply":"x","route":"answer"}`))
	if _, err := d.Plan(t.Context(), brief); apperr.CodeOf(err) != apperr.ModelBadOutput {
		t.Errorf("%v", err)
	}
	if _, err := d.ChooseTool(t.Context(), brief); apperr.CodeOf(err) != apperr.ModelBadOutput {
		t.Errorf("%v", err)
	}
	if n := len(d.voice.Requests()); n != 6 {
		t.Errorf("%d letters, want 3 each", n)
	}
	d.paired()
}

// Only a bad reply is worth a repair request.
func TestOtherErrorsAreNotSentBack(t *testing.T) {
	d := open(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) {
		return "", apperr.New(apperr.ModelMissing, "model", "x")
	})
	if _, err := d.Plan(t.Context(), brief); apperr.CodeOf(err) != apperr.ModelMissing || len(d.voice.Requests()) != 1 {
		t.Errorf("%v after %d letters", err, len(d.voice.Requests()))
	}
	if done := d.paired(); len(done) != 1 || done[0].Success || done[0].Result != "model_missing" {
		t.Errorf("%+v", done)
	}
}

// The deadlines hold even against a provider that never answers and does not listen.
func TestDeadlines(t *testing.T) {
	for name, c := range map[string]struct {
		pieces int           // how many pieces come
		every  time.Duration // one each so often
		want   time.Duration // when it is given up
	}{
		"no first piece": {0, 0, 2 * time.Minute},
		"a gap":          {3, 20 * time.Second, 90 * time.Second},
		"thinking only":  {-4, 20 * time.Second, 110 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				d := open(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
					delta := provider.Delta{Text: "x"}
					if c.pieces < 0 {
						delta = provider.Delta{Thinking: "hm"}
					}
					for range max(c.pieces, -c.pieces) {
						<-time.After(c.every)
						on(delta)
					}
					<-release
					on(provider.Delta{Text: "too late"})
					return "too late", nil
				})
				b := brief
				b.Message = "m1"
				began := time.Now()
				_, err := d.Solve(t.Context(), b)
				if apperr.CodeOf(err) != apperr.ModelTimeout || time.Since(began) != c.want {
					t.Errorf("%v after %v, want %v", err, time.Since(began), c.want)
				}
				if want, heard := strings.Repeat("x", max(c.pieces, 0)), d.streamed().words; heard != want {
					t.Errorf("heard %q, want %q", heard, want)
				}
				if done := d.paired(); len(done) != 1 || done[0].Success || done[0].Ms != c.want.Milliseconds() {
					t.Errorf("%+v", done)
				}
			})
		})
	}
}

func TestALongAnswerIsNotATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (string, error) {
			for range 40 {
				<-time.After(29 * time.Second)
				on(provider.Delta{Text: "x"})
			}
			return strings.Repeat("x", 40), nil
		})
		solution, err := d.Solve(t.Context(), brief)
		text := solution.Text
		if err != nil || len(text) != 40 {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		d := open(t, jobtest.Silence(release))
		ctx, stop := context.WithCancel(t.Context())
		errs := make(chan error)
		began := time.Now()
		go func() { _, err := d.Plan(ctx, brief); errs <- err }()
		synctest.Wait()
		stop()
		if err := <-errs; apperr.CodeOf(err) != apperr.Canceled || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if done := d.paired(); len(done) != 1 || done[0].Result != "canceled" {
			t.Errorf("%+v", done)
		}
	})
}

func TestAProviderThatBreaksDownTakesNothingWithIt(t *testing.T) {
	d := open(t, func(context.Context, provider.Request, func(provider.Delta)) (string, error) { panic("sprocket") })
	if _, err := d.Report(t.Context(), brief); apperr.CodeOf(err) != apperr.Internal || !strings.Contains(err.Error(), "sprocket") {
		t.Errorf("%v", err)
	}
	d.paired()
}

func TestFreeTextIsMadeFit(t *testing.T) {
	d := open(t, fixed("<think>hm</think>\x1b  done\x00 "))
	if w, err := d.Report(t.Context(), brief); err != nil || w.Text != "done" {
		t.Errorf("%+v, %v", w, err)
	}
	d = open(t, fixed("<think>only this</think>  "))
	if _, err := d.Report(t.Context(), brief); apperr.CodeOf(err) != apperr.ModelBadOutput {
		t.Errorf("no text at all: %v", err)
	}
}

// A role gets what it needs and nothing changes the first block; a tool chooser reads the todo's words.
func TestWhatALetterCarries(t *testing.T) {
	d := open(t, fixed(`{"tool":"song","args":{}}`))
	b := brief
	b.Job, b.Todo, b.Correction = "j1", &provider.TodoCard{Title: "t", Tool: "song", Request: "only this part"}, "louder"
	b.Previous = json.RawMessage(`{"n":1}`)
	if _, err := d.ChooseTool(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	l := d.voice.Requests()[0]
	if l.Message != "only this part" || l.State.Correction != "louder" || string(l.State.Previous) != `{"n":1}` || l.Job != "j1" || !json.Valid(l.Schema) {
		t.Errorf("%+v", l)
	}
	d = open(t, fixed("손님이 노래를 원해요."))
	if _, err := d.Summarize(t.Context(), brief); err != nil {
		t.Fatal(err)
	}
	if l := d.voice.Requests()[0]; l.Role != provider.RoleSummarizer || l.Schema != nil {
		t.Errorf("%+v", l)
	}
}
