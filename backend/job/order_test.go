package job_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

func TestTodosRunInOrderAndJobsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		film, song := jobtest.Player("film", "", 0, time.Minute), jobtest.Player("song", "", 0, time.Minute)
		f := jobtest.Open(t, film, song, jobtest.NewTool("count")).Start(2)
		ids := f.Hand("main", jobtest.Plan("count", "film", "", "song"), jobtest.Plan("song"))
		f.Settle()
		if len(film.Runs()) != 1 || len(song.Runs()) != 1 || song.Runs()[0].JobID != ids[1] {
			t.Fatalf("film runs %d, song runs %d: the jobs do not run side by side, or a todo ran ahead", len(film.Runs()), len(song.Runs()))
		}
		f.Pass(time.Minute)
		f.WantState(ids[1], job.Succeeded)
		f.WantState(ids[0], job.Running)
		f.Pass(time.Minute)
		f.WantState(ids[0], job.Succeeded)
		if want := "succeeded: count done, film ended, solved step , song ended"; f.Job(ids[0]).Report != want {
			t.Errorf("report %q, want %q", f.Job(ids[0]).Report, want)
		}
		if have := f.Moves(ids[0]); !slices.Equal(have, []string{"queued", "running", "succeeded"}) {
			t.Errorf("the job went through %v", have)
		}
		f.NothingOut()
	})
}

func TestEveryPairOfStates(t *testing.T) {
	allowed := map[job.State][]job.State{
		job.Queued:  {job.Running, job.Canceled, job.Failed},
		job.Running: {job.Waiting, job.Succeeded, job.Failed, job.Canceled},
		job.Waiting: {job.Running, job.Canceled, job.Failed},
	}
	if len(job.States()) != 6 {
		t.Fatalf("%d states, want 6: this table must learn the new one", len(job.States()))
	}
	for _, from := range job.States() {
		for _, to := range job.States() {
			want := slices.Contains(allowed[from], to)
			if err := job.Move(from, to); (err == nil) != want || from.May(to) != want {
				t.Errorf("%s → %s: allowed %v, want %v", from, to, err == nil, want)
			}
		}
		if ended := len(allowed[from]) == 0; from.Ended() != ended {
			t.Errorf("%s ended: %v", from, from.Ended())
		}
	}
	if job.Move("unheard of", job.Running) == nil {
		t.Error("a state that is not in the table may go somewhere")
	}
}

func TestAJobOfManyChatsWaitsItsTurnInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		tool := jobtest.NewTool("note")
		tool.Do = func(_ context.Context, c toolbox.Call) (toolbox.Result, error) {
			order = append(order, c.Chat)
			return toolbox.Result{Text: "ok"}, nil
		}
		f := jobtest.Open(t, tool).Start(0)
		var want []string
		for i := range 20 {
			chat := fmt.Sprint("chat", i)
			want = append(want, chat)
			f.Hand(chat, jobtest.Plan("note"))
		}
		if p := f.Jobs.Places(); len(p) != 20 {
			t.Fatalf("%d jobs stand in line, want 20", len(p))
		}
		f.Jobs.SetWorkers(1)
		f.Settle()
		if !slices.Equal(order, want) {
			t.Errorf("served %v", order)
		}
	})
}
