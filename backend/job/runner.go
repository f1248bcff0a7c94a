package job

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/failpoint"
	"agentchat/backend/graph"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/names"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Interpreter is what a worker may ask the model for.
type Interpreter interface {
	ChooseTool(ctx context.Context, brief interpreter.Brief) (provider.ToolCall, error)
	Solve(ctx context.Context, brief interpreter.Brief) (provider.Solution, error)
	Report(ctx context.Context, brief interpreter.Brief) (interpreter.Words, error)
}

// Background gives what a request to a model needs to know of the job's chat, and what the customer said to the job itself.
type Background func(ctx context.Context, chat, job string) interpreter.Background

// Runner walks jobs through the job graph (seed: JobRunner). It keeps nothing between calls; a job's state is its Run.
type Runner struct {
	store        Store
	box          *toolbox.Box
	interp       Interpreter
	background   Background
	screens      Screens
	pub          event.Publisher
	keepLog      func(event.JobLog)
	scope        func(ctx context.Context, chat string) (context.Context, error) // nil: nothing bounds a tool
	now          func() time.Time
	newID        func() string
	boot         string
	unsure       bool // the last run of the program reported something that it could not store
	authorizer   authorizer
	names        names.Rooms
	maxRounds    func() int
	stopJob      func(id string)      // cancels another job; set by the manager
	disowned     func(id string) bool // its end is not reported
	onCounterJob func(Job)            // told when a counter job ended or waits; may be nil
	graph        *graph.Graph[*Run]
}

// Screens shows media on the Monitor and the decks, and clears what a job left there.
type Screens interface {
	// Show shows m if wanted returns true, which it calls under the lock that Clear takes: a job that was cleared shows nothing after.
	Show(chat, job string, m event.Media, wanted func() bool)
	Clear(chat, job string)
}

// Save implements graph.Journal: it commits the node's step and then publishes its events.
func (r *Runner) Save(ctx context.Context, s graph.Step[*Run]) error {
	step := *s.State.out
	step.Run, step.Node, step.Next, step.Parked, step.Sync = s.State, s.Node, s.Next, s.Parked, step.Sync || s.Sync
	return r.commit(ctx, step, r.store.SaveStep)
}

func (r *Runner) commit(ctx context.Context, step Step, save func(context.Context, Step) error) error {
	if failpoint.Enabled {
		failpoint.Hit("job." + step.Node + " before")
	}
	if r.disowned(step.Run.Job.ID) {
		step.Message = nil
	}
	if err := save(ctx, step); err != nil {
		return err
	}
	if failpoint.Enabled {
		failpoint.Hit("job." + step.Node + " after")
	}
	step.Run.begin()
	events := step.Events
	if step.Open != nil {
		events = append(events, step.Open.OpenedEvent())
	}
	if step.Message != nil {
		events = append(events, event.Of(step.Run.Job.Chat, step.Run.Job.ID, *step.Message))
	}
	r.pub.Publish(events...)
	if r.onCounterJob != nil && step.Run.Job.Counter && (step.Parked || step.Run.Job.State.Ended()) {
		r.onCounterJob(step.Run.Job)
	}
	return nil
}

func (r *Runner) brief(ctx context.Context, s *Run) interpreter.Brief {
	background := r.background(ctx, s.Job.Chat, s.Job.ID)
	b := interpreter.Brief{
		Chat: s.Job.Chat, Job: s.Job.ID, Turn: s.Job.Turn, Lang: s.Job.Lang, Request: s.Job.Request,
		Background: background, Results: s.Job.results(),
		Correction: s.Correction, Previous: s.Previous, Now: r.now(),
	}
	if s.hasTodo() {
		t := s.todo()
		request := t.Request
		for _, note := range background.Notes {
			request += "\n" + note
		}
		b.Todo = &provider.TodoCard{Title: t.Title, Tool: t.Tool, Request: request}
	}
	return b
}

// fail ends the todo at hand with an error a person can read.
func (s *Run) fail(err error) graph.Move {
	e := apperr.From(err)
	s.Outcome = &Outcome{Text: e.Text(s.Job.Lang), Code: e.Code}
	if e.Code == apperr.ToolOff {
		s.Outcome.Why = bilingual.Say(s.Job.Lang, "공구가 꺼져 있어요.", "The tool is switched off.")
	}
	s.log("error", e.Text(s.Job.Lang))
	return graph.To(nodeSave)
}

func compact(raw json.RawMessage) string {
	if len(raw) > 400 {
		return string(raw[:400]) + "…"
	}
	return string(raw)
}

// scoped is the context of a tool that is used for a chat. What bounds the chat and cannot be read is an error: a tool is not used unbounded.
func (r *Runner) scoped(ctx context.Context, chat string) (context.Context, error) {
	if r.scope == nil {
		return ctx, nil
	}
	return r.scope(ctx, chat)
}
