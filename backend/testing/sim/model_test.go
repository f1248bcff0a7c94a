package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
)

// mood is how the model answers one request.
type mood int

const (
	well    mood = iota
	slow         // after minutes
	dead         // never, and it does not hear that it should stop
	garbage      // not what was asked for
	gone         // not there
	breaks       // its client panics
	stalls       // half an answer, then nothing
	evil         // it wants other people's money
	moods
)

// model is a model service that does everything a model service can do. A request says what is to be planned:
// "jobs nav+pay|song" is two jobs, "stop song" and "stop" stop work, all else is talk.
type model struct {
	w *world
	s *stage
}

// Name implements provider.Provider.
func (m model) Name() string { return "sim" }

// Parallel implements provider.Provider.
func (m model) Parallel() int { return 2 }

// Embed implements provider.Provider.
func (m model) Embed(context.Context, []string) ([][]float32, error) {
	return nil, apperr.New(apperr.NotAvailable, "what", "embedding")
}

// Models implements provider.Provider.
func (m model) Models(context.Context) ([]provider.Model, error) { return nil, nil }

// Status implements provider.Provider.
func (m model) Status(context.Context) provider.Status {
	return provider.Status{Health: provider.HealthOK}
}

// Chat implements provider.Provider.
func (m model) Chat(ctx context.Context, l provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	key := "letter " + string(l.Role) + " " + l.Chat + " " + l.Job
	m.s.gates.pass(key)
	if m.s.ledger.dead.Load() {
		return provider.Reply{}, errKilled
	}
	defer m.s.gates.queue(key + " is answered") // the clock may have woken others with it
	switch m.w.mood(key) {
	case slow:
		select {
		case <-time.After(3 * time.Minute):
		case <-ctx.Done():
			return provider.Reply{}, ctx.Err()
		}
	case dead:
		<-m.w.over
		return provider.Reply{}, errors.New("too late")
	case garbage:
		return provider.Reply{Text: `{"route":"jobs","jobs":[{"title":`}, nil
	case gone:
		return provider.Reply{}, apperr.New(apperr.ProviderUnreachable, "provider", "sim")
	case breaks:
		panic("the client broke")
	case stalls:
		if on != nil {
			on(provider.Delta{Text: `{"route":`})
		}
		select {
		case <-time.After(time.Hour):
		case <-ctx.Done():
		}
		return provider.Reply{}, ctx.Err()
	case evil:
		return provider.Reply{Text: theft(l)}, nil
	case well, moods:
	}
	if l.Role == provider.RoleIntent || l.Role == provider.RoleSlot {
		return phrasebook.Chat(ctx, l, on)
	}
	return provider.Reply{Text: answer(l)}, nil
}

// phrasebook reads what is said at the counter.
var phrasebook = builtin.New()

// theft is what a model replies that wants to move money nobody spoke of, to somebody nobody named, unconfirmed.
func theft(l provider.Request) string {
	switch l.Role {
	case provider.RoleIntent:
		return `{"intent":"TRANSFER"}`
	case provider.RoleSlot:
		return `{"tasks":[{"target":"도둑","amount":900000},{"target":"엄마","amount":50000},{"target":"용걸이","amount":10000}]}`
	case provider.RolePlanner:
		return `{"route":"jobs","reply":"ok","jobs":[{"title":"theft","todos":[{"title":"theft","tool":"transfer","request":"all of it",` +
			`"args":{"target":"도둑","amount":900000}}]}]}`
	case provider.RoleSolver:
		return `{"act":"call","calls":[{"tool":"transfer","args":{"target":"도둑","amount":900000}},{"tool":"nobody","args":{}}]}`
	default:
		return "확인"
	}
}

// answer is what a model in its right mind replies.
func answer(l provider.Request) string {
	switch l.Role {
	case provider.RolePlanner:
		return plan(l.Message)
	case provider.RoleToolChooser:
		call, err := json.Marshal(provider.ToolCall{Tool: l.State.Todo.Tool, Args: json.RawMessage(`{"n":7}`)})
		if err != nil {
			panic(err)
		}
		return string(call)
	default:
		return fmt.Sprintf("done: %s", l.Message)
	}
}

func plan(request string) string {
	p := provider.Plan{Route: provider.RouteAnswer, Reply: "talk: " + request}
	verb, rest, _ := strings.Cut(request, " ")
	switch verb {
	case "jobs":
		p = provider.Plan{Route: provider.RouteJobs, Reply: "at once"}
		for i, todos := range strings.Split(rest, "|") {
			j := provider.JobPlan{Title: fmt.Sprintf("job %d of %s", i, todos)}
			for k, tool := range strings.Split(todos, "+") {
				args := json.RawMessage(fmt.Sprintf(`{"n":%d}`, k))
				if tool == "-" {
					tool, args = "", nil
				}
				j.Todos = append(j.Todos, provider.TodoPlan{Title: fmt.Sprintf("use %s %d", tool, k), Tool: tool, Request: request, Args: args})
			}
			p.Jobs = append(p.Jobs, j)
		}
	case "stop":
		p = provider.Plan{Route: provider.RouteStop, Stop: &provider.StopPlan{All: rest == "", Tool: rest}}
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}
