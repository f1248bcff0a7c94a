package sim

import (
	"context"
	"errors"
	"sync/atomic"

	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/store"
)

// errKilled is what a process that is no more gets from its disk.
var errKilled = errors.New("the process was killed")

// ledger is the real ledger behind gates. Once dead, it takes nothing any more: whatever the old process still tries is
// lost, as after kill -9.
type ledger struct {
	*store.Store
	gates  *gates
	dead   atomic.Bool
	writes atomic.Int64 // how many there were: who read since the last need not read again
}

// write is one write of the shop: it can be killed before it is committed, and after.
func (l *ledger) write(name string, do func() error) error {
	l.gates.pass(name + " before")
	if l.dead.Load() {
		return errKilled
	}
	err := do()
	l.writes.Add(1)
	l.gates.pass(name + " after")
	if l.dead.Load() {
		return errKilled
	}
	return err
}

// SaveStep implements job.Store.
func (l *ledger) SaveStep(ctx context.Context, step job.Step) error {
	return l.write("job "+step.Run.Job.ID+" "+step.Node, func() error { return l.Store.SaveStep(ctx, step) })
}

// SaveTurn implements manager.Store.
func (l *ledger) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	return l.write("turn "+step.Turn.ID+" "+step.Node, func() error { return l.Store.SaveTurn(ctx, step) })
}

// AddResume implements manager.Store.
func (l *ledger) AddResume(ctx context.Context, turn manager.Turn) (added bool, err error) {
	err = l.write("resume "+turn.ID, func() (err error) {
		added, err = l.Store.AddResume(ctx, turn)
		return err
	})
	return added, err
}

// AddTurn implements manager.Store.
func (l *ledger) AddTurn(ctx context.Context, turn manager.Turn, msg event.ChatMessage, title string) (created bool, err error) {
	err = l.write("say "+turn.ID, func() (err error) {
		created, err = l.Store.AddTurn(ctx, turn, msg, title)
		return err
	})
	return created, err
}

// AnswerAsk implements ask.Store.
func (l *ledger) AnswerAsk(ctx context.Context, id string, answer ask.Answer) (won bool, err error) {
	err = l.write("answer "+id, func() (err error) {
		won, err = l.Store.AnswerAsk(ctx, id, answer)
		return err
	})
	return won, err
}
