package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
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

// soon is the promise: leases are free this long after a cancel.
const soon = 50 * time.Millisecond

func cancel(t *testing.T, f *jobtest.Floor, id string) {
	t.Helper()
	if err := f.Jobs.CancelJob(id); err != nil {
		t.Fatal(err)
	}
}

// Every place a job can be in: stopping it there frees its tools, closes its question, and says so once.
func TestCancelAnywhere(t *testing.T) {
	places := map[string]func(f *jobtest.Floor) (id string){
		"in line for a worker": func(f *jobtest.Floor) string {
			f.Give("play")
			f.Give("other")
			return f.Give("quick")
		},
		"playing": func(f *jobtest.Floor) string { return f.Give("play") },
		"asked for a value": func(f *jobtest.Floor) string {
			f.Model.OnChoose = func(context.Context, interpreter.Brief) (provider.ToolCall, error) {
				return provider.ToolCall{Tool: "quick", Missing: []string{"n"}, Question: "how many?"}, nil
			}
			return f.Hand("main", provider.JobPlan{Title: "x", Todos: []provider.TodoPlan{{Title: "x", Tool: "quick", Request: "x"}}})[0]
		},
		"asked about a lock": func(f *jobtest.Floor) string {
			f.Give("play")
			return f.Give("play")
		},
		"asked for approval": func(f *jobtest.Floor) string { return f.Give("pay") },
		"in line for a tool": func(f *jobtest.Floor) string {
			f.Give("play")
			id := f.Give("play")
			f.Choose(id, ask.ChoiceWait)
			return id
		},
		"sleeping": func(f *jobtest.Floor) string { return f.Give("timer") },
		"at the model": func(f *jobtest.Floor) string {
			f.Model.OnSolve = func(ctx context.Context, _ interpreter.Brief) (provider.Solution, error) {
				<-ctx.Done()
				return provider.Solution{}, ctx.Err()
			}
			return f.Give("")
		},
		"in doubt": func(f *jobtest.Floor) string {
			id := f.Give("pay")
			f.Ledger.FailAfter(2, errors.New("the process ended")) // the answer is worked in, the intent is written
			f.Choose(id, ask.ChoiceApprove)
			f.Reopen(2)
			if a := f.Question(id); a.Kind != ask.KindRecovery {
				f.T.Fatalf("asked %s, want recovery", a.Kind)
			}
			return id
		},
	}
	for name, arrive := range places {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := jobtest.Open(t,
					jobtest.Player("play", "", 1, time.Hour), jobtest.Player("other", "", 1, time.Hour), jobtest.NewTool("quick"),
					jobtest.Approved("pay", toolbox.ConfirmAlways), timer(time.Hour)).Start(2)
				id := arrive(f)
				f.Settle()
				if f.Job(id).State.Ended() {
					t.Fatalf("the job ended before it could be stopped: %s", f.Job(id).Report)
				}
				open := len(openAsks(t, f, id))
				cancel(t, f, id)
				f.Pass(soon)
				f.WantState(id, job.Canceled)
				if slices.Contains(f.Holders("play"), id) || slices.Contains(f.Holders("pay"), id) || slices.Contains(f.Holders("timer"), id) {
					t.Error("a stopped job still holds a tool")
				}
				if left := openAsks(t, f, id); len(left) > 0 {
					t.Errorf("its question is still open: %s", left[0].Question)
				}
				if closed := jobtest.Payloads[event.AskClosed](f, id); open > 0 && closed[len(closed)-1].By != ask.BySystem {
					t.Errorf("the question was not closed by the system: %+v", closed)
				}
				if r := jobtest.Payloads[event.JobReport](f, id); len(r) != 1 {
					t.Errorf("%d reports, want one", len(r))
				}
				if code := apperr.CodeOf(f.Jobs.CancelJob(id)); code != apperr.JobEnded {
					t.Errorf("stopping it again: %s, want job_ended", code)
				}
				if slices.ContainsFunc(f.Job(id).Todos, func(td job.Todo) bool { return td.State != job.TodoSkipped }) {
					t.Errorf("todos: %+v", f.Job(id).Todos)
				}
				for _, tile := range f.Jobs.Workers() {
					if tile.JobID == id && tile.State == "waiting" {
						t.Errorf("a tile still blinks for it: %+v", tile)
					}
				}
			})
		})
	}
}

func openAsks(t *testing.T, f *jobtest.Floor, id string) []ask.Ask {
	t.Helper()
	all, err := f.Desk.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a ask.Ask) bool { return a.JobID != id })
}

// timer parks its job for a while and then rings.
func timer(d time.Duration) *jobtest.Tool {
	tool := jobtest.NewTool("timer")
	tool.Do = func(_ context.Context, c toolbox.Call) (toolbox.Result, error) {
		if c.Resume == nil {
			return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: time.Now().Add(d).UnixMilli(), Resume: json.RawMessage(`{"set":true}`)}}, nil
		}
		return toolbox.Result{Text: "ring"}, nil
	}
	return tool
}

func TestAToolThatDoesNotListenIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf, release := jobtest.NewTool("deaf"), make(chan struct{})
		deaf.Manual.Capacity = 1
		deaf.Do = func(_ context.Context, c toolbox.Call) (toolbox.Result, error) {
			<-release
			c.Media(event.Media{Action: "progress", Device: "monitor"})
			c.Log("info", "still here")
			return toolbox.Result{Text: "too late"}, nil
		}
		f := jobtest.Open(t, deaf).Start(1)
		id := f.Give("deaf")
		if !f.Jobs.Alive(id) {
			t.Error("a job at work is not alive")
		}
		cancel(t, f, id)
		if f.Jobs.Alive(id) {
			t.Error("a job that is being stopped is alive")
		}
		f.Pass(soon)
		f.WantState(id, job.Canceled)
		f.NothingOut()
		before := f.Bus.Seq()
		close(release)
		f.Settle()
		if f.Screens.On("monitor") {
			t.Error("a tool that was left behind took the Monitor")
		}
		if f.Bus.Seq() != before {
			t.Errorf("a tool that was left behind was still heard: %s", f.Envelopes()[before].Data)
		}
		f.WantState(id, job.Canceled)
	})
}

// A tool that was about to show something when it was left behind does not show it behind the job's back.
func TestAToolLeftBehindWhileItShowsIsNotSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf, release := jobtest.NewTool("deaf"), make(chan struct{})
		deaf.Manual.Capacity = 1
		deaf.Do = func(_ context.Context, c toolbox.Call) (toolbox.Result, error) {
			c.Media(event.Media{Action: "progress", Device: "monitor"})
			return toolbox.Result{Text: "too late"}, nil
		}
		f := jobtest.Open(t, deaf).Start(1)
		f.Screens.Late = func() { <-release }
		id := f.Give("deaf")
		cancel(t, f, id)
		f.Pass(soon)
		f.WantState(id, job.Canceled)
		close(release)
		f.Settle()
		if f.Screens.On("monitor") {
			t.Error("a tool that was left behind took the Monitor")
		}
	})
}

func TestAPanicEndsOnlyItsTodo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := jobtest.NewTool("bad")
		bad.Manual.Capacity = 1
		bad.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) { panic("sprocket") }
		f := jobtest.Open(t, bad, jobtest.NewTool("quick")).Start(2)
		id := f.Give("quick", "bad", "quick")
		f.WantState(id, job.Failed)
		j := f.Job(id)
		if j.Code != apperr.ToolPanic || j.Todos[0].State != job.TodoDone || j.Todos[1].State != job.TodoFailed || j.Todos[2].State != job.TodoSkipped {
			t.Errorf("job %s, todos %+v", j.Code, j.Todos)
		}
		f.NothingOut()
		f.WantState(f.Give("quick"), job.Succeeded)
		f.WantState(f.Give("bad"), job.Failed)
	})
}

// Two people press stop at once, or stop and the end of the job meet: nothing breaks and the end is told once.
func TestStoppingTwiceAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Player("play", "", 1, time.Hour)).Start(0)
		id := f.Give("play")
		f.Hear = func(e event.Event) {
			if s, ok := e.Data.(event.JobState); ok && s.To == "canceled" {
				if err := f.Jobs.CancelJob(id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
					t.Errorf("the second stop: %v", err)
				}
			}
		}
		cancel(t, f, id)
		f.Settle()
		f.WantState(id, job.Canceled)
		if r := jobtest.Payloads[event.JobReport](f, id); len(r) != 1 {
			t.Errorf("%d reports, want one", len(r))
		}
	})
}

func TestManyPeopleStopManyJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Player("play", "", 2, time.Hour), jobtest.NewTool("quick")).Start(3)
		var ids []string
		for range 30 {
			ids = append(ids, f.Hand("main", jobtest.Plan("quick", "play"), jobtest.Plan("play"))...)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for _, id := range ids {
					if err := f.Jobs.CancelJob(id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
						t.Errorf("stop: %v", err)
					}
				}
			})
		}
		wg.Wait()
		f.Pass(soon)
		f.NothingOut()
		f.NoQuestion()
		for _, id := range ids {
			f.WantState(id, job.Canceled)
			if r := jobtest.Payloads[event.JobReport](f, id); len(r) != 1 {
				t.Errorf("%d reports, want one", len(r))
			}
		}
	})
}

// What happened is not denied: wherever the cancel falls after the last effect, the job is reported as what it is.
func TestAnEffectThatHappenedIsNotDenied(t *testing.T) {
	for _, at := range []string{"exec", "save_result", "release", "report"} {
		t.Run(at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pay := jobtest.Approved("pay", toolbox.ConfirmNever)
				f := jobtest.Open(t, pay).Start(0)
				var id string
				stop := func() { cancel(t, f, id) }
				switch at {
				case "exec":
					pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
						stop() // the money is gone, and then comes the cancel
						return toolbox.Result{Text: "paid"}, nil
					}
				case "report":
					f.Model.OnReport = func(ctx context.Context, _ interpreter.Brief) (string, error) {
						stop()
						<-ctx.Done()
						return "", ctx.Err()
					}
				case "save_result":
					f.Hear = func(e event.Event) {
						if l, ok := e.Data.(event.JobLog); ok && l.Line != "" && len(pay.Runs()) == 1 && f.Job(id).Todos[0].State == job.TodoRunning {
							stop()
						}
					}
				case "release":
					f.Hear = func(e event.Event) {
						if s, ok := e.Data.(event.TodoState); ok && s.State == "done" {
							stop()
						}
					}
				}
				id = f.Give("pay")
				f.Jobs.SetWorkers(1)
				f.Settle()
				f.WantState(id, job.Succeeded)
				if j := f.Job(id); j.Report == "" || j.Todos[0].State != job.TodoDone || j.Code != "" {
					t.Errorf("report %q, code %q, todo %+v", j.Report, j.Code, j.Todos[0])
				}
				f.NothingOut()
			})
		})
	}
}

// A job that is stopped between two effects says which of them happened.
func TestAStoppedJobTellsWhatHappenedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmNever)
		pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
			return toolbox.Result{Text: "paid 100"}, nil
		}
		f := jobtest.Open(t, pay, jobtest.Player("play", "", 1, time.Hour)).Start(1)
		id := f.Give("pay", "play")
		cancel(t, f, id)
		f.Pass(soon)
		f.WantState(id, job.Canceled)
		if j := f.Job(id); j.Todos[0].State != job.TodoDone || !contains(j.Report, "paid 100") {
			t.Errorf("report %q", j.Report)
		}
	})
}

func contains(text, part string) bool { return strings.Contains(text, part) }
