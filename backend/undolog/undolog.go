// Package undolog keeps what is done to rows of the ledger so that it can be taken back: each row as it was and as it became (the before and
// after images of a database's undo log), in the very transaction that changes it. Whether something has changed since is seen by
// comparing, and never guessed; what takes a use back is itself a use.
package undolog

import (
	"context"
	"encoding/json"
)

// Use is what rows are changed for: a step of a ticket, a turn, or a deed of a person's hand.
type Use struct {
	ID   string
	Chat string // where it was asked for; "": nowhere
}

// Step is the use that a step of a ticket is.
func Step(job, todo, chat string) Use { return Use{ID: job + "/" + todo, Chat: chat} }

// Turn is the use that a turn is.
func Turn(id, chat string) Use { return Use{ID: "turn:" + id, Chat: chat} }

type key struct{}

// Under has what is changed under a context kept for a use. Without one nothing is kept.
func Under(ctx context.Context, u Use) context.Context { return context.WithValue(ctx, key{}, u) }

// Of gives the use that a context is under.
func Of(ctx context.Context) (u Use, ok bool) {
	u, ok = ctx.Value(key{}).(Use)
	return u, ok && u.ID != ""
}

// Table is a table of the ledger whose rows are kept.
type Table string

// The tables. Those that only go along with another are no change that people are told of.
const (
	Notes     Table = "notes"
	Records   Table = "service_records"
	Dues      Table = "dues"
	Facts     Table = "facts"
	Orders    Table = "standing_orders"
	Runs      Table = "standing_runs"
	RunJobs   Table = "standing_jobs"
	Files     Table = "standing_files"
	Documents Table = "documents"
)

// Told tells whether people are told of a change of the table.
func (t Table) Told() bool {
	switch t {
	case Notes, Records, Facts, Orders, Documents:
		return true
	case Dues, Runs, RunJobs, Files:
	}
	return false
}

// Row is a row by the names of its columns; nil: there is none.
type Row map[string]json.RawMessage

// Text is a column's text; "" when it has none.
func (r Row) Text(column string) (s string) {
	_ = json.Unmarshal(r[column], &s) // a column of another type has no text
	return s
}

// Number is a column's number; 0 when it has none.
func (r Row) Number(column string) (n int64) {
	_ = json.Unmarshal(r[column], &n)
	return n
}

// Why says why a change cannot be taken back.
type Why string

// The reasons.
const (
	Can     Why = ""
	Changed Why = "changed" // it is not what the use made of it
	Taken   Why = "taken"   // something else stands in its place
)

// Change is what a use did to one row in all: Was before it, Is after it.
type Change struct {
	Table Table
	Key   string // the values of its key, as a JSON list
	Was   Row
	Is    Row
	Now   Row // as it stands in the ledger
	Why   Why
}

// Log takes uses back. Safe for concurrent use; errors are *apperr.Error.
type Log interface {
	// Changed gives what a use changed, the last row first; none when it changed nothing, or that is not kept any more.
	Changed(ctx context.Context, use string) ([]Change, error)
	// TakeBack makes the rows what they were before a use, and keeps that for the use that ctx is under, all in one transaction. It gives
	// what it looked at, row by row: those with a Why stay as they are. A use that has taken something back already does nothing again.
	TakeBack(ctx context.Context, use string) ([]Change, error)
}
