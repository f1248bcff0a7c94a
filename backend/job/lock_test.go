package job_test

import (
	"context"
	"slices"
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

// monitor opens a floor with the seeds' tools: one Monitor for nav and movie, two decks for song.
func monitor(t *testing.T, workers int) *jobtest.Floor {
	t.Helper()
	return jobtest.Open(t,
		jobtest.Player("nav", toolbox.MonitorBox, 1, time.Hour), jobtest.Player("movie", toolbox.MonitorBox, 1, time.Hour),
		jobtest.Player("song", toolbox.SongPool, 2, time.Hour), jobtest.NewTool("quick"),
	).Start(workers)
}

func TestALockedToolAsksAndNamesItsHolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 2)
		nav, movie := f.Give("nav"), f.Give("movie")
		f.WantState(movie, job.Waiting)
		a := f.Question(movie)
		if a.Kind != ask.KindLock || a.Reason != string(toolbox.ReasonGroup) || len(a.Holders) != 1 || a.Holders[0].JobID != nav || a.Tool != "movie" {
			t.Errorf("the question: %+v", a)
		}
		if !slices.Equal(a.Choices, []string{ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStopOther}) {
			t.Errorf("choices %v", a.Choices)
		}
	})
}

func TestWaitStartsWhenTheHolderEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 2)
		nav, movie := f.Give("nav"), f.Give("movie")
		f.Choose(movie, ask.ChoiceWait)
		f.NoQuestion()
		f.WantState(movie, job.Waiting)
		f.WantState(f.Give("quick"), job.Succeeded) // the second worker is free
		f.Pass(time.Hour)
		f.WantState(nav, job.Succeeded)
		f.WantState(movie, job.Running)
		if h := f.Holders("movie"); !slices.Equal(h, []string{movie}) {
			t.Errorf("the movie is held by %v", h)
		}
		f.Pass(time.Hour)
		f.WantState(movie, job.Succeeded)
		f.NothingOut()
	})
}

func TestWaitWhenTheToolIsFreeAgainAlready(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 2)
		f.Give("nav")
		movie := f.Give("movie")
		f.Pass(time.Hour)
		f.WantState(movie, job.Waiting) // nobody answered
		f.Choose(movie, ask.ChoiceWait)
		f.WantState(movie, job.Running)
	})
}

// People are heard while every worker plays: a cancel ends the job at once, a stop_other takes effect at once.
func TestAnswersAreWorkedInWhileEveryWorkerIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 2)
		nav := f.Give("nav")
		one, two := f.Give("movie"), f.Give("movie")
		song := f.Give("song")
		if running(f) != 2 {
			t.Fatal("not every worker is busy")
		}
		f.Choose(one, ask.ChoiceCancel)
		f.WantState(one, job.Canceled)
		f.Choose(two, ask.ChoiceStopOther)
		f.Pass(soon)
		f.WantState(nav, job.Canceled)
		f.WantState(two, job.Running)
		f.WantState(song, job.Running)
	})
}

// An answer that comes while the one before it is still being worked in needs no worker either.
func TestAnAnswerOnTheHeelsOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := jobtest.Open(t, jobtest.Approved("pay", toolbox.ConfirmAlways), jobtest.Player("play", "", 0, time.Hour)).Start(1)
		id := f.Give("pay")
		f.Give("play")
		f.Hear = func(e event.Event) {
			if a, ok := e.Data.(event.AskOpened); ok {
				if _, err := f.Desk.Answer(context.Background(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceReject}); err != nil {
					t.Error(err)
				}
			}
		}
		f.Answer(id, ask.Reply{Choice: ask.ChoiceEdit, Args: []byte(`{"n":2}`)})
		f.WantState(id, job.Canceled)
	})
}

func TestStopOtherWithAThirdInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 4)
		nav, third := f.Give("nav"), f.Give("movie")
		f.Choose(third, ask.ChoiceWait)
		movie := f.Give("movie")
		f.Choose(movie, ask.ChoiceStopOther) // its one holder need not be named
		f.Pass(soon)
		f.WantState(nav, job.Canceled)
		f.WantState(movie, job.Running)
		f.WantState(third, job.Waiting)
		f.Pass(time.Hour)
		f.WantState(movie, job.Succeeded)
		f.WantState(third, job.Running)
	})
}

// Stopping a holder that is not running but parked (it waits for an approval) works the same.
func TestStopOtherThatIsParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pay := jobtest.Approved("pay", toolbox.ConfirmAlways)
		pay.Manual.Capacity = 1
		f := jobtest.Open(t, pay).Start(1)
		first, second := f.Give("pay"), f.Give("pay")
		f.Choose(second, ask.ChoiceStopOther)
		f.WantState(first, job.Canceled)
		if a := f.Question(second); a.Kind != ask.KindApproval {
			t.Errorf("the second job asks %s, want approval", a.Kind)
		}
	})
}

func TestSongsAreLockedByCapacityAndServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 5)
		one, two := f.Give("song"), f.Give("song")
		var line []string
		for range 3 {
			id := f.Give("song")
			if a := f.Question(id); a.Reason != string(toolbox.ReasonCapacity) || len(a.Holders) != 2 {
				t.Fatalf("the question: %+v", a)
			}
			line = append(line, id)
		}
		f.Choose(line[1], ask.ChoiceWait)
		f.Choose(line[0], ask.ChoiceWait)
		a := f.Question(line[2])
		_, err := f.Desk.Answer(t.Context(), ask.Reply{Ask: a.ID, Choice: ask.ChoiceStopOther})
		if apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Fatalf("which song to stop was not said: %v", err)
		}
		if f.Question(line[2]).ID != a.ID {
			t.Fatal("the question did not stay open")
		}
		f.Answer(line[2], ask.Reply{Choice: ask.ChoiceStopOther, Holder: two})
		f.Pass(soon)
		f.WantState(two, job.Canceled)
		f.WantState(one, job.Running)
		f.WantState(line[2], job.Running)
		f.Pass(time.Hour - 5*soon)
		cancel(t, f, one)
		f.Pass(soon)
		f.WantState(line[1], job.Running) // it came first
		f.WantState(line[0], job.Waiting)
		f.Pass(time.Hour)
		f.WantState(line[0], job.Running)
	})
}

// The holder ended before its name was given: nobody else is stopped, the job just goes on.
func TestStopOtherComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 2)
		f.Give("nav")
		movie := f.Give("movie")
		f.Pass(time.Hour)
		late := f.Give("nav") // takes the Monitor while the question is open
		f.Choose(movie, ask.ChoiceStopOther)
		f.WantState(late, job.Running)
		f.WantState(movie, job.Waiting)
		f.Pass(time.Hour)
		f.WantState(movie, job.Running)
	})
}

func TestOneStoppedJobInLineDoesNotHoldUpTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := monitor(t, 3)
		f.Give("nav")
		one, two := f.Give("movie"), f.Give("movie")
		f.Choose(one, ask.ChoiceWait)
		f.Choose(two, ask.ChoiceWait)
		cancel(t, f, one)
		f.Settle()
		f.WantState(one, job.Canceled)
		f.Pass(time.Hour)
		f.WantState(two, job.Running)
	})
}

func TestATimerParksAndRings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := timer(10 * time.Minute)
		f := jobtest.Open(t, tool, jobtest.NewTool("quick")).Start(1)
		id := f.Give("timer", "quick")
		f.WantState(id, job.Waiting)
		f.WantState(f.Give("quick"), job.Succeeded) // its worker is free
		f.Pass(10*time.Minute - time.Second)
		f.WantState(id, job.Waiting)
		f.Pass(time.Second)
		f.WantState(id, job.Succeeded)
		if n := len(tool.Runs()); n != 2 {
			t.Errorf("the timer was run %d times, want 2", n)
		}
	})
}
