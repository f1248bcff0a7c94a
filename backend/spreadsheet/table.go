package spreadsheet

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// Kind says what a column holds.
type Kind string

// The kinds of columns.
const (
	Text   Kind = "text"
	Number Kind = "number" // plain decimals: -1234.5
	Date   Kind = "date"   // as ISO 8601 has them: 2026-01-31, 2026-01-31 09:30:00 or 09:30:00
)

// Column is a column of a table. Unit stands behind its numbers: 원, kg, %.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	Unit string `json:"unit,omitempty"`
}

// Table is a table that people can take away. A tool whose result is one keeps it in its data, in this form, as the whole or under "table". Every row has a cell
// for each column; one that is not of its column's kind is text.
type Table struct {
	Title   string     `json:"title,omitempty"`
	Columns []Column   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Of finds the table in what a tool gave; false when there is none.
func Of(data json.RawMessage) (t Table, ok bool) {
	var in struct {
		Table
		Inner *Table `json:"table"`
	}
	if json.Unmarshal(data, &in) != nil {
		return t, false
	}
	if t = in.Table; in.Inner != nil && len(in.Inner.Columns) > 0 {
		t = *in.Inner
	}
	for _, r := range t.Rows {
		if len(r) != len(t.Columns) {
			return Table{}, false
		}
	}
	return t, len(t.Columns) > 0
}

// Guess makes a table of cells that are text, as a reply shows them. A column all of whose cells are numbers, with one unit or none, or days
// is one of numbers or days; all others stay as they are, and so does what only looks like a number: 010, or a number that is too long to be kept.
func Guess(title string, head []string, rows [][]string) Table {
	t := Table{Title: title, Rows: make([][]string, len(rows))}
	for i, r := range rows {
		t.Rows[i] = make([]string, len(head))
		copy(t.Rows[i], r)
	}
	for c, name := range head {
		column := Column{Name: name, Kind: Text}
		values := make([]string, len(rows))
		numbers, days, some := true, true, false
		for i, r := range t.Rows {
			said := strings.TrimSpace(r[c])
			if said == "" {
				continue
			}
			value, unit, ok := figure(said)
			if numbers = numbers && ok && (!some || unit == column.Unit); numbers {
				column.Unit, values[i] = unit, value
			}
			_, _, ok = moment(said)
			days, some = days && ok, true
		}
		switch {
		case some && numbers:
			column.Kind = Number
			for i := range t.Rows {
				t.Rows[i][c] = values[i]
			}
		case some && days:
			column.Kind, column.Unit = Date, ""
			for i := range t.Rows {
				t.Rows[i][c] = strings.TrimSpace(t.Rows[i][c])
			}
		default:
			column.Unit = ""
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}

var (
	written = regexp.MustCompile(`^([-−+]?)([₩$€£¥]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s?([^\d\s.,:/-]{0,6})$`)
	decimal = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?$`)
)

// exact is how many digits of a number a spreadsheet keeps.
const exact = 15

// figure reads a number as people write it.
func figure(said string) (value, unit string, ok bool) {
	m := written.FindStringSubmatch(said)
	if m == nil || m[2] != "" && m[5] != "" {
		return "", "", false
	}
	value = strings.ReplaceAll(m[3], ",", "") + m[4]
	if m[1] == "-" || m[1] == "−" {
		value = "-" + value
	}
	return value, m[2] + m[5], plainNumber(value)
}

func plainNumber(value string) bool {
	digits := strings.TrimLeft(strings.ReplaceAll(strings.TrimPrefix(value, "-"), ".", ""), "0")
	return decimal.MatchString(value) && len(digits) <= exact
}

// moment reads a day, a moment or a time of day.
func moment(said string) (at time.Time, layout string, ok bool) {
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02 15:04", time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, said); err == nil && (at.Year() == 0 || at.Year() >= 1900) {
			return at, layout, true
		}
	}
	return at, "", false
}

// What a sheet can hold, in the programs that people have.
const (
	mostRows    = 1 << 20
	mostColumns = 1 << 14
	mostLetters = 32767
)

// fits says what of a table a sheet cannot hold.
func (t Table) fits() error {
	large := len(t.Rows) >= mostRows || len(t.Columns) > mostColumns
	for _, r := range t.Rows {
		for _, cell := range r {
			large = large || utf8.RuneCountInString(cell) > mostLetters
		}
	}
	if large {
		return apperr.New(apperr.InvalidArgs, "detail", bilingual.Text{KO: "엑셀 한 장에 담기에는 표가 너무 커요. CSV로 저장해 주세요", EN: "the table is too large for a sheet of a workbook; save it as CSV"})
	}
	return nil
}

// WriteCSV writes tables one below the other. The file begins with a mark by which Excel knows its letters. Numbers are numbers, and nothing else is run.
func WriteCSV(w io.Writer, tables []Table) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	for i, t := range tables {
		if i > 0 {
			_ = out.Write([]string{""}) // kept, and given by Error
		}
		line := make([]string, len(t.Columns))
		for c, column := range t.Columns {
			line[c] = cell(column.Name)
			if column.Kind == Number && column.Unit != "" {
				line[c] = cell(column.Name + " (" + column.Unit + ")")
			}
		}
		_ = out.Write(line)
		for _, r := range t.Rows {
			for c, text := range r {
				if line[c] = text; t.Columns[c].Kind != Number || !plainNumber(text) {
					line[c] = cell(text)
				}
			}
			_ = out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}
