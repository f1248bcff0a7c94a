package shop

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/bank"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/memory"
	"agentchat/backend/toolbox"
)

// openBank makes the practice bank; start opens it.
func (s *Shop) openBank(now func() time.Time) {
	if now == nil {
		now = time.Now
	}
	s.bank = bank.New(bank.Deps{
		Store: s.store, Publisher: s.Bus, Now: now, NewID: newID, Log: s.Log.Component("bank"),
		Lang: func() bilingual.Lang { return s.Config.Get().Lang },
		Limits: func() bank.Limits {
			c := s.Config.Get()
			return bank.Limits{PerTransfer: c.BankTransfer, PerDay: c.BankDay}
		},
		Done: s.learnTransfer,
	})
}

// learnTransfer lets memory learn of a scheduled transfer whose day came. Those done at once it learns from their jobs.
func (s *Shop) learnTransfer(t bank.Transfer) {
	if t.Due == "" {
		return
	}
	err := s.memory.Learn(context.Background(), memory.Event{
		Source: memory.SourceLedger, Chat: t.Chat, Ref: "bank-" + t.ID, Text: t.Text(), At: t.Settled,
	})
	if err != nil {
		log := s.Log.Component("memory")
		log.Warn().Err(err).Str("transfer", t.ID).Msg("what was done could not be remembered; the ledger has it")
	}
}

// withGuests puts tools from outside beside the shop's own, or in the place of the one with the same key.
func withGuests(own, guests []toolbox.Tool) []toolbox.Tool {
	own = slices.DeleteFunc(own, func(t toolbox.Tool) bool {
		return slices.ContainsFunc(guests, func(g toolbox.Tool) bool { return g.Spec().Key == t.Spec().Key })
	})
	return append(own, guests...)
}

// Bank is everything the bank page shows. Errors: storage errors.
func (s *Shop) Bank(ctx context.Context) (bank.View, error) { return s.bank.View(ctx) }

// Statement gives up to limit lines of the statement before the one with the id before ("" for the newest), newest first.
// Errors: storage errors.
func (s *Shop) Statement(ctx context.Context, before string, limit int) ([]bank.Line, error) {
	return s.bank.Statement(ctx, before, limit)
}

// CancelScheduled calls off a transfer whose day has not come. Errors: not_found, schedule_ended, storage errors.
func (s *Shop) CancelScheduled(ctx context.Context, id string) error {
	_, err := s.bank.CancelScheduled(ctx, id)
	return err
}

// RestoreScheduled orders anew a transfer that was called off before its day, by the same rules. Errors: those of bank.Restore.
func (s *Shop) RestoreScheduled(ctx context.Context, id string) error {
	_, err := s.bank.Restore(ctx, id)
	return err
}

// SavePayee enters a payee into the address book (without an ID) or changes one. Errors: not_found, invalid_args,
// name_taken, storage errors.
func (s *Shop) SavePayee(ctx context.Context, p bank.Payee) (bank.Payee, error) {
	return s.bank.SavePayee(ctx, p)
}

// DeletePayee takes a payee out of the address book. Errors: not_found, storage errors.
func (s *Shop) DeletePayee(ctx context.Context, id string) error { return s.bank.DeletePayee(ctx, id) }

// Deposit puts practice money, in won, into the customer's account. Errors: invalid_args, storage errors.
func (s *Shop) Deposit(ctx context.Context, amount int64) error {
	_, err := s.bank.Deposit(ctx, amount)
	return err
}
