package interpreter

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/provider"
)

// maxRepairs is how often a reply that cannot be used is sent back with what is wrong with it.
const maxRepairs = 2

// Timeouts are the deadlines of one letter: First until the first piece of the answer, Gap between two pieces.
type Timeouts struct {
	First time.Duration
	Gap   time.Duration
}

// Deps are the parts an Interpreter works with.
type Deps struct {
	Provider  func() provider.Provider                   // who is on duty right now
	Tools     func(lang apperr.Lang) []provider.ToolCard // the catalogue, sorted by key
	Timeouts  func() Timeouts
	Publisher event.Publisher
	NewID     func() string
	Failed    func(error) // told when the provider could not answer; may be nil
	// Standby answers when the provider on duty turns out not to be there; may be nil.
	Standby provider.Provider
}

// Interpreter writes letters and reads the answers. Safe for concurrent use.
type Interpreter struct {
	deps    Deps
	adapter provider.Adapter
	queue   *queue
	book    letterBook
}

// New makes an interpreter.
func New(deps Deps) *Interpreter {
	return &Interpreter{deps: deps, queue: newQueue(func() int { return deps.Provider().Parallel() })}
}

// Plan decides the route and the work of one message in one letter (seed: Planner). Errors: model_timeout,
// model_bad_output, provider_unreachable and what else the provider reports.
func (i *Interpreter) Plan(ctx context.Context, b Brief) (provider.Plan, error) {
	var plan provider.Plan
	err := i.ask(ctx, b, provider.RolePlanner, planSchema, func(text string) (err error) {
		plan, err = i.adapter.ParsePlan(text, i.known())
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
	err := i.ask(ctx, b, provider.RoleToolChooser, toolCallSchema, func(text string) (err error) {
		call, err = i.adapter.ParseToolSpec(text, i.known())
		return err
	})
	return call, err
}

// Solve does a step that needs no tool (seed: Solver); on gets the text as it is written and may be nil.
func (i *Interpreter) Solve(ctx context.Context, b Brief, on func(delta string)) (string, error) {
	return i.write(ctx, b, provider.RoleSolver, on)
}

// Report words the result of a job for the customer (seed: Reporter).
func (i *Interpreter) Report(ctx context.Context, b Brief) (string, error) {
	return i.write(ctx, b, provider.RoleReporter, nil)
}

// Summarize folds the transcript and the old summary into a new one (seed: Summarizer).
func (i *Interpreter) Summarize(ctx context.Context, b Brief) (string, error) {
	return i.write(ctx, b, provider.RoleSummarizer, nil)
}

// Letters gives the newest letters and their replies, oldest first; chat and job filter when not empty.
func (i *Interpreter) Letters(chat, job string, limit int) []Exchange {
	return i.book.list(chat, job, limit)
}

func (i *Interpreter) known() func(string) bool {
	keys := map[string]bool{}
	for _, t := range i.deps.Tools(apperr.EN) {
		keys[t.Key] = true
	}
	return func(tool string) bool { return keys[tool] }
}

// ask sends a letter whose reply must be read by parse; a reply that cannot be read is sent back twice.
func (i *Interpreter) ask(ctx context.Context, b Brief, role provider.Role, schema []byte, parse func(string) error) error {
	letter := b.letter(i.deps.NewID(), role, i.deps.Tools(b.Lang), schema)
	var err error
	for try := 0; try <= maxRepairs; try++ {
		var reply provider.Reply
		reply, err = i.send(ctx, letter, nil)
		if err == nil {
			if err = parse(reply.Text); err == nil {
				return nil
			}
		}
		if ctx.Err() != nil || apperr.CodeOf(err) != apperr.ModelBadOutput {
			return err
		}
		letter.ID = i.deps.NewID()
		letter.State.Problem = reason(err)
	}
	return err
}

func reason(err error) string {
	if cause := errors.Unwrap(err); cause != nil {
		return cause.Error()
	}
	return err.Error()
}

func (i *Interpreter) write(ctx context.Context, b Brief, role provider.Role, on func(string)) (string, error) {
	reply, err := i.send(ctx, b.letter(i.deps.NewID(), role, i.deps.Tools(b.Lang), nil), on)
	if err != nil {
		return "", err
	}
	text := i.adapter.NormalizeOutput(reply.Text)
	if text == "" {
		return "", apperr.New(apperr.ModelBadOutput)
	}
	return text, nil
}

// send is one letter and its reply, under the deadlines, told to the world and entered in the letter book.
func (i *Interpreter) send(ctx context.Context, letter provider.Letter, on func(string)) (provider.Reply, error) {
	label := labels[letter.Role].In(letter.Lang)
	i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentStart{Agent: string(letter.Role), Label: label}))
	began := time.Now()
	leave, err := i.queue.enter(ctx, letter, func(place int) {
		i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, event.AgentQueued{Agent: string(letter.Role), Label: inLine.In(letter.Lang), Place: place}))
	})
	p := i.deps.Provider()
	var reply provider.Reply
	if err == nil {
		reply, err = i.call(ctx, p, letter, on)
		if s := i.deps.Standby; s != nil && s.Name() != p.Name() && absent(err) {
			i.failed(ctx, err)
			p = s
			reply, err = i.call(ctx, p, letter, on)
		}
		leave()
	}
	reply.Elapsed = time.Since(began)
	done := event.AgentDone{
		Agent: string(letter.Role), Label: label, Success: err == nil, Ms: reply.Elapsed.Milliseconds(),
		TokensIn: reply.TokensIn, TokensOut: reply.TokensOut,
	}
	if err != nil {
		done.Result = string(apperr.CodeOf(err))
		i.failed(ctx, err)
	}
	i.deps.Publisher.Publish(event.Of(letter.Chat, letter.Job, done))
	i.book.add(Exchange{Letter: letter, Provider: p.Name(), Reply: reply, Error: string(apperr.CodeOf(err)), At: began})
	return reply, err
}

// absent tells whether the provider could not even begin to answer, so that another may.
func absent(err error) bool {
	code := apperr.CodeOf(err)
	return code == apperr.ProviderUnreachable || code == apperr.ProviderRefused || code == apperr.ModelMissing
}

func (i *Interpreter) failed(ctx context.Context, err error) {
	if i.deps.Failed != nil && ctx.Err() == nil {
		i.deps.Failed(err)
	}
}

// call talks to the provider apart from the caller, so that a provider that never answers, not even to cancellation,
// cannot hold anybody up, and one that breaks down takes nothing with it.
func (i *Interpreter) call(ctx context.Context, p provider.Provider, letter provider.Letter, on func(string)) (provider.Reply, error) {
	limits := i.deps.Timeouts()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pieces := make(chan struct{}, 1)
	var mu sync.Mutex
	over := false
	type outcome struct {
		reply provider.Reply
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if cause := recover(); cause != nil {
				o.err = apperr.Wrap(fmt.Errorf("provider %s panicked: %v\n%s", p.Name(), cause, debug.Stack()), apperr.Internal)
			}
			done <- o
		}()
		o.reply, o.err = p.Chat(ctx, letter, func(d provider.Delta) {
			select {
			case pieces <- struct{}{}:
			default:
			}
			mu.Lock()
			defer mu.Unlock()
			if on != nil && d.Text != "" && !over {
				on(d.Text)
			}
		})
	}()
	defer func() { mu.Lock(); over = true; mu.Unlock() }()
	timer := time.NewTimer(limits.First)
	defer timer.Stop()
	for {
		select {
		case o := <-done:
			return o.reply, o.err
		case <-pieces:
			timer.Reset(limits.Gap)
		case <-timer.C:
			return provider.Reply{}, apperr.New(apperr.ModelTimeout)
		case <-ctx.Done():
			return provider.Reply{}, ctx.Err()
		}
	}
}
