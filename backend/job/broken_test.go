package job_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/store"
	"agentchat/backend/toolbox"
)

// intents gives what the books still have open: uses that are about to happen, for all they know.
func intents(t testing.TB, f *jobtest.Floor) (open []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(f.Dir, store.FileName)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.Query(`SELECT 'effect ' || id || ' of ' || tool FROM effects WHERE settled=0 UNION ALL SELECT 'audit ' || id || ' of ' || tool FROM audit WHERE outcome='started'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var what string
		if err := rows.Scan(&what); err != nil {
			t.Fatal(err)
		}
		open = append(open, what)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return open
}

// A node fails, or is canceled, half-way between what it wrote down as intended and the rest of its step: nothing of it is
// kept, and the books have nothing open.
func TestAHalfBuiltStepIsThrownAway(t *testing.T) {
	for name, c := range map[string]struct {
		fails func(f *jobtest.Floor, id string) error
		state job.State
	}{
		"canceled": {func(f *jobtest.Floor, id string) error {
			_ = f.Jobs.CancelJob(id)
			return context.Canceled
		}, job.Canceled},
		"broken": {func(*jobtest.Floor, string) error { return errors.New("the disk has gone") }, job.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
				f := jobtest.Open(t, pay).Start(1)
				id := f.Give("pay")
				looks := 0
				f.Ledger.OnAsk = func(context.Context, string) error {
					if looks++; looks == 2 { // the first look reads the answer, the second is for the audit log
						return c.fails(f, id)
					}
					return nil
				}
				f.Choose(id, ask.ChoiceApprove)
				f.WantState(id, c.state)
				if n := len(pay.Runs()); n != 0 || looks != 2 {
					t.Errorf("ran %d times, looked %d times", n, looks)
				}
				if open := intents(t, f); len(open) > 0 {
					t.Errorf("left open in the books: %v", open)
				}
				f.Moves(id) // what was told of the job has no gap
				f.NothingOut()
			})
		})
	}
}

// A step behind the use of a tool cannot be saved, be it the one that keeps what came of it or the one after: a result of a loop
// is not taken for that of the next request.
func TestAResultOfALoopIsNotTakenForAnother(t *testing.T) {
	for _, last := range []string{"confirm_check", "save_result"} {
		t.Run(last, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one, two := reader("one"), reader("two")
				f := jobtest.Open(t, one, two)
				f.Model.OnSolve = script(round("one 1", "two 2"))
				f.Ledger.Before = func(step job.Step) {
					if step.Node == last {
						f.Ledger.FailOnce(errFull)
					}
				}
				f.Start(1)
				id := f.Hand("main", provider.JobPlan{Title: "solve", Todos: []provider.TodoPlan{{Title: "solve", Request: "solve it"}}})[0]
				f.Settle()
				f.WantState(id, job.Failed)
				rec, err := f.Store.LoadRun(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				requests := rec.Run.Loop.Requests
				if !requests[0].Ran || requests[0].Text != `one of {"n":1}` {
					t.Errorf("the first: %+v", requests[0])
				}
				if requests[1].Ran || requests[1].Text != "" || len(two.Runs()) != 0 {
					t.Errorf("the second never ran, and has %+v", requests[1])
				}
			})
		})
	}
}

// interruptible is a tool that may be run again, killed in the middle of its first run.
func interruptible(f **jobtest.Floor, confirm toolbox.Confirm) *jobtest.Tool {
	tool := counted("write", toolbox.EffectIdempotent, confirm)
	tool.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
		if len(tool.Runs()) == 1 {
			(*f).Ledger.FailAfter(0, errKilled)
		}
		return toolbox.Result{Text: "written"}, nil
	}
	return tool
}

// What runs again after a restart is judged again: a rule that was added, or an approval that was taken back in between,
// counts. The use that was broken off is closed in the books.
func TestWhatRunsAgainIsJudgedAgain(t *testing.T) {
	t.Run("nothing changed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var f *jobtest.Floor
			tool := interruptible(&f, toolbox.ConfirmAlways)
			f = jobtest.Open(t, tool).Start(1)
			id := f.Give("write")
			f.Choose(id, ask.ChoiceApprove)
			f.Reopen(1)
			f.WantState(id, job.Succeeded) // what a person approved they need not approve twice
			if n := len(tool.Runs()); n != 2 {
				t.Errorf("ran %d times", n)
			}
			wantOutcomes(t, f, "unknown", "done")
		})
	})
	t.Run("forbidden", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var f *jobtest.Floor
			tool := interruptible(&f, toolbox.ConfirmNever)
			f = jobtest.Open(t, tool).Start(1)
			id := f.Give("write")
			f.Rules = []policy.Rule{{Tool: "write", Decision: policy.Deny}}
			f.Reopen(1)
			f.WantState(id, job.Failed)
			if n := len(tool.Runs()); n != 1 || f.Job(id).Code != apperr.InDoubt { // what was broken off may have been written
				t.Errorf("ran %d times, code %s", n, f.Job(id).Code)
			}
			wantOutcomes(t, f, "unknown", "denied")
			f.NothingOut()
		})
	})
	t.Run("to be asked about", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var f *jobtest.Floor
			tool := interruptible(&f, toolbox.ConfirmNever)
			f = jobtest.Open(t, tool).Start(1)
			id := f.Give("write")
			f.Rules = []policy.Rule{{Tool: "write", Decision: policy.Ask}}
			f.Reopen(1)
			if a := f.Question(id); a.Kind != ask.KindApproval || len(tool.Runs()) != 1 {
				t.Errorf("asked %s, ran %d times", a.Kind, len(tool.Runs()))
			}
			f.Choose(id, ask.ChoiceReject)
			f.WantState(id, job.Failed)
			if c := f.Job(id).Code; c != apperr.InDoubt { // as above
				t.Errorf("code %s", c)
			}
			wantOutcomes(t, f, "unknown", "rejected")
		})
	})
}

// wantOutcomes compares what the audit log says became of every use, oldest first.
func wantOutcomes(t *testing.T, f *jobtest.Floor, want ...string) {
	t.Helper()
	var got []string
	for _, e := range audit(f) {
		got = append([]string{string(e.Outcome)}, got...)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the audit log says %v, want %v", got, want)
	}
	if open := intents(t, f); len(open) > 0 {
		t.Errorf("left open in the books: %v", open)
	}
}

// What a tool put aside until a moment goes on as the same use, whether or not the program was restarted meanwhile, unless
// it was forbidden.
func TestWhatWasPutAsideIsJudgedWhenItGoesOn(t *testing.T) {
	for _, restart := range []bool{false, true} {
		for _, forbidden := range []bool{false, true} {
			t.Run(fmt.Sprintf("restart %v forbidden %v", restart, forbidden), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tool := timer(10 * time.Minute)
					tool.Manual.Effect = toolbox.EffectIdempotent
					f := jobtest.Open(t, tool).Start(1)
					id := f.Give("timer")
					if forbidden {
						f.Rules = []policy.Rule{{Tool: "timer", Decision: policy.Deny}}
					}
					if restart {
						f.Reopen(1)
					}
					f.WantState(id, job.Waiting)
					f.Pass(11 * time.Minute)
					if forbidden {
						f.WantState(id, job.Failed)
						wantOutcomes(t, f, "unknown", "denied")
						return
					}
					f.WantState(id, job.Succeeded)
					wantOutcomes(t, f, "done")
				})
			})
		}
	}
}

// A tool is taken out of the box between the step that intends to use it and the use: it never ran, and the books say so.
func TestAToolThatGoesBeforeItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmNever)
		f := jobtest.Open(t, pay)
		f.Saved = func(step job.Step) {
			if step.Next == "exec" {
				f.Box.Unregister("pay")
			}
		}
		f.Start(1)
		id := f.Give("pay")
		f.WantState(id, job.Failed)
		if j := f.Job(id); j.Code != apperr.UnknownTool || len(pay.Runs()) != 0 {
			t.Errorf("%s, ran %d times", j.Code, len(pay.Runs()))
		}
		wantOutcomes(t, f, "never")
		if told := jobtest.Payloads[event.JobReport](f, id); len(told) != 1 {
			t.Errorf("%d reports", len(told))
		}
	})
}
