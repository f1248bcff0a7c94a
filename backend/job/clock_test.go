package job_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/job"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/toolbox"
)

// clocked is a tool that puts its job aside until an hour has passed on the wall.
func clocked(f **jobtest.Floor) *jobtest.Tool {
	tool := jobtest.NewTool("alarm")
	tool.Do = func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		due := (*f).Now().Add(time.Hour).UnixMilli()
		if call.Resume != nil {
			if err := json.Unmarshal(call.Resume, &due); err != nil {
				return toolbox.Result{}, err
			}
		}
		if (*f).Now().UnixMilli() >= due {
			return toolbox.Result{Text: "rang"}, nil
		}
		resume, err := json.Marshal(due)
		return toolbox.Result{Park: &toolbox.Park{UntilUnixMilli: due, Resume: resume}}, err
	}
	return tool
}

// The clock is set, or the lid was closed for a day, while jobs wait for a moment and for a tool: a moment that has passed
// is noticed soon, one that is still to come is waited for, and nothing else minds.
func TestTheClockIsSet(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		skew  time.Duration
		early bool          // the alarm rings at once
		rest  time.Duration // what is left to wait after the twelve minutes below
	}{"a day forward": {day, true, 0}, "a day back": {-day, false, day + 48*time.Minute}, "not": {0, false, 48 * time.Minute}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var f *jobtest.Floor
				f = jobtest.Open(t, clocked(&f), jobtest.Player("play", "", 1, 10*time.Minute), jobtest.NewTool("quick")).Start(2)
				alarm, playing := f.Give("alarm"), f.Give("play")
				f.WantState(alarm, job.Waiting)
				f.Pass(time.Minute)
				f.Skew.Store(int64(c.skew))
				f.Pass(time.Minute)
				if ended := f.Job(alarm).State.Ended(); ended != c.early {
					t.Fatalf("a minute later the job has ended: %t", ended)
				}
				f.WantState(f.Give("quick"), job.Succeeded)
				f.Pass(10 * time.Minute)
				f.WantState(playing, job.Succeeded)
				f.Reopen(2)
				f.Pass(c.rest)
				f.WantState(alarm, job.Succeeded)
				if len(f.Job(alarm).Todos) != 1 || f.Job(alarm).Todos[0].Text != "rang" {
					t.Errorf("%+v", f.Job(alarm).Todos)
				}
				f.NothingOut()
			})
		})
	}
}

// A clock that was set back and forth again loses nothing.
func TestTheClockIsSetBackAndForth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f *jobtest.Floor
		f = jobtest.Open(t, clocked(&f)).Start(1)
		id := f.Give("alarm")
		f.Skew.Store(int64(-24 * time.Hour))
		f.Pass(2 * time.Hour)
		f.WantState(id, job.Waiting)
		f.Skew.Store(0)
		f.Pass(time.Minute)
		f.WantState(id, job.Succeeded)
	})
}
