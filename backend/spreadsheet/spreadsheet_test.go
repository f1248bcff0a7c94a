package spreadsheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"testing"

	"agentchat/backend/spreadsheet"
)

// A table is read again as it was written, except that no cell begins like a formula.
func TestNoCellIsAFormula(t *testing.T) {
	plain := []string{"plain, \"quoted\"\nand long", "", "서울 = 맑음", "1", " a"}
	formulas := []string{"=1", "+1", "-1", "@SUM(A1)", "\t=1", " \u3000=1", "＝1", "|calc", "%1", "\ufeff-1"}
	var out bytes.Buffer
	w := spreadsheet.New(&out, "a", "b")
	for _, cell := range slices.Concat(plain, formulas) {
		if err := w.Row(cell, "x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(plain)+len(formulas) || !slices.Equal(rows[0], []string{"a", "b"}) {
		t.Fatalf("%q, %v", rows, err)
	}
	for i, cell := range slices.Concat(plain, formulas) {
		if i >= len(plain) {
			cell = "'" + cell
		}
		if !slices.Equal(rows[i+1], []string{cell, "x"}) {
			t.Errorf("%q, want %q", rows[i+1], cell)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestATableThatCannotBeWrittenSaysSo(t *testing.T) {
	if err := spreadsheet.New(broken{}, "a").Close(); err == nil {
		t.Error("nothing was written, and nobody says so")
	}
}
