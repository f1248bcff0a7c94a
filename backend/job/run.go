package job

import (
	"context"
	"encoding/json"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/event"
	"agentchat/backend/logging"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// Run is the state of one job's graph: the ticket and what the runner keeps between nodes. It is journaled whole after
// every node, so a job can go on at any node after a restart.
type Run struct {
	Job Job `json:"job"`
	Cur int `json:"cur"` // the todo at hand

	Call       *Call           `json:"call,omitempty"`       // what was chosen for it
	AskID      string          `json:"askId,omitempty"`      // the question it is parked on
	Correction string          `json:"correct,omitempty"`    // the customer's sentence after a rejection
	Previous   json.RawMessage `json:"previous,omitempty"`   // the arguments that were rejected
	Near       []string        `json:"near,omitempty"`       // names there are that come nearest to one that is not
	Tries      int             `json:"tries,omitempty"`      // times the tool chooser was asked for this todo
	Approved   string          `json:"approved,omitempty"`   // the digest a person approved
	ApprovedBy string          `json:"approvedBy,omitempty"` // the question it was approved in
	Locked     *toolbox.Locked `json:"locked,omitempty"`     // why the tool could not be had, until the customer decides
	InLine     bool            `json:"inLine,omitempty"`     // it holds a ticket for the tool
	QueuedAt   time.Time       `json:"stood,omitzero"`       // since when; the line is made again in this order after a restart
	Exec       *Exec           `json:"exec,omitempty"`       // the use of the tool that is under way
	Named      bool            `json:"named,omitempty"`      // a use has had the name that a paired shop gave it
	Outcome    *Outcome        `json:"outcome,omitempty"`    // what it brought, until it is saved in the todo
	Loop       *Loop           `json:"loop,omitempty"`       // the rounds of a todo that no single call solves
	Edited     json.RawMessage `json:"edited,omitempty"`     // the arguments as a person changed them in an answer
	Proposed   json.RawMessage `json:"proposed,omitempty"`   // and as they were before the first change
	Asked      int             `json:"asked,omitempty"`      // approvals asked for in a row without any being given
	Asks       map[string]int  `json:"asks,omitempty"`       // by tool: approvals the job has asked for
	Begun      string          `json:"begun,omitempty"`      // the digest of a call of this step that was broken off, and may have done something

	out *Step // what the node at hand adds to its transaction
}

// Call is a tool call that is ready to run. Digest binds an approval to it.
type Call struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Digest string          `json:"digest"`

	Preview *event.AskPreview `json:"preview,omitempty"` // what it would change, for whoever is asked
	Base    string            `json:"base,omitempty"`    // what the preview was made from
	Pick    *toolbox.Pick     `json:"pick,omitempty"`    // what a person left of the plan it shows
	Files   int               `json:"files,omitempty"`   // how many files it would change, where its preview said so
}

// Exec is one use of a tool. Boot names the run of the program that began it: after a restart it differs, and a use
// without an outcome is in doubt.
type Exec struct {
	ID     string    `json:"id"`
	Boot   string    `json:"boot"`
	Began  time.Time `json:"began"`
	Intent bool      `json:"intent,omitempty"` // it stands in the effect ledger
	// Audited says that it stands in the audit log.
	Audited bool            `json:"audited,omitempty"`
	Left    bool            `json:"left,omitempty"` // the tool did not return when it was stopped: nobody knows what it did
	Resume  json.RawMessage `json:"resume,omitempty"`
	Again   bool            `json:"again,omitempty"` // a run of the program ended while the tool ran
	WakeAt  time.Time       `json:"wakeAt,omitzero"`
	Why     string          `json:"why,omitempty"`  // it was put aside, as the tool says
	Told    string          `json:"told,omitempty"` // what the log says of that already
}

// Outcome is the end of one use of a tool.
type Outcome struct {
	OK   bool            `json:"ok"`
	Text string          `json:"text"`
	Data json.RawMessage `json:"data,omitempty"`
	Code apperr.Code     `json:"code,omitempty"`
	Ran  bool            `json:"ran"`
	Why  string          `json:"why,omitempty"` // it did not go on, where the text says more than holds if it may have happened
	Undo *toolbox.Undo   `json:"undo,omitempty"`
}

// Step is one transaction of a job: its new state and everything that must be true together with it.
type Step struct {
	Run    *Run
	Node   string
	Next   string
	Parked bool
	Sync   bool // survive power loss, not only a crash
	WakeAt time.Time

	Events  []event.Event      // published after the commit; job.log lines are kept
	Open    *ask.Ask           // a question to open
	Consume string             // the id of an answered question, now taken into account
	Close   string             // the id of an open question that has become pointless
	Audit   []policy.Entry     // calls that are about to run, or were refused
	Intent  *Effect            // an effect about to happen
	Settled *Effect            // an effect that has happened
	Message *event.ChatMessage // what the customer is told
}

// Effect is a row of the effect ledger: the intent is written before a tool runs that has effect "once" or that somebody
// had to allow, the result after.
type Effect struct {
	ID            string
	JobID         string
	TodoID        string
	Chat          string
	Order         string // the standing order whose run it belongs to; "" for none
	Tool          string
	Args          json.RawMessage
	Digest        string
	Authorization Authorization
	Ask           string // the question that was answered, for AuthorizedByAsk
	Grant         string // the id of the approval that still holds, for AuthorizedByGrant
	Guest         string // the program that asked for it; "" where a person did
	Spend         Spend

	// Once it is settled. Text and Code are the result in words, Took how long it ran.
	Result  json.RawMessage
	Outcome EffectOutcome
	Text    string
	Code    apperr.Code
	Took    time.Duration
}

// Record is a job as the store gives it back: its run and the node it goes on at.
type Record struct {
	Run    Run
	Next   string
	WakeAt time.Time
}

// LogLine is one line of a job's log, as the store gives it back.
type LogLine struct {
	Job, Todo, Level, Line string
	At                     time.Time
}

// Store keeps jobs. Every method is safe for concurrent use; errors are *apperr.Error.
type Store interface {
	// SaveStep commits one step whole, or nothing of it.
	SaveStep(ctx context.Context, step Step) error
	// LoadRun gives a job that SaveStep or the manager stored; not_found when there is none. With record_unreadable it gives
	// what is known of the job without its record.
	LoadRun(ctx context.Context, id string) (Record, error)
	// Distrusted tells whether something was reported that may not be in the store. Distrust sets that mark on disk and frees some
	// space there.
	Distrusted() bool
	Distrust() error
	// PutAside keeps the record of a job that cannot be read as it is, beside the others, and commits the job's end instead,
	// with all its questions and effects closed.
	PutAside(ctx context.Context, step Step, why error) error
	// RecoveryStates tells of every job that has not ended where it stands, oldest first.
	RecoveryStates(ctx context.Context) ([]RecoveryState, error)
	// TornRuns gives those of them whose record is no JSON.
	TornRuns(ctx context.Context) ([]RecoveryState, error)
	// LastNumber is the highest ticket number given out, 0 if none.
	LastNumber(ctx context.Context) (int64, error)
	// Ask gives one question; not_found when there is none.
	Ask(ctx context.Context, id string) (ask.Ask, error)
	// Grants gives the approvals that still hold for a tool in a chat.
	Grants(ctx context.Context, chat, tool string) ([]policy.Grant, error)
	// Room tells whether a guest's effect would be within its limits now; guest_limit when not. SaveStep looks again.
	Room(ctx context.Context, e Effect) error
	// Said gives what the customer said in a chat and to a job, and wrote in answers to the job's questions.
	Said(ctx context.Context, chat, job string) (said, refusals []string, err error)
}

// Sound tells whether a run that was read is one that can go on.
func (s *Run) Sound() bool {
	loops := s.Loop == nil || s.Loop.At >= 0 && s.Loop.At <= len(s.Loop.Requests)
	return s.Job.ID != "" && s.Cur >= 0 && s.Cur <= len(s.Job.Todos) && loops
}

func (s *Run) todo() *Todo { return &s.Job.Todos[s.Cur] }

func (s *Run) hasTodo() bool { return s.Cur < len(s.Job.Todos) }

// begin clears what the last node left for its transaction.
func (s *Run) begin() { s.out = &Step{} }

func (s *Run) emit(data event.Payload) {
	s.out.Events = append(s.out.Events, event.Of(s.Job.Chat, s.Job.ID, data))
}

func (s *Run) log(level, line string) {
	todo := ""
	if s.hasTodo() {
		todo = s.todo().ID
	}
	s.emit(event.JobLog{JobID: s.Job.ID, Level: level, Line: logging.Redact(line), TodoID: todo})
}

// move changes the job's state through the table; staying where it is only changes the reason.
func (s *Run) move(to State, reason string) error {
	from := s.Job.State
	if from == to {
		if s.Job.Reason != reason {
			s.Job.Reason = reason
		}
		return nil
	}
	if err := Move(from, to); err != nil {
		return err
	}
	s.Job.State, s.Job.Reason = to, reason
	s.emit(event.JobState{ID: s.Job.ID, JobID: s.Job.ID, From: string(from), To: string(to), Reason: reason})
	return nil
}

// mark moves the todo at hand, telling the board where the graph stands.
func (s *Run) mark(state TodoState, node string) { s.markAt(s.Cur, state, node) }

func (s *Run) markAt(i int, state TodoState, node string) {
	t := &s.Job.Todos[i]
	if t.State == state && t.Node == node {
		return
	}
	t.State, t.Node = state, node
	s.emit(event.TodoState{
		JobID: s.Job.ID, TodoID: t.ID, Index: i, State: string(state), Node: node, Title: t.Title, Tool: t.Tool,
	})
}

// nextTodo forgets everything about the todo that just ended.
func (s *Run) nextTodo() {
	s.Cur++
	s.Loop = nil
	s.nextCall()
}

// nextCall forgets everything about the use of a tool that just ended.
func (s *Run) nextCall() {
	s.Call, s.AskID, s.Correction, s.Previous, s.Tries, s.Begun = nil, "", "", nil, 0, ""
	s.Edited, s.Proposed, s.Approved, s.ApprovedBy, s.Locked, s.InLine, s.QueuedAt, s.Exec, s.Outcome = nil, nil, "", "", nil, false, time.Time{}, nil, nil
}

func (s *Run) setCall(tool string, args json.RawMessage) {
	s.Call = &Call{Tool: tool, Args: args, Digest: toolbox.Digest(tool, args)}
}
