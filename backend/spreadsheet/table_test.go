package spreadsheet_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/library/extract"
	"agentchat/backend/spreadsheet"
)

// sales is a table with every kind of column.
var sales = spreadsheet.Table{
	Title: "지점별 매출: 1/2월",
	Columns: []spreadsheet.Column{
		{Name: "지점", Kind: spreadsheet.Text}, {Name: "합계", Kind: spreadsheet.Number, Unit: "원"}, {Name: "비율", Kind: spreadsheet.Number, Unit: "%"}, {Name: "날", Kind: spreadsheet.Date}, {Name: "계좌", Kind: spreadsheet.Text},
	},
	Rows: [][]string{
		{"서울", "1234567", "12.5", "2026-01-31", "0101234"}, {"부산 & <대구>", "-1200.25", "5", "2026-02-01 09:30:00", `=HYPERLINK("http://evil.example")`}, {"+제주", "미정", "", "1900-01-01", "@x"},
	},
}

func TestWhatToolsGive(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{"columns":[{"name":"a","kind":"number"}],"rows":[["1"]]}`:         true,
		`{"table":{"columns":[{"name":"a","kind":"text"}],"rows":[["1"]]}}`: true,
		`{"columns":[{"name":"a"}],"rows":[["1","2"]]}`:                     false,
		`{"columns":["a"],"rows":[]}`:                                       false,
		`{"path":"x"}`:                                                      false,
		`nonsense`:                                                          false,
	} {
		if _, ok := spreadsheet.Of(json.RawMessage(raw)); ok != want {
			t.Errorf("%s: %v", raw, ok)
		}
	}
}

func TestWhatColumnsHoldIsSeen(t *testing.T) {
	t.Parallel()
	got := spreadsheet.Guess("t", []string{"won", "share", "day", "phone", "mixed", "code", "long", "price"}, [][]string{
		{"1,200원", "12.5%", "2026-01-31", "010", "3", "A-1", "1234567890123456", "₩1,000"},
		{" 900원 ", "7%", "2026-02-01", "02", "3kg", "B", "1", "₩20.5"},
		{"", "", "", "", "", "", "", ""},
	})
	want := []spreadsheet.Column{{"won", "number", "원"}, {"share", "number", "%"}, {"day", "date", ""}, {"phone", "text", ""}, {"mixed", "text", ""}, {"code", "text", ""}, {"long", "text", ""}, {"price", "number", "₩"}}
	for i, c := range got.Columns {
		if c != want[i] {
			t.Errorf("column %+v, wanted %+v", c, want[i])
		}
	}
	if row := strings.Join(got.Rows[0], "|"); row != "1200|12.5|2026-01-31|010|3|A-1|1234567890123456|1000" {
		t.Errorf("the first row is %s", row)
	}
	if got.Rows[1][0] != "900" || got.Rows[1][4] != "3kg" {
		t.Errorf("the second row is %v", got.Rows[1])
	}
}

// A workbook is read again with its numbers as numbers and its days as days.
func TestAWorkbookIsReadAgain(t *testing.T) {
	t.Parallel()
	var b, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&b, &again} {
		if err := spreadsheet.WriteXLSX(w, []spreadsheet.Table{sales, sales}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the second file differs")
	}
	path := filepath.Join(t.TempDir(), "t.xlsx")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var rows [][]extract.Cell
	var names []string
	if err := extract.New(extract.Limits{}, "").Rows(t.Context(), path, func(r extract.Row) error {
		if r.Number == 1 {
			names = append(names, r.Name)
		}
		if r.Sheet == 1 {
			rows = append(rows, append([]extract.Cell{}, r.Cells...))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 || strings.Join(names, "|") != "지점별 매출 1 2월|지점별 매출 1 2월 (2)" {
		t.Fatalf("%d rows in sheets %q", len(rows), names)
	}
	for at, want := range map[[2]int]extract.Cell{
		{1, 1}: {Text: "1234567", Kind: extract.CellNumber}, {1, 2}: {Text: "0.125", Kind: extract.CellNumber}, {1, 3}: {Text: "2026-01-31", Kind: extract.CellDate}, {1, 4}: {Text: "0101234"},
		{2, 0}: {Text: "부산 & <대구>"}, {2, 1}: {Text: "-1200.25", Kind: extract.CellNumber}, {2, 3}: {Text: "2026-02-01 09:30:00", Kind: extract.CellDate}, {2, 4}: {Text: `=HYPERLINK("http://evil.example")`},
		{3, 1}: {Text: "미정"},
	} {
		if got := rows[at[0]][at[1]]; got != want {
			t.Errorf("the cell at %v is %+v, wanted %+v", at, got, want)
		}
	}
	if bytes.Contains(b.Bytes(), []byte("<f>")) {
		t.Error("there is a formula")
	}
}

func TestALargeTableIsRefusedWhole(t *testing.T) {
	t.Parallel()
	big := spreadsheet.Table{Columns: []spreadsheet.Column{{Name: "a"}}, Rows: [][]string{{strings.Repeat("x", 40000)}}}
	if err := spreadsheet.WriteXLSX(&bytes.Buffer{}, []spreadsheet.Table{big}); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a cell that no sheet holds: %v", err)
	}
	if err := spreadsheet.WriteCSV(&bytes.Buffer{}, []spreadsheet.Table{big}); err != nil {
		t.Error(err)
	}
}

// A table as CSV runs nothing, and its numbers stay numbers.
func TestTablesAsCSV(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := spreadsheet.WriteCSV(&b, []spreadsheet.Table{sales}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"지점", "합계 (원)", "비율 (%)", "날", "계좌"}, {"서울", "1234567", "12.5", "2026-01-31", "0101234"}, {"부산 & <대구>", "-1200.25", "5", "2026-02-01 09:30:00", `'=HYPERLINK("http://evil.example")`}, {"'+제주", "미정", "", "1900-01-01", "'@x"}}
	for i := range want {
		if strings.Join(rows[i], "|") != strings.Join(want[i], "|") {
			t.Errorf("row %d is %q, wanted %q", i, rows[i], want[i])
		}
	}
}

// LibreOffice opens the workbook, and finds numbers and days in it and no formula.
func TestLibreOfficeReadsTheWorkbook(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip("LibreOffice is not installed: scripts/setup.sh test installs it")
	}
	dir := t.TempDir()
	var b bytes.Buffer
	if err := spreadsheet.WriteXLSX(&b, []spreadsheet.Table{sales}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t.xlsx"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	// The table as LibreOffice keeps it says of every cell what it is.
	out, err := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless", "--convert-to", "fods", "--outdir", dir, filepath.Join(dir, "t.xlsx")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	flat, err := os.ReadFile(filepath.Join(dir, "t.fods"))
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		`office:value-type="float" office:value="1234567"`, `office:value-type="percentage" office:value="0.125"`, `office:value-type="date" office:date-value="2026-01-31"`, `office:date-value="2026-02-01T09:30:00"`, ">0101234<", "1,234,567.00원", "12.5%",
	} {
		if !bytes.Contains(flat, []byte(want)) {
			t.Errorf("LibreOffice does not find %s", want)
		}
	}
	if bytes.Contains(flat, []byte("table:formula")) {
		t.Error("LibreOffice finds a formula")
	}
}

func FuzzAnyTable(f *testing.F) {
	f.Add("a", "1,000원", "2026-01-31", "=1+1")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		table := spreadsheet.Guess(a, []string{a, b}, [][]string{{c, d}, {b}})
		var x, y bytes.Buffer
		if err := spreadsheet.WriteXLSX(&x, []spreadsheet.Table{table}); err != nil && apperr.CodeOf(err) != apperr.InvalidArgs {
			t.Fatal(err)
		}
		if err := spreadsheet.WriteCSV(&y, []spreadsheet.Table{table}); err != nil {
			t.Fatal(err)
		}
	})
}
