package shop

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/interpreter"
	"agentchat/backend/memory"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/wire"
)

// openMemory makes the shop's memory. Its summaries are written by whoever interprets, and by the built-in interpreter when
// that one cannot.
func (s *Shop) openMemory(now memory.Deps) {
	now.Store, now.Plain, now.Publisher = s.store, builtin.New(), s.Bus
	now.Pen, now.Gauge = s.interp.Pen, s.interp.Gauge
	now.Lang = func() apperr.Lang { return s.Config.Get().Lang }
	now.Log = s.Log.Component("memory")
	s.memory = memory.New(now)
	s.closing = append(s.closing, func() error { s.memory.Stop(); return nil })
}

// budget keeps letters within what the model on duty reads.
func (s *Shop) budget() interpreter.Budget {
	return interpreter.Budget{
		Window:  s.window,
		Reserve: func(role provider.Role) int { return wire.CardOf(nil, role).MaxTokens },
		Compact: func(ctx context.Context, chat string, pen interpreter.Pen) (interpreter.Background, bool, error) {
			return s.memory.Compact(ctx, chat, pen)
		},
		Log: s.Log.Component("budget"),
	}
}

// window is how much the model of a provider reads at once. The built-in interpreter reads everything.
func (s *Shop) window(p provider.Provider, _ provider.Role) interpreter.Window {
	reads, limited := p.(interface{ NumCtx() int })
	if !limited {
		return interpreter.Window{}
	}
	return interpreter.Window{Model: s.duty.now().Model, Tokens: reads.NumCtx()}
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

// EditFact gives a fact other words. Errors: not_found, invalid_args, storage errors.
func (s *Shop) EditFact(ctx context.Context, id, text string) error {
	return s.memory.EditFact(ctx, id, text)
}

// ForgetFact forgets a fact for good. Errors: not_found, storage errors.
func (s *Shop) ForgetFact(ctx context.Context, id string) error { return s.memory.ForgetFact(ctx, id) }

// ForgetChat drops the summary of a chat; its letters begin anew, its messages stay to be seen.
func (s *Shop) ForgetChat(ctx context.Context, chat string) error {
	return s.memory.ForgetChat(ctx, chat)
}
