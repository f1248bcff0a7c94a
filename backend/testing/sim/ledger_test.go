package sim

import (
	"context"
	"errors"
	"sync/atomic"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/manager"
	"agentchat/backend/memory"
	"agentchat/backend/store"
)

// errKilled is what a process that is no more gets from its disk.
var errKilled = errors.New("the process was killed")

// ledger is the real ledger behind gates. Once dead, it takes nothing any more: whatever the old process still tries is
// lost, as after kill -9.
type ledger struct {
	*store.Store
	gates  *gates
	full   func(name string) bool // the disk has no room for this write
	dead   atomic.Bool
	writes atomic.Int64 // how many there were: who read since the last need not read again
}

// write is one write of the shop: it can be killed before it is committed, and after, and the disk may have no room for it.
func (l *ledger) write(name string, do func() error) error {
	l.gates.pass(name + " before")
	if l.dead.Load() {
		return errKilled
	}
	err := error(apperr.New(apperr.StorageFull))
	if !l.full(name) {
		err = do()
	}
	l.writes.Add(1)
	l.gates.pass(name + " after")
	if l.dead.Load() {
		return errKilled
	}
	return err
}

// quiet is a write that is no moment of the story: it goes alone, and is lost like the others once the process is no more.
func (l *ledger) quiet(name string, do func() error) error {
	l.gates.queue(name)
	if l.dead.Load() {
		return errKilled
	}
	return do()
}

// Recall implements memory.Store: it gives messages their places.
func (l *ledger) Recall(ctx context.Context, chat string, facts func(project string) []string) (r memory.Record, err error) {
	err = l.quiet("recall "+chat, func() (err error) {
		r, err = l.Store.Recall(ctx, chat, facts)
		return err
	})
	return r, err
}

// Cut implements memory.Store.
func (l *ledger) Cut(ctx context.Context, c memory.Compaction) (made bool, err error) {
	err = l.quiet("cut "+c.Chat, func() (err error) {
		made, err = l.Store.Compact(ctx, c)
		return err
	})
	return made, err
}

// AddFact implements memory.Store.
func (l *ledger) AddFact(ctx context.Context, f memory.Fact, keep int) (added bool, err error) {
	err = l.quiet("fact "+f.ID, func() (err error) {
		added, err = l.Store.AddFact(ctx, f, keep)
		return err
	})
	return added, err
}

// loads is the ledger as one part of the shop has it. A worker that was woken begins with reading its job, a turn that waited
// for a job with looking what became of it.
type loads struct {
	*ledger
	part string
}

// LoadRun implements job.Store and manager.Store.
func (l loads) LoadRun(ctx context.Context, id string) (job.Record, error) {
	l.gates.queue(l.part + " reads " + id)
	return l.ledger.LoadRun(ctx, id)
}

// turns is the memory as the manager has it: a turn begins with telling it so.
type turns struct {
	*memory.Memory
	gates *gates
}

// Turn implements manager.Memory.
func (t turns) Turn(chat string) (done func()) {
	t.gates.queue("turn of " + chat)
	return t.Memory.Turn(chat)
}

// SaveStep implements job.Store.
func (l *ledger) SaveStep(ctx context.Context, step job.Step) error {
	return l.write("job "+step.Run.Job.ID+" "+step.Node, func() error { return l.Store.SaveStep(ctx, step) })
}

// SaveTurn implements manager.Store.
func (l *ledger) SaveTurn(ctx context.Context, step manager.TurnStep) error {
	return l.write("turn "+step.Turn.ID+" "+step.Node, func() error { return l.Store.SaveTurn(ctx, step) })
}

// Distrust implements manager.Store. A process that is no more takes nothing away either.
func (l *ledger) Distrust() error {
	if l.dead.Load() {
		return errKilled
	}
	return l.Store.Distrust()
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
