package job_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

func TestWorkersComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		play := jobtest.Player("play", "", 0, time.Minute)
		f := jobtest.Open(t, play).Start(1)
		f.Hand("main", jobtest.Plan("play"), jobtest.Plan("play"), jobtest.Plan("play"))
		f.Settle()
		if len(play.Runs()) != 1 {
			t.Fatalf("one worker runs %d jobs", len(play.Runs()))
		}
		f.Jobs.SetWorkers(3)
		f.Settle()
		if len(play.Runs()) != 3 {
			t.Fatalf("three workers run %d jobs", len(play.Runs()))
		}
		f.Jobs.SetWorkers(1)
		f.Settle()
		if busy := running(f); busy != 3 {
			t.Fatalf("a worker was sent home in the middle of a job: %d of 3 still run", busy)
		}
		f.Pass(time.Minute)
		if tiles := f.Jobs.Workers(); len(tiles) != 1 {
			t.Errorf("%d tiles for one worker: %+v", len(tiles), tiles)
		}
		f.Give("play")
		f.Give("play")
		if len(play.Runs()) != 4 {
			t.Errorf("%d runs after one worker took one of two more jobs, want 4", len(play.Runs()))
		}
	})
}

func running(f *jobtest.Floor) (n int) {
	for _, w := range f.Jobs.Workers() {
		if w.State == "running" {
			n++
		}
	}
	return n
}

// A worker that is sent home just as a job comes in must not take the call with it.
func TestNoJobIsLeftStandingWhenWorkersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("quick")).Start(1)
		for i := range 40 {
			f.Jobs.SetWorkers(4)
			f.Settle()
			id := f.Hand("main", jobtest.Plan("quick"))[0]
			f.Jobs.SetWorkers(1)
			f.Settle()
			if s := f.Job(id).State; s != job.Succeeded {
				t.Fatalf("round %d: the job is %s and nobody will ever take it", i, s)
			}
		}
	})
}

// Who waits until nothing goes on sees no worker at work afterwards, however late its tile is put up.
func TestIdleIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("quick"))
		var shown atomic.Bool
		f.Hear = func(e event.Event) {
			if w, ok := e.Data.(event.WorkerState); ok && w.State == "succeeded" {
				<-time.After(time.Second)
				shown.Store(true)
			}
		}
		f.Start(1).Hand("main", jobtest.Plan("quick"))
		if err := f.Jobs.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !shown.Load() {
			t.Error("nothing goes on, and the worker is still shown at work")
		}
		<-time.After(time.Second)
	})
}

func TestATileSettlesAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("quick"), jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(1)
		tile := func() string { w := f.Jobs.Workers()[0]; return w.State + " " + string(w.Blink) }
		f.Give("quick")
		if tile() != "succeeded green" {
			t.Errorf("after success: %s", tile())
		}
		f.Pass(5 * time.Second)
		if tile() != "idle none" {
			t.Errorf("five seconds later: %s", tile())
		}
		f.Give("no such tool")
		if tile() != "failed red" {
			t.Errorf("after failure: %s", tile())
		}
		id := f.Give("pay")
		if tile() != "waiting yellow" {
			t.Errorf("while it asks: %s", tile())
		}
		f.Answer(id, ask.Reply{Choice: ask.ChoiceReject})
		if tile() != "idle none" {
			t.Errorf("after the answer: %s", tile())
		}
		f.WantState(id, job.Canceled)
		id = f.Give("pay")
		f.Pass(5 * time.Second)
		if tile() != "idle none" {
			t.Errorf("a parked job keeps no worker, but five seconds later its tile is: %s", tile())
		}
		f.WantState(id, job.Waiting)
	})
}

// A thousand jobs, each with todos in order, on four workers: all end, in order within each job, no number missing.
func TestAThousandJobsOnFourWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		steps := map[string][]int{}
		atOnce, most := 0, 0
		tool := jobtest.NewTool("step")
		tool.Do = func(ctx context.Context, c toolbox.Call) (toolbox.Result, error) {
			mu.Lock()
			steps[c.JobID] = append(steps[c.JobID], int(c.Args[5]-'0'))
			atOnce++
			most = max(most, atOnce)
			mu.Unlock()
			<-time.After(time.Millisecond)
			mu.Lock()
			atOnce--
			mu.Unlock()
			return toolbox.Result{Text: "ok"}, nil
		}
		f := jobtest.Open(t, tool).Start(4)
		goroutines := runtime.NumGoroutine()
		plans := make([]provider.JobPlan, 50)
		for i := range plans {
			plans[i] = jobtest.Plan("step", "step")
		}
		var ids []string
		for chat := range 20 {
			ids = append(ids, f.Hand(fmt.Sprint("chat", chat), plans...)...)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		if err := f.Jobs.WaitIdle(ctx); err != nil {
			t.Fatal(err)
		}
		f.Settle()
		if len(ids) != 1000 || most != 4 {
			t.Errorf("%d jobs, %d at once; want 1000 and 4", len(ids), most)
		}
		for _, id := range ids {
			if !slices.Equal(steps[id], []int{1, 2}) {
				t.Fatalf("a job's todos ran as %v", steps[id])
			}
		}
		ended := 0
		for _, m := range jobtest.Payloads[event.JobState](f, "") {
			if m.To == string(job.Succeeded) {
				ended++
			}
		}
		if ended != 1000 {
			t.Errorf("%d jobs were told to have succeeded", ended)
		}
		if n := runtime.NumGoroutine(); n > goroutines+4 {
			t.Errorf("%d goroutines, %d before: the ended jobs left some behind", n, goroutines)
		}
		f.NothingOut()
	})
}

// A parked job is a row in the ledger and nothing else.
func TestParkedJobsHoldNoWorkerAndNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways), jobtest.NewTool("quick"),
			jobtest.Player("play", "", 1, time.Hour), timer(10*time.Hour)).Start(2)
		f.Give("play")
		goroutines := runtime.NumGoroutine()
		for range 20 {
			f.Give("pay")
			f.Give("timer")
			f.Choose(f.Give("play"), ask.ChoiceWait)
		}
		if n := runtime.NumGoroutine(); n > goroutines+5 { // a few of the test runner's own come and go
			t.Errorf("%d goroutines, %d before 60 jobs were parked", n, goroutines)
		}
		if f.Jobs.Busy() != true || running(f) != 1 {
			t.Errorf("%d workers run, want only the one that plays", running(f))
		}
		f.WantState(f.Give("quick"), job.Succeeded)
	})
}

// Idle means idle: while a worker has taken a job from the line, or an answer waits to be worked in, the shop is busy.
func TestIdleIsNeverSaidTooEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.NewTool("quick"), jobtest.Approved("pay", toolbox.ConfirmAlways)).Start(2)
		for range 50 {
			id := f.Hand("main", jobtest.Plan("quick"))[0]
			idle(t, f)
			f.WantState(id, job.Succeeded)
		}
		for range 20 {
			id := f.Hand("main", jobtest.Plan("pay"))[0]
			idle(t, f)
			a := f.Question(id)
			if _, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceApprove, Digest: a.Digest}); err != nil {
				t.Fatal(err)
			}
			idle(t, f)
			f.WantState(id, job.Succeeded)
		}
	})
}

func idle(t *testing.T, f *jobtest.Floor) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	if err := f.Jobs.WaitIdle(ctx); err != nil {
		t.Fatal(err)
	}
}
