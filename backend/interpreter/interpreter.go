package interpreter

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// Timeouts are the deadlines of one letter. They are the last resort, for a provider that keeps none of its own: First must
// leave it room for its retries.
type Timeouts struct {
	First time.Duration // until the first piece of the answer
	Gap   time.Duration // between two pieces
	Load  time.Duration // until the first piece when the model has to be read into memory; less than First: First
}

// Deps are the parts an Interpreter works with.
type Deps struct {
	Provider  func() provider.Provider                   // who is on duty right now
	Tools     func(lang apperr.Lang) []provider.ToolCard // the catalogue, sorted by key
	Services  func() []provider.ServiceCard              // the services, sorted by id; nil: none
	Timeouts  func() Timeouts
	Publisher event.Publisher
	NewID     func() string
	Failed    func(error) // told when the provider could not answer; may be nil
	// Loading is told when a provider begins to read its model into memory and when that is over; may be nil.
	Loading func(provider string, now bool)
	// Keep gets every exchange and must not wait; nil: letters are not kept.
	Keep func(Exchange)
	// Standby answers when the provider on duty turns out not to be there; may be nil.
	Standby provider.Provider
	// Cache gives an answer again that a letter just like it had before; nil: every letter is answered anew.
	Cache Cache
	// Budget keeps letters within what a model can read; the zero value keeps none.
	Budget Budget
}

// Interpreter writes letters and reads the answers. Safe for concurrent use.
type Interpreter struct {
	deps    Deps
	adapter provider.Adapter
	queue   *queue
	ledger  ledger
}

// New makes an interpreter.
func New(deps Deps) *Interpreter {
	return &Interpreter{deps: deps, queue: newQueue(func() int { return deps.Provider().Parallel() })}
}

// Plan decides the route and the work of one message in one letter (seed: Planner). Its reply streams into the message of
// the brief. Errors: model_timeout, model_bad_output, provider_unreachable and what else the provider reports.
func (i *Interpreter) Plan(ctx context.Context, b Brief) (provider.Plan, error) {
	var plan provider.Plan
	warned := false
	err := i.ask(ctx, b, provider.RolePlanner, planSchema, func(x Exchange) (err error) {
		if plan, err = i.adapter.ParsePlan(x.Reply.Text, i.known()); err != nil || !spoken(plan.Route) {
			return err
		}
		plan.Reasoning = thoughts(x.Reply)
		if err = i.sound(b, x, plan.Reply); err == nil {
			plan.Reply, err = i.truthful(b, x, plan.Reply, &warned)
		}
		return err
	})
	return plan, err
}

// ChooseTool fills in the arguments of a todo's tool (seed: Tool-Chooser).
func (i *Interpreter) ChooseTool(ctx context.Context, b Brief) (provider.ToolCall, error) {
	var call provider.ToolCall
	if b.Todo != nil {
		b.Request = b.Todo.Request
	}
	err := i.ask(ctx, b, provider.RoleToolChooser, toolCallSchema, func(x Exchange) (err error) {
		if call, err = i.adapter.ParseToolSpec(x.Reply.Text, i.known()); err != nil || len(call.Missing) == 0 {
			return err
		}
		warned := false
		if err = i.sound(b, x, call.Question); err == nil {
			call.Question, err = i.truthful(b, x, call.Question, &warned)
		}
		return err
	})
	return call, err
}

// Words are a text for the customer and what the model thought before it wrote.
type Words struct {
	Text      string
	Reasoning string
}

// Report words the result of a job for the customer (seed: Reporter). The text streams into the message of the brief. A
// model that finds no words is replaced by the one that needs no model.
func (i *Interpreter) Report(ctx context.Context, b Brief) (Words, error) {
	return i.orPlainly(ctx, b, provider.RoleReporter)
}

// Summarize folds the transcript and the old summary into a new one (seed: Summarizer). A model that finds no words is
// replaced by the one that needs no model.
func (i *Interpreter) Summarize(ctx context.Context, b Brief) (string, error) {
	w, err := i.orPlainly(ctx, b, provider.RoleSummarizer)
	return w.Text, err
}

func (i *Interpreter) known() func(string) bool {
	keys := map[string]bool{}
	for _, t := range i.deps.Tools(apperr.EN) {
		keys[t.Key] = true
	}
	return func(tool string) bool { return keys[tool] }
}

// write asks for free text.
func (i *Interpreter) write(ctx context.Context, b Brief, role provider.Role) (w Words, err error) {
	warned := false
	err = i.ask(ctx, b, role, nil, func(x Exchange) error {
		w = Words{i.adapter.NormalizeOutput(x.Reply.Text), thoughts(x.Reply)}
		err := i.sound(b, x, w.Text)
		if err == nil && role != provider.RoleSummarizer { // a summary tells of what happened, and is for nobody's eyes
			w.Text, err = i.truthful(b, x, w.Text, &warned)
		}
		return err
	})
	if err != nil {
		return Words{}, err
	}
	return w, nil
}

// orPlainly asks for free text, and asks the standby when the model on duty writes nothing that can be used.
func (i *Interpreter) orPlainly(ctx context.Context, b Brief, role provider.Role) (Words, error) {
	w, err := i.write(ctx, b, role)
	standby := i.deps.Standby
	if standby == nil || ctx.Err() != nil || apperr.CodeOf(err) != apperr.ModelBadOutput {
		return w, err
	}
	letter := b.letter(i.deps.NewID(), role, i.deps.Tools(b.Lang), nil)
	x := Exchange{Letter: letter, Prompt: i.adapter.NormalizePrompt(letter), Provider: standby.Name(), Attempt: maxRepairs + 2, At: time.Now()}
	x.Reply, err = i.call(ctx, standby, letter, nil)
	w = Words{Text: i.adapter.NormalizeOutput(x.Reply.Text)}
	if err == nil && w.Text == "" {
		err = apperr.Wrap(errNoText, apperr.ModelBadOutput)
	}
	x.failed(err)
	i.keep(x)
	return w, err
}
