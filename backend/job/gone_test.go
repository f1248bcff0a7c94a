package job_test

import (
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// A tool that is taken out of the box is a failed step, told as such, wherever its jobs stand.
func TestAToolThatGoesIsAFailedStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		song := jobtest.Player("song", "", 1, time.Hour)
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways), song, jobtest.NewTool("quick")).Start(4)
		approval, playing := f.Give("pay", "quick"), f.Give("song")
		f.Settle()
		line, asked := f.Give("song", "quick"), f.Give("song", "quick")
		f.Settle()
		f.Choose(line, ask.ChoiceWait)
		f.WantState(line, job.Waiting)
		f.WantState(asked, job.Waiting)

		f.Box.Unregister("pay", "song")
		f.Settle()
		f.Choose(approval, ask.ChoiceApprove)
		f.Choose(asked, ask.ChoiceWait)
		for _, id := range []string{approval, line, asked} {
			j := f.Job(id)
			if j.State != job.Failed || j.Code != apperr.UnknownTool || j.Report == "" {
				t.Errorf("%s: %s, code %q, report %q", j.Title, j.State, j.Code, j.Report)
			}
		}
		f.WantState(playing, job.Running) // what runs is the tool's own affair
		f.Pass(time.Hour)
		f.WantState(playing, job.Succeeded) // and what it brought counts: it has happened
		f.NothingOut()
	})
}
