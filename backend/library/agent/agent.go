// Package agent answers questions about the library's documents (seed 004): it decides whether a question is about them,
// looks in them with the library's four tools and nothing else, judges whether what it found is enough, and answers with
// its sources. Rules decide whatever a question's form leaves no doubt about; a model, where there is one, decides the rest
// and words the answer. What a model says is a proposal: which tools there are, with which arguments, how often and what was
// used before is code's, and code decides alone where the model is silent.
package agent

import (
	"context"
	"encoding/json"
	"maps"

	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
)

// DefaultMaxIterations is how often the agent may look again (seed: max_iterations).
const DefaultMaxIterations = 4

// Deps are the parts an Agent works with. All are required except Advisor, MaxIterations and Questions.
type Deps struct {
	// Run runs one of the library's tools, which only read.
	Run func(ctx context.Context, tool, chat string, lang bilingual.Lang, args map[string]any) ([]byte, error)
	// Articles lists the articles of one document ("": of the customer's own), as they are labelled, and how many documents
	// there are.
	Articles func(ctx context.Context, document string) (labels []string, documents int, err error)
	// Word words the answer from the chosen passages, which it numbers from 1, and what code found when it compared a clause with
	// a standard ("": nothing was compared). Without a text no model is on duty, and the passages are quoted instead.
	Word func(ctx context.Context, q *Inquiry, chosen []library.Item, compared string) (Wording, error)
	// Room is how many characters of passages a request can take; nil: any.
	Room func() int
	// Advisor is the model's part in the decisions; nil: the rules decide alone.
	Advisor Advisor
	// Whole gives those of some documents whole that a request has room for, in their order; nil or none: they are looked in.
	Whole func(ctx context.Context, documents []event.DocumentRef) ([]library.Item, error)
	// Begins gives the first passages of a document; nil: none.
	Begins func(ctx context.Context, document string) ([]library.Item, error)
	// Sees tells whether a model is on duty that can look at pictures; nil: none can.
	Sees          func(ctx context.Context) bool
	Publisher     event.Publisher
	MaxIterations func() int
	// Questions cuts a message into what it asks, in order; nil: every message is one question.
	Questions func(text string) []string
}

// Wording is an answer as a model worded it. Cut says that it grew too long and was cut.
type Wording struct {
	Text, Reasoning string
	Cut             bool
}

// Inquiry is the state of one question (seed: AgentState). It is journaled after every node.
type Inquiry struct {
	Chat    string         `json:"chat"`
	Turn    string         `json:"turn,omitempty"` // the message that asks
	Message string         `json:"message"`        // the id of the answer
	Lang    bilingual.Lang `json:"lang"`
	Text    string         `json:"user_message"`
	Before  *Earlier       `json:"before,omitempty"` // the last answer from the library in this chat

	// About is the one document or shelf that is asked: nothing is looked up in another, except the standard clause that a comparison
	// asks for. nil: all of them.
	About *event.DocumentRef `json:"about,omitempty"`

	// Attached are the files that the question came with, as far as they have text: they alone are looked in. Pictures are those that
	// are pictures.
	Attached []event.DocumentRef `json:"attached,omitempty"`
	Pictures []event.Attachment  `json:"pictures,omitempty"`
	Whole    []string            `json:"whole,omitempty"` // those of Attached that go to the model whole
	// Loose says that an earlier message came with them: where they hold nothing, the question is one to the library.
	Loose bool `json:"loose,omitempty"`

	NeedPrevious bool       `json:"need_previous_context"`
	Iteration    int        `json:"iteration_count"`
	NextTools    []Use      `json:"next_tools,omitempty"`
	AllSkipped   bool       `json:"all_tools_skipped,omitempty"`
	History      []Use      `json:"tool_history,omitempty"`
	Collected    []Finding  `json:"collected_info,omitempty"`
	Explored     []string   `json:"explored_articles,omitempty"`
	Unexplored   []string   `json:"unexplored_articles,omitempty"`
	Missing      []string   `json:"missing_info,omitempty"`
	Decisions    []Decision `json:"decision_log,omitempty"`
	Silent       string     `json:"model_silent,omitempty"` // why the model is not asked any more: an apperr code

	Answer     string           `json:"final_response,omitempty"`
	Reasoning  string           `json:"reasoning,omitempty"`
	Sources    []event.Source   `json:"sources,omitempty"`
	Trail      []event.Thinking `json:"trail,omitempty"`
	Unverified []string         `json:"unverified,omitempty"` // what the answer names and no passage holds

	Next string `json:"next,omitempty"` // the node it goes on at

	Parts  []*Inquiry `json:"parts,omitempty"`  // the questions of a message that asks several, each an inquiry of its own
	Left   []string   `json:"left,omitempty"`   // those beyond the bound, which are named and not answered
	Behind int        `json:"behind,omitempty"` // how many sources the parts before this one named
}

// Earlier is what a question may lean on: the last question and answer, and the articles the answer rested on.
type Earlier struct {
	Question string   `json:"question"`
	Answer   string   `json:"answer"`
	Articles []string `json:"articles"`
}

// Use is one use of a tool. Key is the tool with its arguments in canonical form.
type Use struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Key  string         `json:"key"`
}

// Finding is what one use of a tool brought.
type Finding struct {
	Tool       string               `json:"tool"`
	Items      []library.Item       `json:"items"`
	Comparison *library.Differences `json:"comparison,omitempty"`
	Text       string               `json:"text"`
	Problem    string               `json:"problem,omitempty"`
}

// Decision is one judgment of the evaluator. By says who made it.
type Decision struct {
	Iteration  int    `json:"iteration"`
	Sufficient bool   `json:"sufficient"`
	Why        string `json:"why"`
	By         string `json:"by,omitempty"`
}

// Agent answers questions. Safe for concurrent use; each question has its own Inquiry.
type Agent struct {
	deps  Deps
	graph *graph.Graph[*Inquiry]
}

// The nodes (seed 004).
const (
	nodeScope    = "scope_validator"
	nodeContext  = "check_previous_context"
	nodePlan     = "planner"
	nodeExecute  = "executor"
	nodeParallel = "parallel_executor"
	nodeEvaluate = "evaluator"
	nodeRespond  = "respond"
)

// New makes an agent.
func New(deps Deps) (*Agent, error) {
	if deps.MaxIterations == nil {
		deps.MaxIterations = func() int { return DefaultMaxIterations }
	}
	a := &Agent{deps: deps}
	var err error
	a.graph, err = graph.Compile("library", nodeScope, []graph.Node[*Inquiry]{
		{Name: nodeScope, Doc: "is it about the documents?", Run: a.scope, Next: []string{nodeContext, nodeRespond, graph.End}},
		{Name: nodeContext, Doc: "does it lean on what was said before?", Run: a.context, Next: []string{nodePlan}},
		{Name: nodePlan, Doc: "which tools next?", Run: a.plan, Next: []string{nodeRespond, nodeEvaluate, nodeParallel, nodeExecute}},
		{Name: nodeExecute, Doc: "runs the tools one after the other", Run: a.execute, Next: []string{nodeEvaluate}},
		{Name: nodeParallel, Doc: "runs independent tools side by side", Run: a.parallel, Next: []string{nodeEvaluate}},
		{Name: nodeEvaluate, Doc: "is it enough?", Run: a.evaluate, Next: []string{nodePlan, nodeRespond}},
		{Name: nodeRespond, Doc: "answers, with sources", Run: a.respond, Next: []string{graph.End}},
	})
	return a, err
}

// Answer walks a question to its answer, from where it stands. save journals the inquiry after every node; an error of it
// ends the walk. Errors: ctx's, storage errors, the model's.
func (a *Agent) Answer(ctx context.Context, q *Inquiry, save func(*Inquiry) error) error {
	if q.Next == graph.End { // the program died after the last node and before its turn went on
		return nil
	}
	if q.Next == "" && q.Parts == nil {
		a.divide(q)
	}
	if len(q.Parts) > 0 {
		return a.each(ctx, q, save)
	}
	_, _, err := a.graph.Run(ctx, q, q.Next, journal(save), nil)
	return err
}

// Mermaid draws the graph.
func (a *Agent) Mermaid() string { return a.graph.Mermaid() }

// journal keeps the inquiry by a function.
type journal func(*Inquiry) error

// Save implements graph.Journal.
func (j journal) Save(_ context.Context, s graph.Step[*Inquiry]) error {
	s.State.Next = s.Next
	return j(s.State)
}

// think tells a step of the trail, and keeps it with the answer.
func (a *Agent) think(q *Inquiry, step, ko, en string, data map[string]any) {
	text := q.say(ko, en)
	if data == nil {
		data = map[string]any{}
	}
	data["message"] = q.Message
	t := event.Thinking{Step: step, Text: text, Data: data}
	q.Trail = append(q.Trail, t)
	a.deps.Publisher.Publish(event.Of(q.Chat, "", t))
}

// decided tells a step that somebody decided, and who.
func (a *Agent) decided(q *Inquiry, step string, m maker, ko, en string, data map[string]any) {
	byKO, byEN := m.words()
	a.think(q, step, ko+byKO, en+byEN, m.data(data))
}

// without is the use without one of its arguments.
func (u Use) without(name string) Use {
	if _, there := u.Args[name]; !there {
		return u
	}
	args := maps.Clone(u.Args)
	delete(args, name)
	return use(u.Tool, args)
}

// use makes a use of a tool, with its key.
func use(tool string, args map[string]any) Use {
	raw, err := json.Marshal(args) // map keys are written in order
	if err != nil {
		raw = []byte(tool)
	}
	return Use{Tool: tool, Args: args, Key: tool + " " + string(raw)}
}
