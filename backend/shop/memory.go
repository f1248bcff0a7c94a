package shop

import (
	"cmp"
	"context"
	"sync"
	"time"

	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/memory"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/wire"
)

// lengthPatience bounds how long Ollama is asked for a model's length.
const lengthPatience = 3 * time.Second

// openMemory makes the shop's memory. Its summaries are written by whoever interprets, and by the built-in interpreter when
// that one cannot.
func (s *Shop) openMemory(now memory.Deps) {
	now.Store, now.Plain, now.Publisher = s.store, s.phrasebook, s.Bus
	now.Summarizer, now.Gauge = s.interp.Summarizer, s.interp.Gauge
	now.Compacted = s.readIns.compacted
	now.Lang = func() bilingual.Lang { return s.Config.Get().Lang }
	now.Log = s.Log.Component("memory")
	s.memory = memory.New(now)
	until, cancel := context.WithCancel(context.Background())
	s.lengths.until = until
	s.closing = append(s.closing, func() error { s.memory.Stop(); cancel(); s.lengths.asks.Wait(); return nil })
}

// budget keeps requests within what the model on duty reads.
func (s *Shop) budget() interpreter.Budget {
	return interpreter.Budget{
		Window:  s.window,
		Reserve: func(role provider.Role) int { return s.card(role).MaxTokens },
		Compact: func(ctx context.Context, chat string, pen interpreter.Summarizer) (interpreter.Background, bool, error) {
			return s.memory.Compact(ctx, chat, pen)
		},
		Log: s.Log.Component("budget"),
	}
}

// card is a role's card as the settings have it.
func (s *Shop) card(role provider.Role) wire.Card {
	return wire.CardOf(func(role provider.Role, own wire.Card) wire.Card {
		return models.Override(s.Config.Get().Roles, role, own)
	}, role)
}

// window is how much the model reads at once that a provider uses for a role. The built-in interpreter reads everything; a
// model that was made for less than the settings say reads no more than that.
func (s *Shop) window(p provider.Provider, role provider.Role, model string) interpreter.Window {
	kind := kindOf(p)
	if kind != ollama.Name && kind != openai.Name {
		return interpreter.Window{}
	}
	status, _ := s.failover.Status(p.Name())
	model = cmp.Or(model, wire.CardOf(s.cardsOf(p.Name()), role).Model, status.Model)
	w := interpreter.Window{Model: model, Tokens: s.Config.Get().NumCtx}
	if server, ok := p.(*ollama.Provider); ok {
		w.Tokens = s.lengths.within(w.Tokens, server, model, s.lengthOf)
	}
	return w
}

// lengths knows for how many tokens Ollama's models were made. It asks once for each model and, until it has heard, takes
// the settings at their word. Its zero value knows nothing yet; safe for concurrent use.
type lengths struct {
	mu    sync.Mutex
	known map[lengthKey]int // 0: asked, not heard
	asks  sync.WaitGroup
	until context.Context //nolint:containedctx // ends the questions when the shop closes
}

func (l *lengths) within(set int, server *ollama.Provider, model string, ask func(*ollama.Provider, string) int) int {
	key := lengthKey{server.Name(), model}
	l.mu.Lock()
	defer l.mu.Unlock()
	most, asked := l.known[key]
	if !asked && model != "" {
		if l.known == nil {
			l.known = map[lengthKey]int{}
		}
		l.known[key] = 0
		l.asks.Go(func() {
			n := ask(server, model)
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.known[key] = n; n == 0 {
				delete(l.known, key) // it may answer another time
			}
		})
	}
	if most > 0 {
		return min(set, most)
	}
	return set
}

// lengthKey is a model of a server.
type lengthKey struct{ server, model string }

// lengthOf asks Ollama for how many tokens a model was made; 0 when it does not say.
func (s *Shop) lengthOf(server *ollama.Provider, model string) int {
	ctx, cancel := context.WithTimeout(s.lengths.until, lengthPatience)
	defer cancel()
	d, err := server.Show(ctx, model)
	if err != nil {
		return 0
	}
	return d.ContextLength
}

// Memory gives what is remembered of a chat, and all facts. Errors: storage errors.
func (s *Shop) Memory(ctx context.Context, chat string) (memory.View, error) {
	return s.memory.View(ctx, chat)
}

// EditSummary replaces the summary of a chat by a person's words. Errors: invalid_args, storage errors.
func (s *Shop) EditSummary(ctx context.Context, chat, text string) error {
	return s.memory.EditSummary(ctx, chat, text)
}

// AddFact remembers what a person wrote. Errors: invalid_args, storage errors.
func (s *Shop) AddFact(ctx context.Context, text string) (memory.FactView, error) {
	return s.memory.AddFact(ctx, text)
}

// AddProjectFact has the chats of a project, and no others, be told something. Errors: invalid_args, storage errors.
func (s *Shop) AddProjectFact(ctx context.Context, project, text string) (memory.FactView, error) {
	return s.memory.AddProjectFact(ctx, project, text)
}

// EditFact gives a fact other words. Errors: not_found, invalid_args, storage errors.
func (s *Shop) EditFact(ctx context.Context, id, text string) error {
	return s.memory.EditFact(ctx, id, text)
}

// ForgetFact forgets a fact for good. Errors: not_found, storage errors.
func (s *Shop) ForgetFact(ctx context.Context, id string) error { return s.memory.ForgetFact(ctx, id) }

// ForgetChat drops the summary of a chat; its requests begin anew, its messages stay to be seen.
func (s *Shop) ForgetChat(ctx context.Context, chat string) error {
	return s.memory.ForgetChat(ctx, chat)
}
