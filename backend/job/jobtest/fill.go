package jobtest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
	"agentchat/backend/toolbox"
)

// Stand is what a job of Fill waits for.
type Stand int

// The stands.
const (
	InLine      Stand = iota // a worker
	OnQuestion               // a person's approval
	ForTool                  // its turn at a tool
	UntilMoment              // tomorrow
)

// Fill makes a ledger in dir of n unfinished jobs, as where says. Their tool is the song.
func Fill(t testing.TB, dir string, n int, where func(i int) (job.State, Stand)) {
	t.Helper()
	s, err := store.Open(context.Background(), ledgertest.In(dir), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	const batch = 1000
	for from := 0; from < n; from += batch {
		jobs := make([]job.Job, 0, batch)
		for i := from; i < min(from+batch, n); i++ {
			jobs = append(jobs, unfinished(i))
		}
		turn := manager.Turn{ID: fmt.Sprint("turn", from), Chat: "main"}
		_, err := s.AddResume(context.Background(), turn)
		if err == nil {
			err = s.SaveTurn(context.Background(), manager.TurnStep{Turn: &turn, Node: "jobs", Next: "end", Done: true, Jobs: jobs})
		}
		if err != nil {
			t.Fatal(err)
		}
		for k, j := range jobs {
			state, stand := where(from + k)
			if err := s.SaveStep(context.Background(), parked(j, state, stand)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func unfinished(i int) job.Job {
	args := json.RawMessage(fmt.Sprintf(`{"title":"노래 %d"}`, i))
	return job.Job{
		ID: fmt.Sprintf("01980000-0000-7000-8000-%012d", i), Number: int64(i + 1), Chat: "main", Title: "노래 재생", Lang: bilingual.KO,
		Request: "조용한 노래 하나 틀어줘", State: job.Queued, Created: time.Now(), Todos: []job.Todo{
			{ID: fmt.Sprintf("01980000-0000-7000-9000-%012d", i), Title: "노래 재생", Tool: "song", Request: "조용한 노래", Args: args, State: job.TodoPending},
			{ID: fmt.Sprintf("01980000-0000-7000-a000-%012d", i), Title: "감상 적기", Request: "감상을 적기", State: job.TodoPending},
		},
	}
}

func parked(j job.Job, state job.State, stand Stand) job.Step {
	run := job.Run{Job: j}
	run.Job.State = state
	step := job.Step{Run: &run, Node: "filled"}
	if stand == InLine {
		return step
	}
	t := &run.Job.Todos[0]
	t.State, t.Node = job.TodoWaiting, "acquire"
	run.Job.Started = run.Job.Created
	run.Call = &job.Call{Tool: t.Tool, Args: t.Args, Digest: toolbox.Digest(t.Tool, t.Args)}
	switch stand {
	case InLine:
	case OnQuestion:
		run.AskID = "ask-" + j.ID
		step.Next, step.Parked = "read_lock", true
		step.Open = &ask.Ask{
			ID: run.AskID, Kind: ask.KindLock, State: ask.StateOpen, Chat: j.Chat, JobID: j.ID, JobTitle: j.Title, TodoID: t.ID,
			Question: "노래 공구가 모두 나가 있어요. 기다릴까요, 취소할까요, 아니면 그중 하나를 멈출까요?", Tool: t.Tool, Args: t.Args,
			Choices: []string{ask.ChoiceWait, ask.ChoiceCancel, ask.ChoiceStopOther}, Opened: j.Created,
		}
	case ForTool:
		run.InLine, run.QueuedAt = true, j.Created
		step.Next, step.Parked = "acquire", true
	case UntilMoment:
		run.Exec = &job.Exec{ID: "x" + j.ID, Boot: "before", Began: j.Created, Resume: json.RawMessage(`{}`), WakeAt: j.Created.Add(24 * time.Hour)}
		step.Next, step.Parked, step.WakeAt = "exec", true, run.Exec.WakeAt
	}
	return step
}
