package main

import (
	"context"

	"agentchat/backend/memory"
	"agentchat/backend/shop"
)

// Memory gives what is remembered of a chat, all facts, and how full the chat's requests are.
func (a *App) Memory(chat string) (memory.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (memory.View, error) { return s.Memory(ctx, chat) })
}

// EditSummary replaces the summary of a chat by a person's words.
func (a *App) EditSummary(chat, text string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.EditSummary(ctx, chat, text) })
}

// AddFact remembers what a person wrote.
func (a *App) AddFact(text string) (memory.FactView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (memory.FactView, error) { return s.AddFact(ctx, text) })
}

// EditFact gives a fact other words.
func (a *App) EditFact(id, text string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.EditFact(ctx, id, text) })
}

// ForgetFact forgets a fact at once and for good.
func (a *App) ForgetFact(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ForgetFact(ctx, id) })
}

// ForgetChat drops the summary of a chat; its requests begin anew, its messages stay to be seen.
func (a *App) ForgetChat(chat string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.ForgetChat(ctx, chat) })
}
