package job_test

import (
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
)

// While the workers rest nobody takes a job and one that runs gets no further than its step; nothing counts as busy, and
// afterwards everything goes on.
func TestTheWorkersRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Player("play", "", 1, 10*time.Minute), jobtest.NewTool("quick")).Start(2)
		two := f.Give("play", "quick")
		f.Pass(time.Minute)
		f.WantState(two, job.Running)
		f.Jobs.Hold(true)
		waits := f.Give("quick")
		f.Pass(time.Hour) // the tool that was at work has finished, and its job stands before the next step
		f.WantState(two, job.Running)
		f.WantState(waits, job.Queued)
		if err := f.Jobs.WaitIdle(t.Context()); err != nil {
			t.Error(err)
		}
		if some, all := f.Jobs.Going(1); all != 2 || len(some) != 1 || some[0].ID != two || some[0].Title == "" {
			t.Errorf("%d go on, among them %+v", all, some)
		}
		f.Jobs.Hold(false)
		f.Pass(time.Minute)
		f.WantState(two, job.Succeeded)
		f.WantState(waits, job.Succeeded)
		if some, all := f.Jobs.Going(1); all != 0 || len(some) != 0 {
			t.Errorf("%d go on: %+v", all, some)
		}
		f.NothingOut()
	})
}
