package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// script makes a model of its rounds. A round is the calls it makes ("tool n"), "?question", or its answer.
func script(rounds ...[]string) func(context.Context, interpreter.Brief) (provider.Solution, error) {
	return func(_ context.Context, b interpreter.Brief) (provider.Solution, error) {
		at := len(b.Rounds)
		if at >= len(rounds) {
			return provider.Solution{Text: "the end"}, nil
		}
		var s provider.Solution
		for _, line := range rounds[at] {
			if question, ok := strings.CutPrefix(line, "?"); ok {
				return provider.Solution{Ask: question}, nil
			}
			tool, n, ok := strings.Cut(line, " ")
			if !ok {
				return provider.Solution{Text: line}, nil
			}
			s.Calls = append(s.Calls, provider.CallRequest{Tool: tool, Args: json.RawMessage(`{"n":` + n + `}`)})
		}
		return s, nil
	}
}

func round(lines ...string) []string { return lines }

// counted is a tool that takes {"n"} and says so.
func counted(key string, effect toolbox.Effect, confirm toolbox.Confirm) *jobtest.Tool {
	t := jobtest.Approved(key, confirm)
	t.Manual.Effect = effect
	t.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		return toolbox.Result{Text: key + " of " + string(call.Args)}, nil
	}
	return t
}

func reader(key string) *jobtest.Tool { return counted(key, toolbox.EffectRead, toolbox.ConfirmNever) }

// told gives what the model was told in its last round, "tool ok: text" for each result.
func told(f *jobtest.Floor) []string {
	briefs := f.Model.Briefs()
	var lines []string
	for _, r := range briefs[len(briefs)-1].Rounds {
		for _, c := range r.Results {
			lines = append(lines, fmt.Sprintf("%s %v: %s", c.Tool, c.OK, c.Text))
		}
	}
	return lines
}

func solved(t *testing.T, j job.Job) job.Solved {
	t.Helper()
	var s job.Solved
	if err := json.Unmarshal(j.Todos[0].Data, &s); err != nil {
		t.Fatalf("the todo's data: %v (%s)", err, j.Todos[0].Data)
	}
	return s
}

// Tools that are asked for at once run one after the other, each with a lease and an id of its own; the next round gets
// their results; and the end is what programs read.
func TestTheLoopRunsItsTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		look, count := reader("look"), reader("count")
		f := jobtest.Open(t, look, count).Start(2)
		f.Model.OnSolve = script(round("look 1", "count 2"), round("look 3"), round("done!"))
		id := f.Give("")
		f.WantState(id, job.Succeeded)
		want := []string{`look true: look of {"n":1}`, `count true: count of {"n":2}`, `look true: look of {"n":3}`}
		if got := told(f); !slices.Equal(got, want) {
			t.Errorf("the model was told %q, want %q", got, want)
		}
		j := f.Job(id)
		todo := j.Todos[0].ID
		var ids []string
		for _, run := range append(look.Runs(), count.Runs()...) {
			ids = append(ids, run.TodoID)
		}
		if !slices.Equal(ids, []string{todo + ".1", todo + ".3", todo + ".2"}) {
			t.Errorf("uses %q of todo %s", ids, todo)
		}
		s := solved(t, j)
		if s.Response != "done!" || s.SessionID != "main" || !slices.Equal(s.ToolsUsed, []string{"look", "count"}) || s.Error {
			t.Errorf("solved %+v", s)
		}
		reports := jobtest.Payloads[event.JobReport](f, id)
		if len(reports) != 1 || !slices.Equal(reports[0].ToolsUsed, []string{"look", "count"}) {
			t.Errorf("reported %+v", reports)
		}
		if n := len(jobtest.Payloads[event.ToolAcquired](f, id)); n != 3 {
			t.Errorf("%d leases, want 3", n)
		}
		f.NothingOut()
	})
}

// What goes wrong with a call is a result the model can work with.
func TestTheLoopTellsTheModelWhatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := reader("broken")
		broken.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
			return toolbox.Result{}, errors.New("no paper")
		}
		panics := reader("panics")
		panics.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) { panic("oh") }
		counter := reader("counter")
		counter.Manual.Counter = true
		shelf := reader("shelf")
		shelf.Manual.Library = true
		fine := reader("fine")
		f := jobtest.Open(t, broken, panics, counter, shelf, fine).Start(1)
		f.Model.OnSolve = func(_ context.Context, b interpreter.Brief) (provider.Solution, error) {
			if len(b.Rounds) > 0 {
				return provider.Solution{Text: "so be it"}, nil
			}
			return provider.Solution{Calls: []provider.CallRequest{
				{Tool: "broken", Args: json.RawMessage(`{"n":1}`)},
				{Tool: "panics", Args: json.RawMessage(`{"n":1}`)},
				{Tool: "counter", Args: json.RawMessage(`{"n":1}`)},
				{Tool: "shelf", Args: json.RawMessage(`{"n":1}`)},
				{Tool: "nobody", Args: json.RawMessage(`{}`)},
				{Tool: "fine", Args: json.RawMessage(`{"m":1}`)},
				{Tool: "fine", Problem: "the arguments are not JSON"},
				{Tool: "fine", Args: json.RawMessage(`{"n":1}`)},
			}}, nil
		}
		id := f.Give("")
		f.WantState(id, job.Succeeded)
		got := told(f)
		if len(got) != 8 {
			t.Fatalf("told %q", got)
		}
		for i, want := range []string{"no paper", "panics", "counter", "shelf", "nobody", "is missing", "not JSON", "fine of"} {
			if ok := strings.Contains(got[i], " true: "); !strings.Contains(got[i], want) || ok != (i == 7) {
				t.Errorf("result %d: %q, want %q", i, got[i], want)
			}
		}
		if len(counter.Runs())+len(shelf.Runs()) > 0 || len(fine.Runs()) != 1 {
			t.Errorf("the counter's tool ran %d times, the library's %d, the fine one %d", len(counter.Runs()), len(shelf.Runs()), len(fine.Runs()))
		}
		f.NothingOut()
	})
}

// The same call is not made twice in one todo; its result is given again.
func TestTheLoopRepeatsNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		look := counted("look", toolbox.EffectOnce, toolbox.ConfirmNever)
		f := jobtest.Open(t, look).Start(1)
		f.Model.OnSolve = func(_ context.Context, b interpreter.Brief) (provider.Solution, error) {
			if len(b.Rounds) == 2 {
				return provider.Solution{Text: "enough"}, nil
			}
			return provider.Solution{Calls: []provider.CallRequest{
				{Tool: "look", Args: json.RawMessage(`{"n":1}`)}, {Tool: "look", Args: json.RawMessage("{ \"n\" : 1 }")},
			}}, nil
		}
		id := f.Give("", "")
		f.WantState(id, job.Succeeded)
		if got := told(f); len(look.Runs()) != 2 || len(got) != 4 || got[0] != got[3] {
			t.Errorf("%d runs in two todos, told %q", len(look.Runs()), got)
		}
	})
}

// The count of rounds is the setting at that moment; a model that never ends is stopped, and what was done is told.
func TestTheLoopHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		look := reader("look")
		f := jobtest.Open(t, look).Start(1)
		endless := func(_ context.Context, b interpreter.Brief) (provider.Solution, error) {
			if b.Final != (len(b.Rounds) == f.Rounds-1) {
				t.Errorf("round %d is final: %v", len(b.Rounds), b.Final)
			}
			return provider.Solution{Calls: []provider.CallRequest{{Tool: "look", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, len(b.Rounds)))}}}, nil
		}
		f.Model.OnSolve = endless
		for _, most := range []int{job.DefaultMaxRounds, 2} {
			f.Rounds = most
			before, asked := len(look.Runs()), len(f.Model.Briefs())
			id := f.Give("")
			f.WantState(id, job.Failed)
			j := f.Job(id)
			if runs, asks := len(look.Runs())-before, len(f.Model.Briefs())-asked; runs != most || asks != most {
				t.Errorf("%d runs in %d rounds, want %d", runs, asks, most)
			}
			s := solved(t, j)
			if j.Code != apperr.TooComplex || !s.Error || s.ErrorCode != apperr.TooComplex || !strings.Contains(s.Response, `look of {"n":0}`) {
				t.Errorf("%s: %+v", j.Code, s)
			}
		}
	})
}

func TestTheLoopAsksAgain(t *testing.T) {
	for _, c := range []struct {
		fails int
		code  apperr.Code
		want  job.State
		asks  int
	}{
		{3, apperr.ModelTimeout, job.Succeeded, 4}, {4, apperr.ModelTimeout, job.Failed, 4}, {1, apperr.ContextOverflow, job.Failed, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := jobtest.Open(t, reader("look")).Start(1)
			asks := 0
			f.Model.OnSolve = func(context.Context, interpreter.Brief) (provider.Solution, error) {
				if asks++; asks <= c.fails {
					return provider.Solution{}, apperr.New(c.code)
				}
				return provider.Solution{Text: "at last"}, nil
			}
			id := f.Give("")
			f.WantState(id, c.want)
			if asks != c.asks || c.want == job.Failed && solved(t, f.Job(id)).ErrorCode != c.code {
				t.Errorf("asked %d times, %s", asks, f.Job(id).Todos[0].Data)
			}
		})
	}
}

func TestAnEmptyRequestIsNotSolved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, reader("look")).Start(1)
		id := f.Hand("main", provider.JobPlan{Title: "nothing", Todos: []provider.TodoPlan{{Title: "nothing", Request: " \n"}}})[0]
		f.Settle()
		f.WantState(id, job.Failed)
		if s := solved(t, f.Job(id)); s.ErrorCode != apperr.EmptyMessage || len(f.Model.Briefs()) > 0 {
			t.Errorf("%+v after %d letters", s, len(f.Model.Briefs()))
		}
	})
}

// A refusal with a sentence goes back to the model; what runs then was approved for itself. What the customer edited, the
// model learns.
func TestTheLoopAsksForApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := counted("pay", toolbox.EffectOnce, toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay).Start(1)
		f.Model.OnSolve = script(round("pay 1"), round("pay 2"), round("pay 3"), round("paid"))
		id := f.Give("")
		f.Answer(id, ask.Reply{Choice: ask.ChoiceReject, Text: "less"})
		f.Choose(id, ask.ChoiceApprove)
		f.Answer(id, ask.Reply{Choice: ask.ChoiceEdit, Args: json.RawMessage(`{"n":30}`)})
		if a := f.Question(id); string(a.Args) != `{"n":30}` || len(pay.Runs()) != 1 {
			t.Fatalf("asked for %s after %d runs", a.Args, len(pay.Runs()))
		}
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
		got := told(f)
		if len(got) != 3 || !strings.Contains(got[0], "less") || !strings.HasPrefix(got[0], "pay false") ||
			!strings.Contains(got[1], `pay of {"n":2}`) || !strings.Contains(got[2], `{"n":30}`) || !strings.Contains(got[2], "changed") {
			t.Errorf("told %q", got)
		}
		if runs := pay.Runs(); len(runs) != 2 || string(runs[0].Args) != `{"n":2}` || string(runs[1].Args) != `{"n":30}` {
			t.Errorf("ran %+v", runs)
		}
		f.NothingOut()
	})
}

// A loop that waits in the middle is parked, and goes on at the very request after a restart: nothing before it runs again.
func TestTheLoopWaits(t *testing.T) {
	for name, c := range map[string]struct {
		then func(f *jobtest.Floor, id string)
		want string
	}{
		"approval": {func(f *jobtest.Floor, id string) { f.Choose(id, ask.ChoiceApprove) }, `pay of {"n":2}`},
		"value":    {func(f *jobtest.Floor, id string) { f.Answer(id, ask.Reply{Choice: ask.ChoiceValue, Text: "seven"}) }, "seven"},
		"lock":     {func(f *jobtest.Floor, id string) { f.Choose(id, ask.ChoiceWait); f.Pass(2 * time.Hour) }, "play ended"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				look, pay := reader("look"), counted("pay", toolbox.EffectOnce, toolbox.ConfirmAlways)
				f := jobtest.Open(t, look, pay, jobtest.Player("play", "", 1, time.Hour)).Start(2)
				if name == "lock" {
					f.Give("play")
				}
				second := map[string]string{"approval": "pay 2", "value": "?which?", "lock": "play 2"}[name]
				f.Model.OnSolve = script(round("look 1"), round(second), round("end"))
				id := f.Give("")
				f.WantState(id, job.Waiting)
				f.Reopen(2)
				if name == "lock" { // the holder begins anew after a restart and holds the tool again
					f.Settle()
				}
				f.WantState(id, job.Waiting)
				c.then(f, id)
				f.WantState(id, job.Succeeded)
				if len(look.Runs()) != 1 {
					t.Errorf("the first tool ran %d times", len(look.Runs()))
				}
				briefs := f.Model.Briefs()
				last := briefs[len(briefs)-1].Rounds
				if all := fmt.Sprint(last); len(last) != 2 || !strings.Contains(all, c.want) {
					t.Errorf("the model was told %v, want %q", last, c.want)
				}
				f.NothingOut()
			})
		})
	}
}

// Whenever the program ends in a loop, no tool that must run once runs twice, and none that was settled runs again.
func TestTheLoopSurvivesTheEndOfTheProgram(t *testing.T) {
	for after := range 40 {
		synctest.Test(t, func(t *testing.T) {
			look, pay := reader("look"), counted("pay", toolbox.EffectOnce, toolbox.ConfirmNever)
			f := jobtest.Open(t, look, pay).Start(1)
			f.Model.OnSolve = script(round("look 1", "pay 2"), round("look 3"), round("paid"))
			f.Ledger.FailAfter(after, errors.New("the process ended"))
			id := f.Give("")
			f.Reopen(1)
			for range 3 {
				if f.Job(id).State == job.Waiting {
					if a := f.Question(id); a.Kind != ask.KindRecovery || a.Tool != "pay" {
						t.Fatalf("after %d steps: asked %s about %s", after, a.Kind, a.Tool)
					}
					f.Choose(id, ask.ChoiceHappened)
				}
			}
			f.WantState(id, job.Succeeded)
			if len(pay.Runs()) != 1 || len(look.Runs()) > 3 {
				t.Errorf("after %d steps: pay ran %d times, look %d", after, len(pay.Runs()), len(look.Runs()))
			}
			if s := solved(t, f.Job(id)); s.Response != "paid" {
				t.Errorf("after %d steps: %+v", after, s)
			}
			f.NothingOut()
		})
	}
}

// A loop that is stopped leaves nothing behind, and does not deny what it did.
func TestTheLoopIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := counted("pay", toolbox.EffectOnce, toolbox.ConfirmNever)
		f := jobtest.Open(t, pay, jobtest.Player("play", "", 1, time.Hour)).Start(1)
		f.Model.OnSolve = script(round("pay 1", "play 2"))
		id := f.Give("")
		cancel(t, f, id)
		f.Pass(soon)
		f.WantState(id, job.Canceled)
		if j := f.Job(id); !strings.Contains(j.Report, `pay of {"n":1}`) || !slices.Equal(j.Todos[0].Used, []string{"pay"}) {
			t.Errorf("report %q, used %v", j.Report, j.Todos[0].Used)
		}
		f.NothingOut()
	})
}

// Other people's words are marked wherever a request carries them on.
func TestUntrustedResultsAreMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := reader("page")
		page.Manual.Untrusted = true
		f := jobtest.Open(t, page, reader("look")).Start(1)
		f.Model.OnSolve = script(round("page 1", "look 2"), round("read"))
		id := f.Give("", "page")
		f.WantState(id, job.Succeeded)
		last := f.Model.Briefs()[1].Rounds[0].Results
		if !last[0].Untrusted || last[1].Untrusted {
			t.Errorf("results %+v", last)
		}
		rec, err := f.Store.LoadRun(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, todo := range rec.Run.Job.Todos {
			if !todo.Untrusted {
				t.Errorf("todo %s rests on a page and does not say so", todo.Title)
			}
		}
	})
}
