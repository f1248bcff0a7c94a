package bank

import (
	"context"
	"time"

	"agentchat/backend/apperr"
)

// Period is the time a question about money that was sent covers, in the customer's own days.
type Period string

// The periods. A week begins on Monday.
const (
	PeriodToday     Period = "today"
	PeriodYesterday Period = "yesterday"
	PeriodWeek      Period = "week"
	PeriodLastWeek  Period = "last-week"
	PeriodMonth     Period = "month"
	PeriodLastMonth Period = "last-month"
	PeriodAll       Period = "all"
	PeriodChat      Period = "chat-session" // what was ordered in the chat that asks
)

// Question asks how much was sent. Without a period it means the chat that asks, or all time when nothing was sent from
// there. Payee is a name, "" for everybody.
type Question struct {
	Period Period
	Payee  string
	Chat   string
}

// Summary answers a Question. Period is the one it covers; amounts are in won.
type Summary struct {
	Period    Period
	Payee     string // as the address book has it, "" for everybody
	Total     int64
	Count     int
	Payees    []Total
	Title     string // of the customer's account
	Balance   int64
	Scheduled []Transfer // whatever the period
	Last      *Transfer  // the newest of all that was sent, whatever the period; nil: nothing was
}

// Sum answers a question from the books. Errors: unknown_payee, invalid_args, storage errors.
func (b *Bank) Sum(ctx context.Context, q Question) (Summary, error) {
	s := Summary{Period: q.Period}
	since, until, ok := b.days(q.Period)
	if !ok {
		return s, apperr.New(apperr.InvalidArgs, "detail", "period: today | yesterday | week | last-week | month | last-month | all | chat-session")
	}
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		span := Span{Since: since, Until: until}
		if q.Payee != "" {
			if span.To, s.Payee, err = find(books, q.Payee); err != nil {
				return err
			}
		}
		if q.Period == PeriodChat || q.Period == "" {
			s.Period, span.Chat = PeriodChat, q.Chat
		}
		if q.Period != PeriodChat || q.Chat != "" {
			s.Payees, err = books.Totals(span)
		}
		if err == nil && q.Period == "" && len(s.Payees) == 0 {
			s.Period, span.Chat = PeriodAll, ""
			s.Payees, err = books.Totals(span)
		}
		if err != nil {
			return err
		}
		own, err := books.Account(ownAccount)
		if err != nil {
			return err
		}
		s.Title, s.Balance = own.Title, own.Balance
		if s.Scheduled, err = books.Scheduled(); err != nil {
			return err
		}
		s.Last, err = last(books)
		return err
	})
	for _, t := range s.Payees {
		s.Total += t.Amount
		s.Count += t.Count
	}
	return s, err
}

// last finds the newest transfer that left the customer's account.
func last(books Reader) (*Transfer, error) {
	for before := ""; ; {
		page, err := books.Statement(before, pageLines)
		if err != nil || len(page) == 0 {
			return nil, err
		}
		for i := range page {
			if page[i].State == StateDone && page[i].From == ownAccount {
				return &page[i], nil
			}
		}
		before = page[len(page)-1].ID
	}
}

// days gives the first day of a period and the first one after it, "" for the beginning of time and for today; false for what is no period.
func (b *Bank) days(p Period) (since, until string, ok bool) {
	now := b.deps.Now()
	noon := func(ago int) time.Time { // every day has a noon
		return time.Date(now.Year(), now.Month(), now.Day()-ago, 12, 0, 0, 0, now.Location())
	}
	monday, first := noon((int(now.Weekday())+6)%7), noon(now.Day()-1)
	switch p {
	case PeriodToday:
		return day(now), "", true
	case PeriodYesterday:
		return day(noon(1)), day(now), true
	case PeriodWeek:
		return day(monday), "", true
	case PeriodLastWeek:
		return day(monday.AddDate(0, 0, -7)), day(monday), true
	case PeriodMonth:
		return day(first), "", true
	case PeriodLastMonth:
		return day(first.AddDate(0, -1, 0)), day(first), true
	case PeriodAll, PeriodChat, "":
		return "", "", true
	}
	return "", "", false
}
