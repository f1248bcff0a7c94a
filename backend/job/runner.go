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
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Interpreter is what a worker may ask the model for.
type Interpreter interface {
	ChooseTool(ctx context.Context, brief interpreter.Brief) (provider.ToolCall, error)
	Solve(ctx context.Context, brief interpreter.Brief) (provider.Solution, error)
	Report(ctx context.Context, brief interpreter.Brief) (interpreter.Words, error)
}

// Background gives what a letter about a job needs to know of its chat, and what the customer said to the job itself.
type Background func(ctx context.Context, chat, job string) interpreter.Background

// Runner walks jobs through the job graph (seed: JobRunner). It keeps nothing between calls; a job's state is its Run.
type Runner struct {
	store      Store
	box        *toolbox.Box
	interp     Interpreter
	background Background
	screens    Screens
	pub        event.Publisher
	keepLog    func(event.JobLog)
	now        func() time.Time
	newID      func() string
	boot       string
	gate       gate
	maxRounds  func() int
	stopJob    func(id string) // cancels another job; set by the manager
	notice     func(Job)       // told when a counter job ended or waits; may be nil
	graph      *graph.Graph[*Run]
}

// Screens shows media on the Monitor and the decks, and clears what a job left there.
type Screens interface {
	Show(chat, job string, m event.Media)
	Clear(chat, job string)
}

// The nodes of the job graph (seed 000); those of react are the solve loop (seed 003).
const (
	nodePick             = "pick_todo"
	nodeNeed             = "need_tool"
	nodeReactInput       = "react_input"
	nodeReactLLM         = "react_llm"
	nodeReactConditional = "react_conditional"
	nodeReactTool        = "react_tool"
	nodeReactResponse    = "react_response"
	nodeReactError       = "react_error"
	nodeChoose           = "choose_tool"
	nodeAskInput         = "ask_input"
	nodeReadInput        = "read_input"
	nodeAcquire          = "acquire"
	nodeAskLock          = "ask_lock"
	nodeReadLock         = "read_lock"
	nodeConfirm          = "confirm_check"
	nodePreview          = "preview"
	nodeAskApproval      = "ask_approval"
	nodeReadApproval     = "read_approval"
	nodeExec             = "exec"
	nodeAskRecovery      = "ask_recovery"
	nodeReadRecovery     = "read_recovery"
	nodeSave             = "save_result"
	nodeRelease          = "release"
	nodeReport           = "report"
	nodeDone             = "done"
)

// deskNodes only read an answer and decide, or end the job; they need no worker, so an answer is heard even while every
// worker plays.
var deskNodes = map[string]bool{
	nodeAskInput: true, nodeReadInput: true, nodeAskLock: true, nodeReadLock: true,
	nodeAskApproval: true, nodeReadApproval: true, nodeAskRecovery: true, nodeReadRecovery: true,
	nodeDone: true,
}

func (r *Runner) compile() (err error) {
	n := func(name, doc string, run func(context.Context, *Run) (graph.Move, error), next ...string) graph.Node[*Run] {
		return graph.Node[*Run]{Name: name, Doc: doc, Next: next, Run: func(ctx context.Context, s *Run) (graph.Move, error) {
			return run(ctx, s)
		}}
	}
	r.graph, err = graph.Compile("job", nodePick, []graph.Node[*Run]{
		n(nodePick, "takes the next todo", r.pick, nodeNeed, nodeReport),
		n(nodeNeed, "is a tool needed?", r.need, nodeReactInput, nodeChoose),
		n(nodeReactInput, "takes the request into the solve loop", r.reactInput, nodeReactLLM, nodeReactError),
		n(nodeReactLLM, "asks the model for the next round", r.reactLLM, nodeReactConditional, nodeReactLLM),
		n(nodeReactConditional, "a tool, an answer or an error?", r.reactConditional, nodeReactTool, nodeReactResponse, nodeReactError, nodeAskInput),
		n(nodeReactTool, "takes the next tool the model asked for", r.reactTool, nodeReactTool, nodeAcquire, nodeReactLLM),
		n(nodeReactResponse, "keeps the answer", r.reactResponse, nodeSave),
		n(nodeReactError, "says what went wrong", r.reactError, nodeSave),
		n(nodeChoose, "picks tool and arguments", r.choose, nodeChoose, nodeAcquire, nodeAskInput, nodeSave),
		n(nodeAskInput, "asks for a missing value", r.askInput, nodeReadInput),
		n(nodeReadInput, "reads the value", r.readInput, nodeReadInput, nodeChoose, nodeReactLLM, nodeDone),
		n(nodeAcquire, "leases the tool", r.acquire, nodeAcquire, nodeConfirm, nodeAskLock, nodeSave),
		n(nodeAskLock, "asks wait, cancel or stop_other", r.askLock, nodeReadLock),
		n(nodeReadLock, "reads the decision", r.readLock, nodeReadLock, nodeAcquire, nodeDone),
		n(nodeConfirm, "does policy want an approval?", r.confirm, nodeExec, nodePreview, nodeAcquire, nodeSave),
		n(nodePreview, "shows what would change", r.preview, nodeAskApproval, nodeSave),
		n(nodeAskApproval, "asks for approval", r.askApproval, nodeReadApproval, nodeSave),
		n(nodeReadApproval, "reads the decision", r.readApproval, nodeReadApproval, nodeConfirm, nodePreview, nodeAskApproval, nodeChoose, nodeSave, nodeDone),
		n(nodeExec, "runs the tool", r.exec, nodeExec, nodeSave, nodeAcquire, nodeAskRecovery),
		n(nodeAskRecovery, "asks what happened before the crash", r.askRecovery, nodeReadRecovery),
		n(nodeReadRecovery, "reads the decision", r.readRecovery, nodeReadRecovery, nodeAcquire, nodeSave, nodeDone),
		n(nodeSave, "keeps the result", r.saveResult, nodeRelease),
		n(nodeRelease, "brings the tool back", r.release, nodePick, nodeReactTool, nodeReactError, nodeReport),
		n(nodeReport, "words the report", r.report, nodeDone),
		n(nodeDone, "ends the job", r.done, graph.End),
	})
	return err
}

// Save makes the runner the journal of its graph: it commits the node's step and then tells the world.
func (r *Runner) Save(ctx context.Context, s graph.Step[*Run]) error {
	step := *s.State.out
	step.Run, step.Node, step.Next, step.Parked, step.Sync = s.State, s.Node, s.Next, s.Parked, step.Sync || s.Sync
	return r.commit(ctx, step)
}

func (r *Runner) commit(ctx context.Context, step Step) error {
	if failpoint.Enabled {
		failpoint.Hit("job." + step.Node + " before")
	}
	if err := r.store.SaveStep(ctx, step); err != nil {
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
	if r.notice != nil && step.Run.Job.Counter && (step.Parked || step.Run.Job.State.Ended()) {
		r.notice(step.Run.Job)
	}
	return nil
}

func (r *Runner) brief(ctx context.Context, s *Run) interpreter.Brief {
	background := r.background(ctx, s.Job.Chat, s.Job.ID)
	b := interpreter.Brief{
		Chat: s.Job.Chat, Job: s.Job.ID, Lang: s.Job.Lang, Request: s.Job.Request,
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
	s.log("error", e.Text(s.Job.Lang))
	return graph.To(nodeSave)
}

func compact(raw json.RawMessage) string {
	if len(raw) > 400 {
		return string(raw[:400]) + "…"
	}
	return string(raw)
}
