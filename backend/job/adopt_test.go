package job_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/ask"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// rename parks a job at a node of another version of the graph, as far as the ledger knows.
func rename(t *testing.T, f *jobtest.Floor, id string) {
	t.Helper()
	rec, err := f.Store.LoadRun(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	err = f.Store.SaveStep(context.Background(), job.Step{Run: &rec.Run, Node: "gone", Next: "a_node_of_yore", Parked: true, WakeAt: rec.WakeAt})
	if err != nil {
		t.Fatal(err)
	}
}

// A job that another version parked, wherever it stood, is taken up by a graph that has no such node: it ends as it should,
// asks again what it asked, and does nothing twice.
func TestAJobParkedByAnotherVersion(t *testing.T) {
	type floor struct {
		*jobtest.Floor
		pay *jobtest.Tool
	}
	for name, c := range map[string]struct {
		park func(t *testing.T, f *floor) (id string)
		end  func(t *testing.T, f *floor, id string)
	}{
		"on an approval": {
			park: func(_ *testing.T, f *floor) string { return f.Give("approved") },
			end:  func(_ *testing.T, f *floor, id string) { f.Choose(id, ask.ChoiceApprove) },
		},
		"on a value": {
			park: func(_ *testing.T, f *floor) string {
				f.Model.OnChoose = func(context.Context, interpreter.Brief) (provider.ToolCall, error) {
					return provider.ToolCall{Missing: []string{"n"}, Question: "how many?"}, nil
				}
				return f.Hand("main", provider.JobPlan{Title: "job", Todos: []provider.TodoPlan{{Title: "pay", Tool: "pay", Request: "pay"}}})[0]
			},
			end: func(_ *testing.T, f *floor, id string) {
				f.Model.OnChoose = nil
				f.Answer(id, ask.Reply{Choice: ask.ChoiceValue, Text: "one"})
			},
		},
		"on a lock": {
			park: func(_ *testing.T, f *floor) string { f.Give("play"); return f.Give("play") },
			end: func(_ *testing.T, f *floor, id string) {
				f.Choose(id, ask.ChoiceWait)
				f.Pass(2 * time.Hour)
			},
		},
		"in line for a tool": {
			park: func(_ *testing.T, f *floor) string {
				f.Give("play")
				id := f.Give("play")
				f.Choose(id, ask.ChoiceWait)
				return id
			},
			end: func(_ *testing.T, f *floor, id string) {
				f.Choose(id, ask.ChoiceWait)
				f.Pass(2 * time.Hour)
			},
		},
		"until a moment": {
			park: func(_ *testing.T, f *floor) string { return f.Give("later") },
			end:  func(_ *testing.T, f *floor, _ string) { f.Pass(time.Hour) },
		},
		"in the middle of what must not happen twice": {
			park: func(_ *testing.T, f *floor) string {
				f.pay.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
					<-ctx.Done() // it has happened, but nobody hears of it
					return toolbox.Result{}, ctx.Err()
				}
				return f.Give("pay")
			},
			end: func(t *testing.T, f *floor, id string) {
				if a := f.Question(id); a.Kind != ask.KindRecovery {
					t.Errorf("asked %s", a.Kind)
				}
				f.Choose(id, ask.ChoiceHappened)
			},
		},
		"on what may have happened": {
			park: func(_ *testing.T, f *floor) string {
				f.pay.Do = func(ctx context.Context, _ toolbox.Call) (toolbox.Result, error) {
					<-ctx.Done()
					return toolbox.Result{}, ctx.Err()
				}
				id := f.Give("pay")
				f.Reopen(2)
				return id
			},
			end: func(_ *testing.T, f *floor, id string) { f.Choose(id, ask.ChoiceHappened) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				later := jobtest.NewTool("later")
				later.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
					if call.Resume != nil {
						return toolbox.Result{Text: "it is time"}, nil
					}
					return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: time.Now().Add(time.Hour).UnixMilli(), Resume: json.RawMessage(`1`)}}, nil
				}
				pay := jobtest.Approved("pay", toolbox.ConfirmNever)
				f := &floor{jobtest.Open(t, pay, later, jobtest.Approved("approved", toolbox.ConfirmAlways), jobtest.Player("play", "", 1, time.Hour)).Start(2), pay}
				id := c.park(t, f)
				f.Settle()
				runs := len(pay.Runs())
				stopped(f.Floor)
				rename(t, f.Floor, id)
				f.Reopen(2)
				c.end(t, f, id)
				f.WantState(id, job.Succeeded)
				if n := len(pay.Runs()); runs > 0 && n != runs {
					t.Errorf("paid %d times", n)
				}
				f.Pass(3 * time.Hour)
				f.NoQuestion()
				f.NothingOut()
			})
		})
	}
}

// stopped sends the workers home, so that the ledger stays as it is.
func stopped(f *jobtest.Floor) { f.Jobs.Stop() }
