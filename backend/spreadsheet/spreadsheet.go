// Package spreadsheet writes tables that a spreadsheet program opens, and takes care that such a program runs nothing of what they say.
package spreadsheet

import (
	"encoding/csv"
	"io"
	"strings"
)

// Writer writes a table as CSV, a row after the other.
type Writer struct{ csv *csv.Writer }

// New begins a table with the names of its columns. A writer below that fails says so when the table is closed.
func New(w io.Writer, columns ...string) *Writer {
	t := &Writer{csv.NewWriter(w)}
	_ = t.csv.Write(columns) // kept by the csv.Writer, and given by Close
	return t
}

// Row writes a row, cell by cell.
func (t *Writer) Row(cells ...string) error {
	safe := make([]string, len(cells))
	for i, c := range cells {
		safe[i] = cell(c)
	}
	return t.csv.Write(safe)
}

// Close ends the table, not the writer below.
func (t *Writer) Close() error {
	t.csv.Flush()
	return t.csv.Error()
}

// cell keeps a spreadsheet from taking a text for a formula.
func cell(text string) string {
	// Some programs look past spaces, and read full-width signs as well.
	lead := []rune(strings.TrimLeft(text, " \u00a0\u3000\ufeff"))
	if len(lead) > 0 && strings.ContainsRune("=+-@\t\r\n|%＝＋－＠", lead[0]) {
		return "'" + text
	}
	return text
}
