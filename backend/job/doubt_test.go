package job_test

import (
	"context"
	"testing"
	"testing/synctest"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// A tool that must run once and does not hear that it should stop may do its work all the same: the job that was stopped
// says so, instead of "canceled".
func TestStoppedInTheMiddleOfSomethingThatCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		pay, quick := jobtest.Approved("pay", toolbox.ConfirmAlways), jobtest.NewTool("slow")
		deaf := func(context.Context, toolbox.Call) (toolbox.Result, error) {
			<-release
			return toolbox.Result{}, nil
		}
		pay.Do, quick.Do = deaf, deaf
		f := jobtest.Open(t, pay, quick).Start(2)
		paying, reading := f.Give("pay"), f.Give("slow")
		f.Choose(paying, ask.ChoiceApprove)
		for _, id := range []string{paying, reading} {
			f.WantState(id, job.Running)
			if err := f.Jobs.CancelJob(id); err != nil {
				t.Fatal(err)
			}
		}
		f.Pass(soon)
		f.WantState(paying, job.Failed)
		if j := f.Job(paying); j.Code != apperr.InDoubt {
			t.Errorf("the code is %q: %s", j.Code, j.Report)
		}
		f.WantState(reading, job.Canceled) // nothing that counts was under way
		f.NothingOut()
	})
}
