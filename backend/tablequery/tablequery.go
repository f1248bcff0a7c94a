// Package tablequery answers questions about one table by computing. A question is a closed form (Query) whose columns must be those
// that the table has; SQLite computes it over a file that is made for it and gone afterwards. The form may be read out of a person's
// words (Read), with the table's columns and values at hand. Numbers are exact decimals, dates are dates, and what is neither where
// one is wanted is left out and said.
package tablequery

import (
	"context"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// Source gives the rows of a table from the first to the last, every time it is called the same. on ends the reading with an error of
// its own; its row is only there until the next.
type Source func(ctx context.Context, on func(extract.Row) error) error

// Bounds of what is answered.
const (
	MostRows   = 500    // that an answer lists
	MostAlso   = 5      // figures that an answer has besides its first
	MostGroups = 50_000 // that a table is divided into
	UsedShown  = 20     // rows that are shown of those an answer rests on
	mostValues = 2_000  // different values of a column that are remembered
	longValue  = 60     // characters of one that is
)

// Kind says what a column holds.
type Kind string

// The kinds of columns: what most of their cells are.
const (
	Text   Kind = "text"
	Number Kind = "number"
	Date   Kind = "date"
)

// Do is what is computed.
type Do string

// What can be computed. Columns only says what the table is.
const (
	Sum      Do = "sum"
	Average  Do = "average"
	Min      Do = "min"
	Max      Do = "max"
	Count    Do = "count"
	Distinct Do = "distinct"
	Rows     Do = "rows"
	Columns  Do = "columns"
)

// Each is how days are taken together.
type Each string

// The spans that days are taken together by; "" is the value itself.
const (
	Day     Each = "day"
	Month   Each = "month"
	Quarter Each = "quarter"
	Year    Each = "year"
	Weekday Each = "weekday"
)

// Is compares a cell with a value.
type Is string

// The comparisons. Empty and Filled need no value, Between needs two.
const (
	Equals   Is = "is"
	Not      Is = "is_not"
	Contains Is = "contains"
	Above    Is = "above"
	AtLeast  Is = "at_least"
	Below    Is = "below"
	AtMost   Is = "at_most"
	Between  Is = "between"
	Empty    Is = "empty"
	Filled   Is = "filled"
)

// Group is a column by whose values rows are taken together.
type Group struct {
	Column string `json:"column"`
	Each   Each   `json:"each,omitempty"`
}

// Filter is what a row must be to count.
type Filter struct {
	Column string `json:"column"`
	Is     Is     `json:"is"`
	Value  string `json:"value,omitempty"`
	To     string `json:"to,omitempty"` // of Between
}

// The orders of an answer; "" is what people expect: groups by their figure, largest first, days as they follow.
const (
	Ascending  = "asc"
	Descending = "desc"
)

// Measure is a figure: what is computed, and of which column.
type Measure struct {
	Do     Do     `json:"do"`
	Column string `json:"column,omitempty"`
}

// Query is the closed form of a question. A column is named by its name or its letter.
type Query struct {
	Sheet  string    `json:"sheet,omitempty"`
	Do     Do        `json:"do,omitempty"`
	Column string    `json:"column,omitempty"` // that is computed
	Also   []Measure `json:"also,omitempty"`   // is computed besides, of the same rows and groups
	By     []Group   `json:"by,omitempty"`
	Where  []Filter  `json:"where,omitempty"`
	Sort   string    `json:"sort,omitempty"` // a column; "": the figure
	Order  string    `json:"order,omitempty"`
	Top    int       `json:"top,omitempty"` // of rows or groups; 0: all
}

// Column is a column of a table.
type Column struct {
	Name   string `json:"name"`
	Letter string `json:"letter"`
	Kind   Kind   `json:"kind"`
	Unit   string `json:"unit,omitempty"` // that its numbers are written with: 원, %

	index  int
	stat   stat
	scale  int  // decimals that its numbers have
	wide   bool // they have more digits than are computed exactly
	values map[string]int
}

// Sheet is what is known of a sheet once it was looked through.
type Sheet struct {
	Name    string   `json:"name,omitempty"`
	Rows    int      `json:"rows"` // that hold something, the head not counted
	Columns []Column `json:"columns"`

	number      int
	head        int // the row that names the columns; 0: none
	first, last int // rows
	totals      []int
}

// Value is one cell of an answer: a number as a plain decimal, a date as ISO 8601 has it, or text.
type Value = string

// ResultColumn is a column of an answer.
type ResultColumn struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	Unit string `json:"unit,omitempty"`
	// About says that a figure in it is rounded, or has more digits than are computed exactly.
	About bool `json:"about,omitempty"`
}

// UsedRow is a row that an answer rests on: its number in the sheet, and its cells.
type UsedRow struct {
	Number int     `json:"number"`
	Cells  []Value `json:"cells"`
}

// Used are the rows that an answer rests on.
type Used struct {
	Count   int            `json:"count"`
	Range   string         `json:"range,omitempty"` // from the first to the last: 매출!A2:D15
	Columns []ResultColumn `json:"columns"`
	Rows    []UsedRow      `json:"rows"` // the first of them
}

// Left is what an answer leaves out, and why.
type Left struct {
	Column string         `json:"column,omitempty"`
	Count  int            `json:"count"`
	Cells  []string       `json:"cells,omitempty"` // the first of them, with what they hold: C7 ‘미정’
	Why    bilingual.Text `json:"why"`
}

// Chart is how an answer is drawn: a bar or a line of the figures of column Y over the values of column X, and one more for each column of
// Also: what they count may be far apart, so they share no scale.
type Chart struct {
	Kind string `json:"kind" ts_type:"'bar' | 'line'"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Also []int  `json:"also,omitempty"`
}

// Result is an answer.
type Result struct {
	Table   string         `json:"table"`
	Sheet   string         `json:"sheet,omitempty"`
	Query   Query          `json:"query"` // as it was understood, with the names of the table's own columns
	Columns []ResultColumn `json:"columns"`
	Rows    [][]Value      `json:"rows"`
	More    int            `json:"more,omitempty"`  // rows that are not listed
	About   bool           `json:"about,omitempty"` // a figure is rounded, or has more digits than are computed exactly
	Used    Used           `json:"used"`
	Left    []Left         `json:"left,omitempty"`
	Chart   *Chart         `json:"chart,omitempty"`
}
