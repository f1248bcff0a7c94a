package extract

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentchat/backend/library/structure"
)

// What a table may be. The widest spreadsheets end at column XFD.
const (
	maxColumns = 16384
	maxSheets  = 1000
	maxCells   = 50_000_000 // of a whole file, the empty ones between them counted
)

// CellKind says what a cell holds.
type CellKind int

// The kinds of cells.
const (
	CellText CellKind = iota
	CellNumber
	CellDate // Text is as ISO 8601 has it: 2026-03-02, 2026-03-02 09:30:00 or 09:30:00
	CellBool // Text is TRUE or FALSE
)

// Cell is one cell: what was typed, or what the program that wrote the file had worked out. A formula is never worked out here.
type Cell struct {
	Text string
	Kind CellKind
}

// Row is one row of a sheet. Sheet and Number count from 1; Number is the row's number in the sheet. Its cells are only there
// until the next one is read.
type Row struct {
	Sheet  int
	Name   string // of the sheet; "" where the file has but one and does not name it
	Number int
	Cells  []Cell
}

// Rows reads a table row by row, and holds no more of it than one row and what the format makes it. on ends the reading with an
// error of its own. Errors: document_refused with a reason, on's, and ctx's.
func (e *Extractor) Rows(ctx context.Context, path string, on func(Row) error) error {
	format, _, err := e.look(path)
	if err != nil {
		return err
	}
	timed, cancel := context.WithTimeout(ctx, e.limits.Time)
	defer cancel()
	var own error
	err = e.sheets(timed, path, format.Key, func(r Row) error {
		own = on(r)
		return own
	})
	if own != nil {
		return own
	}
	return e.reason(timed, path, format.Key, err)
}

func (e *Extractor) sheets(ctx context.Context, path, format string, on func(Row) error) error {
	cells := 0
	counted := func(r Row) error {
		if cells += len(r.Cells) + 1; cells > maxCells {
			return errText
		}
		return on(r)
	}
	switch format {
	case "xlsx":
		return e.rowsOfXLSX(ctx, path, counted)
	case "ods":
		return e.rowsOfODS(ctx, path, counted)
	case "csv", "tsv":
		return e.rowsOfCSV(ctx, path, format == "tsv", counted)
	}
	return refuse(path, nil, "표가 아니에요", "it is no table")
}

// readSheets reads a table as text, a page a sheet: every row is a line that names its columns, so that whoever finds it knows what
// its values are.
func (e *Extractor) readSheets(ctx context.Context, file, format string) (Text, error) {
	w := sheetWriter{most: e.limits.TextBytes, pages: e.limits.Pages}
	err := e.Rows(ctx, file, w.row)
	if err == nil {
		err = w.close()
	}
	if err != nil {
		return Text{}, err
	}
	t := Text{Pages: w.done, Marks: few(w.marks)}
	if part := sheetTitles[format]; part != "" {
		if z, err := e.unzip(file); err == nil {
			t.Title = z.title(ctx, part)
			_ = z.Close()
		}
	}
	return t, nil
}

// sheetTitles are the parts in which a table says what it calls itself.
var sheetTitles = map[string]string{"xlsx": "docProps/core.xml", "ods": "meta.xml"}

// How a sheet is read: its columns' names stand in one of the first rows, and rows are told together as long as they are short.
const (
	headRows   = 10
	blockRunes = 600
	mostMarks  = 400
)

// sheetWriter makes text of rows.
type sheetWriter struct {
	most, pages int
	done        []string
	marks       []structure.Mark

	sheet  int // that is written now; 0: none yet
	name   string
	first  []Row // the first rows, until it is known which of them names the columns
	headed bool
	heads  []string
	lines  int
	text   sink
	block  block
	total  int
}

// block are the rows that are told together.
type block struct {
	line, from, to int // line is where it begins on its page
	runes, columns int
}

func (w *sheetWriter) row(r Row) error {
	if r.Sheet != w.sheet {
		if err := w.close(); err != nil {
			return err
		}
		if len(w.done) >= w.pages {
			return errPages
		}
		*w = sheetWriter{most: w.most, pages: w.pages, done: w.done, marks: w.marks, total: w.total, sheet: r.Sheet, name: r.Name}
		w.text.most = w.most - w.total
		if r.Name != "" {
			if err := w.line(r.Name); err != nil {
				return err
			}
		}
	}
	if blank(r.Cells) {
		return nil
	}
	if w.headed {
		return w.write(r)
	}
	r.Cells = append([]Cell(nil), r.Cells...)
	if w.first = append(w.first, r); len(w.first) == headRows {
		return w.begin()
	}
	return nil
}

// begin finds the row that names the columns among the first ones, and writes these.
func (w *sheetWriter) begin() error {
	w.headed = true
	at := headOf(w.first)
	for i, r := range w.first {
		if i == at {
			for _, c := range r.Cells {
				w.heads = append(w.heads, oneLine(c.Text))
			}
		}
		if err := w.write(r); err != nil {
			return err
		}
	}
	w.first = nil
	return nil
}

// headOf finds the row that names the columns: the first of those that are text throughout, name nothing twice and are as wide as
// any of the first rows. -1 where there is none.
func headOf(rows []Row) int {
	widest := 0
	for _, r := range rows {
		widest = max(widest, filled(r.Cells))
	}
	for i, r := range rows[:max(len(rows)-1, 0)] {
		if filled(r.Cells) < 2 || filled(r.Cells) < widest {
			continue
		}
		seen, plain := map[string]bool{}, true
		for _, c := range r.Cells {
			text := strings.TrimSpace(c.Text)
			if text == "" {
				continue
			}
			plain = plain && c.Kind == CellText && !seen[text] && !numeric(text)
			seen[text] = true
		}
		if plain {
			return i
		}
	}
	return -1
}

// numeric tells whether a text is a number as people write it: 1,234, -5.0, 12%.
func numeric(text string) bool {
	text = strings.TrimRight(strings.ReplaceAll(text, ",", ""), "%원")
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

func filled(cells []Cell) (n int) {
	for _, c := range cells {
		if strings.TrimSpace(c.Text) != "" {
			n++
		}
	}
	return n
}

func blank(cells []Cell) bool { return filled(cells) == 0 }

// write writes a row: its number, and its values with the names of their columns.
func (w *sheetWriter) write(r Row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "[%d]", r.Number)
	named := w.heads != nil
	mark := byte(' ')
	for i, c := range r.Cells {
		text := oneLine(c.Text)
		if text == "" {
			continue
		}
		b.WriteByte(mark)
		if mark == '|' {
			b.WriteByte(' ')
		}
		if named && i < len(w.heads) && w.heads[i] != "" && w.heads[i] != text {
			b.WriteString(w.heads[i] + ": ")
		}
		b.WriteString(text)
		b.WriteByte(' ')
		mark = '|'
	}
	line := strings.TrimRight(b.String(), " ")
	runes := utf8.RuneCountInString(line)
	if w.block.from != 0 && w.block.runes+runes > blockRunes {
		w.mark()
	}
	if w.block.from == 0 {
		w.block = block{line: w.lines, from: r.Number}
	}
	w.block.to = r.Number
	w.block.runes += runes
	w.block.columns = max(w.block.columns, len(r.Cells))
	return w.line(line)
}

func (w *sheetWriter) line(text string) error {
	w.lines++
	if w.text.add(text+"\n") != nil {
		return errText
	}
	return nil
}

// mark names the rows that were told together as a spreadsheet does: 매출!A2:D15.
func (w *sheetWriter) mark() {
	if w.block.from == 0 {
		return
	}
	title := fmt.Sprintf("A%d:%s%d", w.block.from, column(w.block.columns), w.block.to)
	if w.name != "" {
		title = w.name + "!" + title
	}
	w.marks = append(w.marks, structure.Mark{Page: len(w.done), Line: w.block.line, Title: title})
	w.block = block{}
}

// close ends the sheet at hand.
func (w *sheetWriter) close() error {
	if w.sheet == 0 {
		return nil
	}
	if err := w.begin(); err != nil {
		return err
	}
	w.mark()
	w.done = append(w.done, w.text.String())
	w.total += w.text.Len()
	w.sheet = 0
	return nil
}

// few joins the marks of a very long table, so that its list of contents stays one.
func few(marks []structure.Mark) []structure.Mark {
	together := (len(marks) + mostMarks - 1) / mostMarks
	if together < 2 {
		return marks
	}
	var out []structure.Mark
	run := 0
	for _, m := range marks {
		last := len(out) - 1
		if run++; last < 0 || out[last].Page != m.Page || run == together {
			out, run = append(out, m), 0
			continue
		}
		_, end, _ := strings.Cut(m.Title[strings.LastIndex(m.Title, "!")+1:], ":")
		out[last].Title = out[last].Title[:strings.LastIndex(out[last].Title, ":")+1] + end
	}
	return out
}

// column names a column as spreadsheets do: 1 is A, 28 is AB.
func column(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// columnOf reads the column of a cell's name: AB12 is 28; 0 for what is none.
func columnOf(ref string) int {
	n := 0
	for i := range len(ref) {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		if n = n*26 + int(c-'A') + 1; n > maxColumns {
			return 0
		}
	}
	return n
}

// oneLine is a text without breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
