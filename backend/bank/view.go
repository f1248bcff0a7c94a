package bank

import (
	"context"

	"agentchat/backend/event"
)

// View is everything the bank page shows. Amounts are in won.
type View struct {
	Accounts  []AccountView   `json:"accounts"` // the customer's own
	Limits    LimitsView      `json:"limits"`
	Statement []Line          `json:"statement"` // newest first
	Scheduled []ScheduledView `json:"scheduled"` // soonest first
	Payees    []Payee         `json:"payees"`
}

// AccountView is one of the customer's accounts.
type AccountView struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Balance int64  `json:"balance"`
}

// LimitsView are the limits in force and what of the day's is left.
type LimitsView struct {
	PerTransfer int64 `json:"perTransfer"`
	PerDay      int64 `json:"perDay"`
	LeftToday   int64 `json:"leftToday"`
}

// Direction says which way money went, seen from the customer's account.
type Direction string

// The directions.
const (
	DirectionIn  Direction = "in"
	DirectionOut Direction = "out"
)

// Line is one line of the statement: something that was done, canceled or failed. At is RFC 3339 in UTC; Target is the
// other side. For what was canceled or failed BalanceAfter is what was there all the same.
type Line struct {
	ID           string    `json:"id"`
	At           string    `json:"at"`
	Target       string    `json:"target"`
	Amount       int64     `json:"amount"`
	Direction    Direction `json:"direction"`
	Memo         string    `json:"memo"`
	BalanceAfter int64     `json:"balanceAfter"`
	State        State     `json:"state"`
	Code         string    `json:"code,omitempty"`   // why it failed
	Reason       string    `json:"reason,omitempty"` // the same as a sentence
	Date         string    `json:"date,omitempty"`   // the day it was scheduled for
	Chat         string    `json:"chat"`
	JobID        string    `json:"jobId"`
}

// ScheduledView is a transfer that waits for its day. Date is YYYY-MM-DD.
type ScheduledView struct {
	ID     string `json:"id"`
	Date   string `json:"date"`
	Target string `json:"target"`
	Amount int64  `json:"amount"`
	Memo   string `json:"memo"`
	State  State  `json:"state"`
	Chat   string `json:"chat"`
	JobID  string `json:"jobId"`
}

// How many lines a page of the statement has.
const (
	pageLines = 50
	mostLines = 500
)

// View draws the bank as it is at one moment. Errors: storage errors.
func (b *Bank) View(ctx context.Context) (View, error) {
	limits, lang := b.deps.Limits(), b.deps.Lang()
	v := View{
		Accounts: []AccountView{}, Scheduled: []ScheduledView{},
		Limits: LimitsView{PerTransfer: limits.PerTransfer, PerDay: limits.PerDay},
	}
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) error {
		accounts, err := books.Accounts()
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if a.Kind == KindOwn {
				v.Accounts = append(v.Accounts, AccountView{ID: a.ID, Title: houseName(a.Title, lang), Balance: a.Balance})
			}
		}
		scheduled, err := books.Scheduled()
		if err != nil {
			return err
		}
		for _, t := range scheduled {
			v.Scheduled = append(v.Scheduled, ScheduledView{
				ID: t.ID, Date: t.Due, Target: t.Target, Amount: t.Amount, Memo: t.Memo, State: t.State, Chat: t.Chat, JobID: t.JobID,
			})
		}
		sent, err := books.Sent(day(b.deps.Now()))
		if err != nil {
			return err
		}
		v.Limits.LeftToday = max(limits.PerDay-sent, 0)
		if v.Payees, err = books.Payees(); err != nil {
			return err
		}
		for i, p := range v.Payees {
			v.Payees[i].Bank = houseName(p.Bank, lang)
		}
		list, err := books.Statement("", pageLines)
		v.Statement = lines(list)
		return err
	})
	return v, err
}

// Statement gives up to limit lines before the one with the id before ("" for the newest), newest first. Errors: storage
// errors.
func (b *Bank) Statement(ctx context.Context, before string, limit int) ([]Line, error) {
	if limit <= 0 || limit > mostLines {
		limit = pageLines
	}
	var list []Transfer
	err := b.deps.Store.LookAtBooks(ctx, func(books Reader) (err error) {
		list, err = books.Statement(before, limit)
		return err
	})
	return lines(list), err
}

func lines(list []Transfer) []Line {
	out := make([]Line, len(list))
	for i, t := range list {
		out[i] = Line{
			ID: t.ID, At: event.Stamp(t.Settled), Target: t.Target, Amount: t.Amount, Direction: DirectionOut, Memo: t.Memo,
			BalanceAfter: t.Balance, State: t.State, Code: string(t.Code), Reason: t.Reason, Date: t.Due, Chat: t.Chat, JobID: t.JobID,
		}
		if t.To == ownAccount {
			out[i].Direction = DirectionIn
		}
	}
	return out
}
