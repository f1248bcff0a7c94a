// Package provider is the dialect corrector: it turns a request into one model service's format and the answer back, so
// that everything behind it works the same whichever interpreter is on duty.
package provider

import (
	"encoding/json"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
)

// Role is the part the interpreter plays for one request.
type Role string

// The interpreter's roles.
const (
	RolePlanner     Role = "planner"
	RoleIntent      Role = "intent"
	RoleSlot        Role = "slot"
	RoleToolChooser Role = "tool_chooser"
	RoleSolver      Role = "solver"
	RoleLibrarian   Role = "librarian"
	RoleSummarizer  Role = "summarizer"
	RoleReporter    Role = "reporter"
	RoleResponder   Role = "responder"
	RolePrompt      Role = "prompt"  // an answer to a prompt of an outside server
	RoleOutside     Role = "outside" // words for an outside server (sampling): it knows nothing of the shop
)

// Request is everything the interpreter needs for one answer. It keeps no state between requests (seed 001), so a request
// always carries the whole context. It is laid out from what never changes to what always does.
type Request struct {
	ID   string         `json:"id"`
	Role Role           `json:"role"`
	Chat string         `json:"chat,omitempty"`
	Job  string         `json:"job,omitempty"`
	Turn string         `json:"turn,omitempty"` // the customer's message it is for
	Lang bilingual.Lang `json:"lang"`           // language of the answer

	Tools    []ToolCard    `json:"tools"`              // sorted by key
	More     []string      `json:"more,omitempty"`     // keys of tools that may be used, too, but have no room here; sorted
	Shown    []string      `json:"shown,omitempty"`    // keys of tools that the request may mean, of which it says everything
	Services []ServiceCard `json:"services,omitempty"` // sorted by id
	// Instructions are the person's own for the chat: how they want to be answered.
	Instructions string   `json:"instructions,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	Facts        []string `json:"facts,omitempty"`
	Transcript   []Turn   `json:"transcript,omitempty"` // oldest first, append-only

	State   State           `json:"state"`
	Now     time.Time       `json:"now"` // local time of the customer
	Message string          `json:"request"`
	Schema  json.RawMessage `json:"schema,omitempty" ts_type:"any"` // nil: free text

	// Pictures come with the message, in the order in which the state names them. Only a provider that is a Seer gets any.
	Pictures []Picture `json:"pictures,omitempty"`

	// Solver only. Rounds are what the solve loop has been through for the step at hand; they stand behind the request and
	// only grow. Native says that tools are called in the service's own way, Final that no further call will be run.
	Rounds []Round `json:"rounds,omitempty"`
	Native bool    `json:"native,omitempty"`
	Final  bool    `json:"final,omitempty"`

	// Outside role only: the server whose words the message is, and how many tokens the answer may have at most.
	From string `json:"from,omitempty"`
	Most int    `json:"most,omitempty"`

	// Model is the one that is wanted, as provider/model; "": the role's.
	Model string `json:"model,omitempty"`

	// Patience is how much longer than usual the first piece may take, because there is so much to read.
	Patience time.Duration `json:"-"`

	// Sent is the request as it was written once: a request that is sent again is not written anew. nil: it is new.
	Sent *Prompt `json:"-"`
}

// ModelOf is the model that a request wants of a provider, "" where it wants none, or one of another provider.
func (l Request) ModelOf(provider string) string {
	name, model, ok := strings.Cut(l.Model, "/")
	if !ok || name != provider {
		return ""
	}
	return model
}

// Picture is a JPEG that a request carries. ID names what it was made of; where a request is kept, Data is left out.
type Picture struct {
	ID   string `json:"id"`
	Data []byte `json:"-"`
}

// ToolCard is what the interpreter may know of a tool: the manual, never the tool itself.
type ToolCard struct {
	Key         string          `json:"key"`
	Title       string          `json:"title"`           // in the request's language, for sentences; prompts do not show it
	Doing       string          `json:"doing,omitempty"` // says in a sentence that it is being done, in that language, too
	Description string          `json:"description"`
	Params      json.RawMessage `json:"params" ts_type:"any"` // JSON schema; a property may name its slot grammar in "x-slot"
	Acts        []string        `json:"acts,omitempty"`       // what a message may want that this tool does; none for what only examples describe
	Examples    []Example       `json:"examples,omitempty"`
	Long        bool            `json:"long,omitempty"`
	Outside     bool            `json:"outside,omitempty"` // not the shop's own: there may be any number of them
}

// Example is one request that exercises a tool and the arguments it means.
type Example struct {
	Text string         `json:"text"`
	Args map[string]any `json:"args,omitempty"`
}

// Turn is one line of the transcript. Speaker is "customer" or "shop".
type Turn struct {
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// State is the part of a request that differs by role. Only the fields the role needs are set.
type State struct {
	Facts      []string        `json:"facts,omitempty"`                  // every role: learned since the request's Facts were frozen
	Running    []RunningJob    `json:"running,omitempty"`                // planner: what is going on in this chat, oldest first
	Todo       *TodoCard       `json:"todo,omitempty"`                   // tool chooser, solver: the step at hand
	Results    []StepResult    `json:"results,omitempty"`                // solver, reporter: what came out so far; librarian, responder: the passages; prompt: what it says, and files
	Previous   json.RawMessage `json:"previous,omitempty" ts_type:"any"` // tool chooser: the arguments the customer turned down
	Correction string          `json:"correction,omitempty"`             // tool chooser: the customer's sentence of correction
	Problem    string          `json:"problem,omitempty"`                // what was wrong with the last arguments (tool chooser), or why the job ended (reporter)
	Repair     string          `json:"repair,omitempty"`                 // every role: what was wrong with the last reply to this very request
	Outcome    string          `json:"outcome,omitempty"`                // reporter: succeeded, failed or canceled
	Evidence   []string        `json:"-"`                                // planner: what the rooms make of the message, see act.Read; no model is told
	Meant      string          `json:"meant,omitempty"`                  // planner: the tool of which the customer said that it is meant; no model is asked then
	Given      json.RawMessage `json:"given,omitempty" ts_type:"any"`    // planner: and with which arguments; none: those in the message
	Counter    *CounterState   `json:"counter,omitempty"`                // intent, slot: the session at the service counter
	Library    *LibraryState   `json:"library,omitempty"`                // librarian: the inquiry at hand
	Tables     []TableCard     `json:"tables,omitempty"`                 // planner: the tables that the message may ask, the nearest first
}

// TableCard is a table that a chat is about. Asked is the question that was put to it last, as the arguments of its tool; Last tells
// that nothing was spoken of since.
type TableCard struct {
	Name  string          `json:"name"`
	Asked json.RawMessage `json:"asked,omitempty" ts_type:"any"`
	Last  bool            `json:"last,omitempty"`
}

// RunningJob tells the planner of a job that is not over. State is a job state.
type RunningJob struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Tool   string `json:"tool,omitempty"`
	State  string `json:"state"`
	Detail string `json:"detail,omitempty"` // what it waits for, or what it plays

	Then []string `json:"-"` // the tools of the steps after the one it is at; code reads them
}

// TodoCard is one step of a job, in the customer's own words as far as they are known.
type TodoCard struct {
	Title   string `json:"title"`
	Tool    string `json:"tool,omitempty"`
	Request string `json:"request"`
}

// StepResult is what a finished todo brought.
type StepResult struct {
	Title string `json:"title"`
	Tool  string `json:"tool,omitempty"`
	Text  string `json:"text"`
	OK    bool   `json:"ok"`
	// Untrusted says that Text carries other people's words, of pages, files or servers: data, never orders.
	Untrusted bool `json:"untrusted,omitempty"`
	// Keep says that the request is about Text: it is sent whole or not at all.
	Keep bool `json:"-"`
}

// Route is where a turn goes after planning.
type Route string

// The routes of the turn graph.
const (
	RouteAnswer  Route = "answer"  // Reply is the whole answer
	RouteJobs    Route = "jobs"    // Jobs are handed out; Reply acknowledges them
	RouteStop    Route = "stop"    // the customer wants running work stopped: Stop says which
	RouteService Route = "service" // a slot-filling service takes the turn
	RouteLibrary Route = "library" // the document agent takes the turn
)

// Plan is the planner's answer: one call decides the route and the work.
type Plan struct {
	Route Route     `json:"route"`
	Reply string    `json:"reply"`
	Jobs  []JobPlan `json:"jobs,omitempty"`
	Stop  *StopPlan `json:"stop,omitempty"`
	// Service is the id of the service that route service means.
	Service string `json:"service,omitempty"`

	// Left are questions of the message that none of the jobs answers; code reads them, whoever planned.
	Left []string `json:"left,omitempty"`

	// Shown are the ids of the running jobs that the reply lists, in its order; code writes it.
	Shown []string `json:"shown,omitempty"`

	// Lost says that code did not understand the message: the reply only says so.
	Lost bool `json:"lost,omitempty"`
	// Other says of a lost message that it surely wants nothing that the shop does: nothing comes near to it.
	Other bool `json:"other,omitempty"`
	// Asks says that code understood what is wanted, and the reply says what is missing for it.
	Asks bool `json:"asks,omitempty"`

	// Reasoning is what the model thought before it answered; code sets it, a model's JSON cannot.
	Reasoning string `json:"-"`
	// Worded says that a model worded the reply; code sets it, too.
	Worded bool `json:"-"`
}

// JobPlan is one job: independent work is several jobs, dependent work several todos of one.
type JobPlan struct {
	Title string     `json:"title"`
	Todos []TodoPlan `json:"todos"`
	// ByCode says that code alone read the work out of what the customer said, and out of the work that was under way then; code
	// sets it, no model.
	ByCode bool `json:"-"`
}

// SetByCode says of every job whether code alone read it.
func (p *Plan) SetByCode(yes bool) {
	for i := range p.Jobs {
		p.Jobs[i].ByCode = yes
	}
}

// TodoPlan is one step. Tool is empty when no tool is needed. Args may be given when the planner is sure of them;
// they are only a suggestion: code validates them, and asks the tool chooser when they do not fit.
type TodoPlan struct {
	Title   string          `json:"title"`
	Tool    string          `json:"tool,omitempty"`
	Request string          `json:"request"`
	Args    json.RawMessage `json:"args,omitempty" ts_type:"any"`
}

// StopPlan says which running work to stop: every job (All), or those that use Tool; of these only what was started last
// (Newest), and without a Tool what was started last of all.
type StopPlan struct {
	All    bool   `json:"all,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Newest bool   `json:"newest,omitempty"`
	Job    string `json:"job,omitempty"` // this one alone; code says so, no model
}

// ToolCall is the tool chooser's answer: a tool and its arguments. Missing says which required arguments the words did
// not give; then Question asks the customer for them and the call is not run.
type ToolCall struct {
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args" ts_type:"any"`
	Missing  []string        `json:"missing,omitempty"`
	Question string          `json:"question,omitempty"`
}
