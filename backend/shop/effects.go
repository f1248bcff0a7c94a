package shop

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/bank"
	"agentchat/backend/job"
	"agentchat/backend/memory"
)

// rememberEffect lets memory learn what the service counter has really done. It is told of every job of the counter that ended
// or waits, after that is stored, and again before the customer is told its outcome: the program can end in between.
func (s *Shop) rememberEffect(j job.Job) {
	if !j.Counter || j.State != job.Succeeded || len(j.Todos) == 0 {
		return
	}
	e := memory.Event{Source: memory.SourceJob, Chat: j.Chat, Ref: j.ID, Text: effectText(j), At: j.Ended}
	if j.Todos[0].Tool == transferTool {
		e.Source = memory.SourceLedger
	}
	if err := s.memory.Learn(context.Background(), e); err != nil {
		log := s.Log.Component("memory")
		log.Warn().Err(err).Str("job", j.ID).Msg("what was done could not be remembered; the ledger has it")
	}
}

// transferTool is the tool that moves money.
const transferTool = "transfer"

// effectText says in one sentence of code's own what a job of the counter did: the arguments that the customer confirmed, never
// what a tool or a model said about it.
func effectText(j job.Job) string {
	day := j.Ended.In(time.Local).Format(time.DateOnly)
	t := j.Todos[0]
	if t.Tool == transferTool {
		var args struct {
			Target string `json:"target"`
			Amount int64  `json:"amount"`
			Memo   string `json:"memo"`
			Date   string `json:"date"`
		}
		if json.Unmarshal(t.Args, &args) == nil && args.Target != "" && args.Amount > 0 {
			return bank.Transfer{Day: day, Due: args.Date, Target: args.Target, Amount: args.Amount, Memo: args.Memo, Lang: j.Lang}.Text()
		}
	}
	var args map[string]any
	values := []string{}
	if json.Unmarshal(t.Args, &args) == nil {
		for _, name := range slices.Sorted(maps.Keys(args)) {
			values = append(values, fmt.Sprint(args[name]))
		}
	}
	return fmt.Sprintf("%s %s: %s", day, j.Title, strings.Join(values, ", "))
}
