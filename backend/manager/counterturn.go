package manager

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/service"
)

// CounterTurn is what a turn does at the service counter. It is journaled with the turn.
type CounterTurn struct {
	Open    service.Counter  `json:"open,omitempty"`    // as the ledger has it, or will with this step
	Verb    service.Verb     `json:"verb,omitempty"`    // what the whole message means, decided by code
	Mark    string           `json:"mark,omitempty"`    // what the pressed button was about
	Certain string           `json:"certain,omitempty"` // the intent, when code leaves no doubt
	Service string           `json:"service,omitempty"` // the service the turn is about; empty: none
	Fresh   bool             `json:"fresh,omitempty"`   // the message itself asks for the service
	Query   string           `json:"query,omitempty"`   // the query of the service it asks
	Job     string           `json:"job,omitempty"`     // the handed-out job the turn waits for
	State   *event.TurnState `json:"state,omitempty"`   // what turn.done tells
	Silent  bool             `json:"silent,omitempty"`  // there is nothing to tell
}

// Counter is what the manager needs of the service counter.
type Counter struct {
	Book *service.Book
	// Extractor asks the interpreter.
	Extractor Extractor
	// Read runs a tool that only reads and gives its data.
	Read func(ctx context.Context, tool, chat string, lang bilingual.Lang, args map[string]any) ([]byte, error)
	// Done hears of every task that ended, before its outcome is told: after a crash, again. nil: nobody does.
	Done func(job.Job)
}

// Extractor is what the counter asks the interpreter for.
type Extractor interface {
	Intent(ctx context.Context, brief interpreter.Brief) (string, error)
	Slots(ctx context.Context, brief interpreter.Brief, card provider.ServiceCard) (provider.SlotReply, error)
}

// Orders hands out the counter's jobs.
type Orders interface {
	PrepareOrder(o job.Order) (job.Job, error)
}

// agents are the parts of a turn at the counter, as the events name them (seed 002).
const (
	agentIntent  = "intent"
	agentSlot    = "slot"
	agentExecute = "execute"
)

func (t *Turn) agentStart(agent, label string) event.Event {
	return event.Of(t.Chat, "", event.AgentStart{Agent: agent, Label: label})
}

func (t *Turn) emit(data event.Payload) {
	t.out.Events = append(t.out.Events, event.Of(t.Chat, "", data))
}

// brief is what the counter's requests are told.
func (m *Manager) brief(ctx context.Context, t *Turn) interpreter.Brief {
	b := interpreter.Brief{
		Chat: t.Chat, Turn: t.ID, Lang: t.Lang, Now: m.deps.Now(), Request: t.Text, Background: m.Background(ctx, t.Chat, ""),
		Counter: &provider.CounterState{},
	}
	if s, manifest := m.topOf(t); manifest != nil {
		b.Counter = &provider.CounterState{
			Service: manifest.Intent, Stage: string(s.Stage), Slots: s.Slots, Missing: manifest.Missing(s), Asked: s.Asked,
		}
	}
	return b
}

// today is the customer's day, as rules compare it.
func (m *Manager) today() string { return m.deps.Now().Format("2006-01-02") }
