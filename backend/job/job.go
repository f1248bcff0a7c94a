package job

import (
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/toolbox"
)

// Job is one ticket: what was asked for, its todos in order, and how far it is.
type Job struct {
	ID      string `json:"id"`
	Number  int64  `json:"number"` // the ticket number people read, rising from 1
	Chat    string `json:"chat"`
	Title   string `json:"title"`
	Turn    string `json:"turn,omitempty"`  // the customer's message that asked for it
	Began   string `json:"began,omitempty"` // where that only confirmed it at the counter: the message that opened the task
	Reply   string `json:"reply,omitempty"` // the shop's message that hands it out; the counter's tickets have none
	Request string `json:"request"`         // the customer's words
	// Standing is the run of a standing order that handed it out; nil: none did.
	Standing *Standing `json:"standing,omitempty"`

	// Guest is the program that asked for it; nil: a person did.
	Guest *Guest `json:"guest,omitempty"`

	Lang   bilingual.Lang `json:"lang"`
	State  State          `json:"state"`
	Reason string         `json:"reason,omitempty"` // why it waits or ended, for people
	Code   apperr.Code    `json:"code,omitempty"`   // the error code of a failed job
	Todos  []Todo         `json:"todos"`
	Report string         `json:"report,omitempty"`
	// Worded says that a model worded some of it: the report, or the answer of a step.
	Worded bool `json:"worded,omitempty"`
	// Did lists, where a model worded something, what was really done; code fills it in.
	Did []event.Effect `json:"did,omitempty"`
	// Message is the id of the report's message. It is fixed when the ticket is made, so that the streamed text and the final message
	// (a report or a cancellation) share one id. Reasoning is what the model thought before it wrote the report.
	Message   string `json:"message,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`

	// Undoable says that something of what it did can be taken back, once it has ended.
	Undoable bool `json:"undoable,omitempty"`

	// Imported says that it is what an imported file says of a job: the shop did nothing of it.
	Imported bool `json:"imported,omitempty"`

	Counter bool      `json:"counter,omitempty"` // handed out by the service counter, which tells the customer the outcome
	Created time.Time `json:"created"`
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
}

// Guest names a program that calls the shop. Its words are nobody's: no value of a call is the customer's because a guest sent it.
type Guest struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Use  string `json:"use,omitempty"` // what a paired shop calls this use of the tool
}

// guest is the name of the program that asked for a job; "" where a person did.
func (j Job) guest() string {
	if j.Guest == nil {
		return ""
	}
	return j.Guest.Name
}

// Standing names the run of a standing order: the order, and the message that the run began with.
type Standing struct {
	Order string `json:"order"`
	Run   string `json:"run"`
	// About is the name of the file that set it off, where the order speaks of that: other people's words.
	About string `json:"about,omitempty"`
}

// standing is the order a job belongs to; "" for none.
func (j Job) standing() string {
	if j.Standing == nil {
		return ""
	}
	return j.Standing.Order
}

// Todo is one step of a job. Args are the planner's suggestion, Call what was chosen.
type Todo struct {
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Tool    string          `json:"tool,omitempty"`
	Request string          `json:"request"`
	Args    json.RawMessage `json:"args,omitempty"`
	State   TodoState       `json:"state"`
	Node    string          `json:"node,omitempty"`
	Text    string          `json:"text,omitempty"` // the result for people
	Data    json.RawMessage `json:"data,omitempty"` // the result for programs
	Ran     bool            `json:"ran,omitempty"`  // its tool was really run
	Undo    *toolbox.Undo   `json:"undo,omitempty"` // the call that takes back what it did
	// Undos are the calls that take back what the tools of its solve loop did, in the order in which they did it.
	Undos []toolbox.Undo `json:"undos,omitempty"`
	Used  []string       `json:"used,omitempty"` // the tools that ran in its solve loop
	// Did is what the tools of its solve loop did, a line each.
	Did []event.Effect `json:"did,omitempty"`
	// Untrusted says that Text rests on other people's words.
	Untrusted bool `json:"untrusted,omitempty"`
	// ByCode says that code alone read the step, with these arguments, out of the customer's words.
	ByCode bool `json:"byCode,omitempty"`
	// Approved is the digest of the call that the customer confirmed at the counter; only Counter sets it.
	Approved string `json:"approved,omitempty"`
}

// TodoView is a todo as fronts see it.
type TodoView struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Tool  string `json:"tool,omitempty"`
	State string `json:"state" ts_type:"job.TodoState"`
	Node  string `json:"node"`
	Text  string `json:"text,omitempty"`
}

// View is a job as fronts see it. Times are RFC 3339 in UTC. Place is its place in line, 0 when it is not in line.
type View struct {
	ID     string `json:"id"`
	Number int64  `json:"number"`
	Title  string `json:"title"`
	Chat   string `json:"chat"`
	Turn   string `json:"turn,omitempty"`
	Reply  string `json:"reply,omitempty"`
	// Standing is the standing order whose run handed it out.
	Standing string `json:"standing,omitempty"`
	// Guest is the name of the program that asked for it.
	Guest string `json:"guest,omitempty"`

	State  string     `json:"state" ts_type:"job.State"`
	Reason string     `json:"reason,omitempty"`
	Code   string     `json:"code,omitempty"`
	Todos  []TodoView `json:"todos"`
	Report string     `json:"report,omitempty"`
	// Did lists what was really done where a model worded the report; code fills it in.
	Did []event.Effect `json:"did,omitempty"`
	// Undoable says that something of what it did can be taken back.
	Undoable bool `json:"undoable,omitempty"`
	// Imported says that it is what an imported file says of a job: the shop did nothing of it.
	Imported bool `json:"imported,omitempty"`
	// Aside says that what asked for it is out of sight, in a version that is not shown.
	Aside   bool   `json:"aside,omitempty"`
	Created string `json:"created"`
	Started string `json:"started,omitempty"`
	Ended   string `json:"ended,omitempty"`
	Place   int    `json:"place,omitempty"`
}

// label tells the job apart from others of the same title.
func (j Job) label() string { return label(j.Title, j.Number) }

// View draws the job for fronts.
func (j Job) View() View {
	v := View{
		ID: j.ID, Number: j.Number, Title: j.Title, Chat: j.Chat, Turn: j.Turn, Reply: j.Reply, Standing: j.standing(), Guest: j.guest(), State: string(j.State), Reason: j.Reason,
		Code: string(j.Code), Report: j.Report, Did: j.Did, Undoable: j.Undoable, Imported: j.Imported, Todos: make([]TodoView, len(j.Todos)),
		Created: event.Stamp(j.Created), Started: event.Stamp(j.Started), Ended: event.Stamp(j.Ended),
	}
	for i, t := range j.Todos {
		v.Todos[i] = TodoView{ID: t.ID, Title: t.Title, Tool: t.Tool, State: string(t.State), Node: t.Node, Text: t.Text}
	}
	return v
}

// created is the event that puts the job on the board.
func (j Job) created(place int) event.Event {
	brief := make([]event.TodoBrief, len(j.Todos))
	for i, t := range j.Todos {
		brief[i] = event.TodoBrief{ID: t.ID, Title: t.Title, Tool: t.Tool}
	}
	return event.Of(j.Chat, j.ID, event.JobCreated{
		ID: j.ID, JobID: j.ID, Number: j.Number, Title: j.Title, Chat: j.Chat, Turn: j.Turn, Reply: j.Reply, Standing: j.standing(), Guest: j.guest(), Todos: brief, Place: place,
	})
}

// results collects what the todos brought so far, for requests.
func (j Job) results() []provider.StepResult {
	var out []provider.StepResult
	for _, t := range j.Todos {
		switch t.State {
		case TodoDone, TodoFailed:
			out = append(out, provider.StepResult{Title: t.Title, Tool: t.Tool, Text: t.Text, OK: t.State == TodoDone, Untrusted: t.Untrusted})
		case TodoPending, TodoRunning, TodoWaiting, TodoSkipped:
		}
	}
	return out
}

// allDone tells whether every todo brought what it should.
func (j Job) allDone() bool {
	return !slices.ContainsFunc(j.Todos, func(t Todo) bool { return t.State != TodoDone })
}

// Inverses are the calls that take back what a todo did, in reverse order.
func (t Todo) Inverses() []toolbox.Undo {
	list := slices.Clone(t.Undos)
	if t.Undo != nil {
		list = append(list, *t.Undo)
	}
	slices.Reverse(list)
	return list
}

// toolsUsed lists the tools that ran, each once, in order.
func (j Job) toolsUsed() []string {
	used := []string{}
	seen := map[string]bool{}
	for _, t := range j.Todos {
		tools := t.Used
		if t.Ran && t.Tool != "" {
			tools = []string{t.Tool}
		}
		for _, tool := range tools {
			if !seen[tool] {
				seen[tool] = true
				used = append(used, tool)
			}
		}
	}
	return used
}
