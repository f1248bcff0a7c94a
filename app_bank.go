package main

import (
	"context"

	"agentchat/backend/bank"
	"agentchat/backend/shop"
)

// Bank is everything the bank page shows. Amounts are in won.
func (a *App) Bank() (bank.View, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (bank.View, error) { return s.Bank(ctx) })
}

// Statement gives up to limit lines of the statement before the one with the id before ("" for the newest), newest first.
func (a *App) Statement(before string, limit int) ([]bank.Line, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]bank.Line, error) { return s.Statement(ctx, before, limit) })
}

// CancelScheduled calls off a transfer whose day has not come.
func (a *App) CancelScheduled(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.CancelScheduled(ctx, id) })
}

// RestoreScheduled has a transfer wait for its day again that was called off.
func (a *App) RestoreScheduled(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreScheduled(ctx, id) })
}

// SavePayee enters a payee into the address book (without an id) or changes one; it gives the entry as it is kept.
func (a *App) SavePayee(payee bank.Payee) (bank.Payee, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (bank.Payee, error) { return s.SavePayee(ctx, payee) })
}

// DeletePayee takes a payee out of the address book.
func (a *App) DeletePayee(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeletePayee(ctx, id) })
}

// Deposit puts practice money, in won, into the customer's account.
func (a *App) Deposit(amount int64) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.Deposit(ctx, amount) })
}
