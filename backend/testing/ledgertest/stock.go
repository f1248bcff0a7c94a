package ledgertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/store"
)

// stockBatch is how many jobs a turn below hands out.
const stockBatch = 500

// stocked is what the jobs of Stock do, one after the other.
var stocked = []struct{ title, tool, text string }{
	{"서울 날씨", "weather", "서울은 12℃, 맑아요."},
	{"12 × 3", "calculator", "12 × 3 = 36이에요."},
	{"조용한 노래 틀기", "song", "노래를 틀었어요."},
	{"목적지까지 길 안내", "nav", "도착했어요."},
	{"회의.txt에 적기", "file_write", "회의.txt에 한 줄을 적었어요."},
}

// Stock fills the ledger in dir with n jobs that have ended, the newest a moment ago and each an hour older than the one after it; every
// twentieth failed. They came of messages in two chats.
func Stock(dir string, n int) (err error) {
	ctx := context.Background()
	s, err := store.Open(ctx, dir, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	end := time.Now()
	for from := 1; from <= n; from += stockBatch {
		turn := manager.Turn{ID: fmt.Sprint("stock", from), Chat: []string{"main", "errands"}[from/stockBatch%2], Text: "늘 하던 것 해줘", Lang: bilingual.KO}
		step := manager.TurnStep{Turn: &turn, Node: "save", Done: true}
		for i := from; i < min(from+stockBatch, n+1); i++ {
			step.Jobs = append(step.Jobs, stockedJob(i, turn, end.Add(time.Duration(i-n)*time.Hour)))
		}
		if _, err := s.AddTurn(ctx, turn, event.ChatMessage{ID: turn.ID, Role: event.RoleCustomer, Text: turn.Text}, turn.Text); err != nil {
			return err
		}
		if err := s.SaveTurn(ctx, step); err != nil {
			return err
		}
		for _, j := range step.Jobs {
			j.Ended = j.Created.Add(time.Minute)
			if j.State = job.Succeeded; j.Number%20 == 0 {
				j.State, j.Reason, j.Code, j.Report = job.Failed, "하지 못했어요.", "tool_failed", "하지 못했어요."
			}
			if err := s.SaveStep(ctx, job.Step{Run: &job.Run{Job: j}, Node: "done", Next: "end"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func stockedJob(n int, turn manager.Turn, at time.Time) job.Job {
	kind := stocked[n%len(stocked)]
	id := fmt.Sprint("stocked-", n)
	return job.Job{
		ID: id, Number: int64(n), Chat: turn.Chat, Title: fmt.Sprint(kind.title, " ", n), Turn: turn.ID, Request: turn.Text, Lang: turn.Lang, State: job.Queued,
		Created: at, Started: at, Report: kind.text,
		Todos: []job.Todo{{ID: id + ".1", Title: kind.title, Tool: kind.tool, Request: turn.Text, Args: json.RawMessage(`{}`), State: job.TodoDone, Ran: true, Text: kind.text}},
	}
}
