package interpreter

import (
	"context"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// Timeouts are the deadlines of one request. They are the last resort, for a provider that keeps none of its own: First must
// leave it room for its retries.
type Timeouts struct {
	First time.Duration // until the first piece of the answer
	Gap   time.Duration // between two pieces
	Load  time.Duration // until the first piece when the model has to be read into memory; less than First: First
}

// Deps are the parts an Interpreter works with.
type Deps struct {
	Provider func() provider.Provider // who is on duty right now
	// Servers are all who may answer a request of a role, the preferred first; nil, or none: the one on duty. It is asked often and must be quick.
	Servers func(role provider.Role) []Server
	// Speeds gives what was measured of a server and a model before; nil: nothing was. Measured is told whenever there is something new; it must not
	// wait, and may be nil.
	Speeds   func(server, model string) Speed
	Measured func(server, model string, s Speed)
	Tools    func(lang bilingual.Lang) []provider.ToolCard // the catalogue, sorted by key; of outside tools requests show some
	// Candidates are the tools that a text may mean, the most probable first; nil: nobody says.
	Candidates func(ctx context.Context, text string, now time.Time, lang bilingual.Lang) []string
	Services   func() []provider.ServiceCard // the services, sorted by id; nil: none
	Timeouts   func() Timeouts
	Publisher  event.Publisher
	NewID      func() string
	Failed     func(provider string, err error) // told when a provider could not answer; may be nil
	// Loading is told when a provider begins to read its model into memory and when that is over; may be nil.
	Loading func(provider string, now bool)
	// Keep gets every exchange and must not wait; nil: requests are not kept.
	Keep func(Exchange)
	// Standby answers when the provider on duty turns out not to be there; may be nil.
	Standby provider.Provider
	// Picture gives what a kept request leaves out of its pictures; nil: nobody has it.
	Picture func(ctx context.Context, id string) ([]byte, error)
	// Cache gives an answer again that a request just like it had before; nil: every request is answered anew.
	Cache Cache
	// Budget keeps requests within what a model can read; the zero value keeps none.
	Budget Budget
}

// Interpreter sends requests to a model and reads the answers. Safe for concurrent use.
type Interpreter struct {
	deps    Deps
	adapter provider.Adapter
	queue   *queue
	ledger  ledger
	paces   paces
	shelves shelves
	lengths lengths
	away    away
}

// New makes an interpreter.
func New(deps Deps) *Interpreter {
	i := &Interpreter{deps: deps}
	i.queue = newQueues(i.lanes)
	return i
}

// Recount lets requests go that wait for no reason any more: another provider is on duty, or it answers more at once.
func (i *Interpreter) Recount() { i.queue.recount() }

// Plan decides the route and the work of one message in one request (seed: Planner). Its reply streams into the message of
// the brief. Errors: model_timeout, model_bad_output, provider_unreachable and what else the provider reports.
func (i *Interpreter) Plan(ctx context.Context, b Brief) (provider.Plan, error) {
	var plan provider.Plan
	err := i.ask(ctx, b, provider.RolePlanner, provider.PlanSchema, func(x Exchange) (err error) {
		if plan, err = i.adapter.ParsePlan(x.Reply.Text, i.known()); err != nil || !spoken(plan.Route) {
			return err
		}
		plan.Reasoning, plan.Worded = thoughts(x.Reply), i.worded(x)
		return i.sound(b, x, plan.Reply)
	})
	plan.SetByCode(!plan.Worded)
	if plan.Worded {
		read, _ := i.Reads(ctx, b)
		plan.Left = read.Left
	}
	return plan, err
}

// ChooseTool fills in the arguments of a todo's tool (seed: Tool-Chooser). A model that cannot is replaced by the interpreter that
// needs none.
func (i *Interpreter) ChooseTool(ctx context.Context, b Brief) (provider.ToolCall, error) {
	var call provider.ToolCall
	if b.Todo != nil {
		b.Request = b.Todo.Request
	}
	read := func(x Exchange) (err error) {
		if call, err = i.adapter.ParseToolSpec(x.Reply.Text, i.known()); err != nil || len(call.Missing) == 0 {
			return err
		}
		return i.sound(b, x, call.Question)
	}
	err := i.ask(ctx, b, provider.RoleToolChooser, provider.ToolCallSchema, read)
	if err != nil && ctx.Err() == nil {
		err = i.plainly(ctx, b, provider.RoleToolChooser, err, read)
	}
	return call, err
}

// Words are a text for the customer and what the model thought before it wrote.
type Words struct {
	Text      string
	Reasoning string
	Worded    bool // by a model: what it says was done is its word, and no more
}

// Report words the result of a job for the customer (seed: Reporter). The text streams into the message of the brief. What a tool says
// of itself and what went wrong is told by code; a model that finds no words is replaced by it.
func (i *Interpreter) Report(ctx context.Context, b Brief) (w Words, err error) {
	if i.deps.Standby == nil || !speaks(b) {
		return i.orPlainly(ctx, b, provider.RoleReporter)
	}
	req := b.request(i.deps.NewID(), provider.RoleReporter, nil, nil)
	reply, err := i.call(ctx, i.deps.Standby, req, nil)
	return Words{Text: i.adapter.NormalizeOutput(reply.Text)}, err
}

// succeeded is the outcome of a job that came to what was asked.
const succeeded = "succeeded"

// longestSaid is how many characters of other people's words are a report: more of them want to be read and summed up.
const longestSaid = 600

// speaks tells whether the results of a job speak for themselves: it failed, or it was one step whose result is a report already.
func speaks(b Brief) bool {
	if b.Outcome != succeeded || len(b.Results) == 0 {
		return true
	}
	only := b.Results[0]
	return len(b.Results) == 1 && (!only.Untrusted || utf8.RuneCountInString(only.Text) <= longestSaid)
}

// Summarize folds the transcript and the old summary into a new one (seed: Summarizer). A model that finds no words is
// replaced by the one that needs no model.
func (i *Interpreter) Summarize(ctx context.Context, b Brief) (string, error) {
	w, err := i.orPlainly(ctx, b, provider.RoleSummarizer)
	return w.Text, err
}

func (i *Interpreter) known() func(string) bool {
	keys := map[string]bool{}
	for _, t := range i.deps.Tools(bilingual.EN) {
		keys[t.Key] = true
	}
	return func(tool string) bool { return keys[tool] }
}

// write asks for free text.
func (i *Interpreter) write(ctx context.Context, b Brief, role provider.Role) (w Words, err error) {
	err = i.ask(ctx, b, role, nil, func(x Exchange) error {
		w = Words{i.adapter.NormalizeOutput(x.Reply.Text), thoughts(x.Reply), i.worded(x)}
		return i.sound(b, x, w.Text)
	})
	if err != nil {
		return Words{}, err
	}
	return w, nil
}

// worded tells whether a model made the words of an exchange. Those of the interpreter that needs none are code's.
func (i *Interpreter) worded(x Exchange) bool {
	return i.deps.Standby == nil || x.Provider != i.deps.Standby.Name()
}

// orPlainly asks for free text, and asks the standby when the model on duty writes nothing that can be used.
func (i *Interpreter) orPlainly(ctx context.Context, b Brief, role provider.Role) (Words, error) {
	w, err := i.write(ctx, b, role)
	if ctx.Err() != nil || apperr.CodeOf(err) != apperr.ModelBadOutput {
		return w, err
	}
	err = i.plainly(ctx, b, role, err, func(x Exchange) error {
		if w = (Words{Text: i.adapter.NormalizeOutput(x.Reply.Text)}); w.Text == "" {
			return apperr.Wrap(errNoText, apperr.ModelBadOutput)
		}
		return nil
	})
	return w, err
}

// plainly has the standby answer what the model on duty could not; without one the model's error stands. It streams nothing.
func (i *Interpreter) plainly(ctx context.Context, b Brief, role provider.Role, cause error, read func(Exchange) error) error {
	standby := i.deps.Standby
	if standby == nil {
		return cause
	}
	req := b.request(i.deps.NewID(), role, i.deps.Tools(b.Lang), nil)
	x := Exchange{Request: req, Prompt: i.adapter.NormalizePrompt(req), Provider: standby.Name(), Attempt: maxRepairs + 2, At: time.Now()}
	var err error
	if x.Reply, err = i.call(ctx, standby, req, nil); err == nil {
		err = read(x)
	}
	x.failed(err)
	i.keep(x)
	return err
}
