package job_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

var errKilled = errors.New("the process was killed")

// world is what survives a kill besides the ledger: what the tools did out there.
type world struct {
	read, pay, once *jobtest.Tool
}

func newWorld() *world {
	return &world{
		read: jobtest.NewTool("read"), pay: jobtest.Approved("pay", toolbox.ConfirmAlways), once: jobtest.Approved("once", toolbox.ConfirmNever),
	}
}

func (w *world) tools() []toolbox.Tool { return []toolbox.Tool{w.read, w.pay, w.once} }

// drive answers whatever is asked until the job ends or the ledger fails. In doubt, the person looks at the world.
func (w *world) drive(t *testing.T, f *jobtest.Floor, id string) {
	t.Helper()
	for range 20 {
		f.Settle()
		if f.Ledger.Failing() || f.Job(id).State.Ended() {
			return
		}
		open := openAsks(t, f, id)
		if len(open) == 0 {
			t.Fatalf("the job is %s at no question and nothing moves", f.Job(id).State)
		}
		choice := ask.ChoiceApprove
		if open[0].Kind == ask.KindRecovery {
			tool := map[string]*jobtest.Tool{"pay": w.pay, "once": w.once}[open[0].Tool]
			if choice = ask.ChoiceRunAgain; len(tool.Runs()) > 0 {
				choice = ask.ChoiceHappened
			}
		}
		f.Choose(id, choice)
	}
	t.Fatal("the job asks without end")
}

// Killed after any step, and again after the same number of steps: the job ends as if nothing had happened.
func TestKilledAfterEveryStep(t *testing.T) {
	for n := 0; ; n++ {
		done := false
		t.Run(fmt.Sprintf("after %d steps", n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				f := jobtest.Open(t, w.tools()...).Start(2)
				f.Ledger.FailAfter(n, errKilled)
				id := f.Hand("main", jobtest.Plan("read", "pay", "", "once"))[0]
				w.drive(t, f, id)
				done = !f.Ledger.Failing()
				f.Reopen(2)
				w.drive(t, f, id)

				f.WantState(id, job.Succeeded)
				j := f.Job(id)
				for i, todo := range j.Todos {
					if todo.State != job.TodoDone {
						t.Errorf("todo %d is %s", i, todo.State)
					}
				}
				if len(w.pay.Runs()) != 1 || len(w.once.Runs()) != 1 {
					t.Errorf("paid %d times, once ran %d times", len(w.pay.Runs()), len(w.once.Runs()))
				}
				if r := len(w.read.Runs()); r < 1 || r > 2 {
					t.Errorf("read %d times", r)
				}
				msgs, err := f.Store.History(t.Context(), "main", "", 100)
				if err != nil || len(msgs) != 1 || msgs[0].JobID != id {
					t.Errorf("the customer got %d messages (%v): %+v", len(msgs), err, msgs)
				}
				f.NothingOut()
				f.NoQuestion()
			})
		})
		if t.Failed() || done {
			if n < 15 && !t.Failed() {
				t.Errorf("the job took only %d steps: the test is not about what it was about", n)
			}
			return
		}
	}
}

func TestAQuestionSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay).Start(1)
		id := f.Give("pay")
		before := f.Question(id)
		f.Reopen(1)
		after := f.Question(id)
		if after.ID != before.ID || after.Digest != before.Digest || !after.Opened.Equal(before.Opened) {
			t.Errorf("before %+v, after %+v", before, after)
		}
		if f.Jobs.Busy() {
			t.Error("a job that waits for a person keeps the shop busy")
		}
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Succeeded)
		if len(pay.Runs()) != 1 {
			t.Errorf("%d runs", len(pay.Runs()))
		}
	})
}

// Who played goes on playing and who waited goes on waiting, in the same order.
func TestTheLineSurvivesARestart(t *testing.T) {
	for range 10 {
		synctest.Test(t, func(t *testing.T) {
			f := monitor(t, 4)
			nav := f.Give("nav")
			one, two := f.Give("movie"), f.Give("movie")
			f.Choose(two, ask.ChoiceWait)
			f.Pass(time.Minute)
			f.Choose(one, ask.ChoiceWait)
			f.Reopen(4)
			f.WantState(nav, job.Running)
			if h := f.Holders("nav"); !slices.Equal(h, []string{nav}) {
				t.Fatalf("nav is held by %v: somebody in line overtook the job that was under way", h)
			}
			f.NoQuestion()
			f.Pass(time.Hour)
			f.WantState(nav, job.Succeeded)
			f.WantState(two, job.Running)
			f.WantState(one, job.Waiting)
			f.Pass(time.Hour)
			f.WantState(one, job.Running)
		})
	}
}

func TestATimerSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := timer(10 * time.Minute)
		f := jobtest.Open(t, tool).Start(1)
		id := f.Give("timer")
		f.Pass(4 * time.Minute)
		f.Reopen(1)
		f.WantState(id, job.Waiting)
		f.Pass(6*time.Minute - time.Second)
		f.WantState(id, job.Waiting)
		f.Pass(time.Second)
		f.WantState(id, job.Succeeded)

		late := f.Give("timer")
		f.Close()
		<-time.After(time.Hour) // it should have rung while nobody was there
		f.Reopen(1)
		f.WantState(late, job.Succeeded)
	})
}

func TestAnEffectInDoubtIsAPersonsDecision(t *testing.T) {
	for _, c := range []struct {
		choice string
		state  job.State
		runs   int
	}{
		{ask.ChoiceRunAgain, job.Succeeded, 2}, {ask.ChoiceHappened, job.Succeeded, 1}, {ask.ChoiceStop, job.Canceled, 1},
	} {
		t.Run(c.choice, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pay := jobtest.Approved("pay", toolbox.ConfirmNever)
				f := jobtest.Open(t, pay).Start(1)
				pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
					if len(pay.Runs()) == 1 {
						f.Ledger.FailAfter(0, errKilled) // paid, and the result is lost
					}
					return toolbox.Result{Text: "paid"}, nil
				}
				id := f.Give("pay")
				f.Reopen(1)
				a := f.Question(id)
				if a.Kind != ask.KindRecovery || a.Tool != "pay" || string(a.Args) != `{"n":1}` {
					t.Fatalf("asked: %+v", a)
				}
				f.Pass(time.Hour)
				if len(pay.Runs()) != 1 {
					t.Fatal("it ran again without being asked to")
				}
				f.Choose(id, c.choice)
				f.WantState(id, c.state)
				if len(pay.Runs()) != c.runs {
					t.Errorf("%d runs, want %d", len(pay.Runs()), c.runs)
				}
				f.NothingOut()
			})
		})
	}
}

// A tool whose manual became stricter meanwhile is not run with arguments that no longer fit.
func TestArgumentsAreCheckedAgainBeforeTheyRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(1)
		id := f.Give("pay")
		strict := jobtest.Approved("pay", toolbox.ConfirmAlways)
		strict.Manual.Params = []byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":100}}}`)
		f.Reopen(1, strict)
		f.Choose(id, ask.ChoiceApprove)
		f.WantState(id, job.Failed)
		if c := f.Job(id).Code; c != apperr.InvalidArgs || len(strict.Runs()) != 0 {
			t.Errorf("code %s, %d runs", c, len(strict.Runs()))
		}
	})
}

// A tool that is gone fails the todo; the questions about it can still be answered.
func TestAToolThatIsGoneAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways), jobtest.Player("play", "", 1, time.Hour)).Start(2)
		ids := []string{f.Give("pay"), f.Give("play"), f.Give("play")}
		f.Reopen(2, jobtest.NewTool("other"))
		f.WantState(ids[1], job.Failed)
		f.Choose(ids[0], ask.ChoiceApprove)
		f.Choose(ids[2], ask.ChoiceWait)
		for _, id := range ids {
			f.WantState(id, job.Failed)
			if c := f.Job(id).Code; c != apperr.UnknownTool {
				t.Errorf("code %s, want unknown_tool", c)
			}
		}
	})
}

// Two jobs want one tool, and the program is killed after any step of either: both end, the tool is never out twice.
func TestKilledAfterEveryStepOfAQuarrel(t *testing.T) {
	for _, choice := range []string{ask.ChoiceWait, ask.ChoiceStopOther} {
		for n := 0; ; n++ {
			done := false
			t.Run(fmt.Sprintf("%s after %d steps", choice, n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					f := jobtest.Open(t, jobtest.Player("nav", toolbox.MonitorBox, 1, time.Hour)).Start(2)
					f.Ledger.FailAfter(n, errKilled)
					ids := f.Hand("main", jobtest.Plan("nav"), jobtest.Plan("nav"))
					live := func() {
						for range 3 {
							f.Settle()
							for _, id := range ids {
								for _, a := range openAsks(t, f, id) {
									reply := ask.Reply{Ask: a.ID, Choice: choice}
									if _, err := f.Desk.Answer(t.Context(), reply); err != nil {
										t.Error(err)
									}
								}
							}
							f.Pass(soon)
							if h := f.Holders("nav"); len(h) > 1 {
								t.Errorf("nav is out %d times", len(h))
							}
						}
					}
					live()
					f.Pass(2 * time.Hour)
					done = !f.Ledger.Failing()
					f.Reopen(2)
					live()
					f.Pass(2 * time.Hour)
					succeeded := 0
					for _, id := range ids {
						if j := f.Job(id); !j.State.Ended() {
							t.Errorf("job %d is %s: %s", j.Number, j.State, j.Reason)
						} else if j.State == job.Succeeded {
							succeeded++
						}
					}
					if succeeded == 0 || choice == ask.ChoiceWait && succeeded != 2 {
						t.Errorf("%d jobs succeeded", succeeded)
					}
					f.NothingOut()
					f.NoQuestion()
				})
			})
			if t.Failed() {
				return
			}
			if done {
				break
			}
		}
	}
}
