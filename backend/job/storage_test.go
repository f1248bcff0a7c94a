package job_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

var errFull = apperr.New(apperr.StorageFull)

// The disk is full when a person stops a job that stands still: they are told, and can stop it again.
func TestACancelThatCannotBeSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		f := jobtest.Open(t, pay, jobtest.NewTool("quick")).Start(0)
		queued := f.Give("quick")
		f.Jobs.SetWorkers(1)
		f.Settle()
		f.WantState(queued, job.Succeeded)
		id := f.Give("pay")
		f.Jobs.SetWorkers(0)
		f.Settle()
		queued = f.Give("quick")

		f.Ledger.FailAfter(0, errFull)
		for _, stop := range []string{id, queued} {
			if err := f.Jobs.CancelJob(stop); apperr.CodeOf(err) != apperr.StorageFull {
				t.Fatalf("%v, want storage_full", err)
			}
		}
		if told := jobtest.Payloads[event.Error](f, id); len(told) != 1 || told[0].Code != "storage_full" {
			t.Errorf("the customer was told %+v", told)
		}
		f.Ledger.Heal()
		f.Jobs.SetWorkers(1)
		f.Settle()
		f.Question(id)
		cancel(t, f, id)
		f.WantState(id, job.Canceled)
		f.WantState(queued, job.Succeeded) // nobody stopped it after all
		f.NothingOut()
	})
}

// The disk is full for one step, the one that keeps what a tool did: what happened is not denied.
func TestAResultThatCannotBeSavedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmNever)
		f := jobtest.Open(t, pay, jobtest.NewTool("quick"))
		f.Start(1)
		pay.Do = func(context.Context, toolbox.Call) (toolbox.Result, error) {
			f.Ledger.FailOnce(errFull)
			return toolbox.Result{Text: "paid"}, nil
		}
		id := f.Give("pay")
		f.WantState(id, job.Succeeded)
		more := f.Give("pay", "quick")
		f.WantState(more, job.Failed)
		if j := f.Job(more); j.Todos[0].State != job.TodoDone || j.Todos[1].State != job.TodoSkipped || j.Code != apperr.StorageFull {
			t.Errorf("%s: %+v", j.Code, j.Todos)
		}
		f.Reopen(1)
		if n := len(pay.Runs()); n != 2 {
			t.Errorf("paid %d times", n)
		}
		f.NoQuestion()
	})
}

// The disk is full for good while a job plays: its tools come back, others go on when the disk is well, and the next start
// takes the job up.
func TestAJobWhoseEndCannotBeSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Player("play", "", 1, time.Hour), jobtest.Approved("pay", toolbox.ConfirmNever)).Start(2)
		id, paid := f.Give("play"), ""
		f.Ledger.FailAfter(0, errFull)
		f.Pass(time.Hour)
		f.NothingOut()
		f.Ledger.Heal()
		f.WantState(f.Give("play"), job.Running)
		f.Ledger.FailAfter(7, errFull) // somewhere about the payment
		paid = f.Give("pay")
		f.Reopen(2)
		f.Pass(2 * time.Hour)
		f.WantState(id, job.Succeeded)
		if f.Job(paid).State == job.Waiting {
			if a := f.Question(paid); a.Kind != ask.KindRecovery {
				t.Errorf("asked %s", a.Kind)
			}
		}
	})
}

// What was left of a program's limit went to another ticket between the look and the transaction: the node looks again, and nothing has broken.
func TestALimitThatIsReachedMeanwhileIsLookedAtAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmNever)
		f := jobtest.Open(t, pay)
		f.Start(1)
		f.Ledger.FailOnce(apperr.New(apperr.GuestLimit)) // the step up to confirm_check, which holds the intent
		id := f.Give("pay")
		f.WantState(id, job.Succeeded)
		if n := len(pay.Runs()); n != 1 {
			t.Errorf("paid %d times", n)
		}
		f.NothingOut()
	})
}
