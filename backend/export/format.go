package export

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/spreadsheet"
)

// Format is a kind of file that a document can be.
type Format struct {
	Key  string         // as people name it, and how its files end
	Name bilingual.Text // what people read
	// Write writes a document. It gives what the writer below says, and reads nothing but the document.
	Write func(w io.Writer, d *Document) error
	// TablesOnly says that nothing but the document's tables is in such a file.
	TablesOnly bool
}

// Formats are the kinds of files, the likeliest first.
var Formats = []Format{
	{"pdf", bilingual.Of("PDF", "PDF"), writePDF, false},
	{"docx", bilingual.Of("워드 문서", "Word document"), writeDOCX, false},
	{"html", bilingual.Of("웹 페이지", "Web page"), writeHTML, false},
	{"md", bilingual.Of("마크다운", "Markdown"), writeMarkdown, false},
	{"xlsx", bilingual.Of("엑셀 표", "Excel workbook"), onlyTables(spreadsheet.WriteXLSX), true},
	{"csv", bilingual.Of("CSV 표", "CSV table"), onlyTables(spreadsheet.WriteCSV), true},
}

// FormatOf gives a kind of file. Errors: invalid_args.
func FormatOf(key string) (Format, error) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Key == key })
	if i < 0 {
		return Format{}, apperr.New(apperr.InvalidArgs, "detail", "format: pdf | docx | html | md | xlsx | csv")
	}
	return Formats[i], nil
}

// Bytes is a document as a file of a kind. Errors: nothing_to_export when it has no table and the kind is one of tables, invalid_args when one is
// too large.
func (f Format) Bytes(d *Document) ([]byte, error) {
	var b bytes.Buffer
	err := f.Write(&b, d)
	var known *apperr.Error
	if err != nil && !errors.As(err, &known) {
		err = apperr.Wrap(err, apperr.Internal)
	}
	return b.Bytes(), err
}

// onlyTables is a kind of file that has nothing but a document's tables.
func onlyTables(write func(io.Writer, []spreadsheet.Table) error) func(io.Writer, *Document) error {
	return func(w io.Writer, d *Document) error {
		tables := d.Tables()
		if len(tables) == 0 {
			return apperr.New(apperr.NothingToExport, "what", bilingual.Text{KO: "표", EN: "table"})
		}
		return write(w, tables)
	}
}

// Tables are the tables of a document: those that a tool gave as such, or else those that its text shows, each called what the heading above it says.
func (d *Document) Tables() []spreadsheet.Table {
	if len(d.Values) > 0 {
		return d.Values
	}
	var tables []spreadsheet.Table
	title := d.Title
	var look func([]Block)
	look = func(blocks []Block) {
		for _, b := range blocks {
			switch b := b.(type) {
			case Heading:
				title = oneLine(visible(textOf(b.Runs)))
			case Table:
				if !b.Form {
					tables = append(tables, valuesOf(title, b))
				}
			case Turn:
				look(b.Blocks)
			case Quote:
				look(b.Blocks)
			case List:
				for _, item := range b.Items {
					look(item)
				}
			}
		}
	}
	look(d.Blocks)
	return tables
}

func valuesOf(title string, t Table) spreadsheet.Table {
	texts := func(cells [][]Run) []string {
		out := make([]string, len(cells))
		for i, c := range cells {
			out[i] = visible(textOf(c))
		}
		return out
	}
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = texts(r)
	}
	return spreadsheet.Guess(title, texts(t.Head), rows)
}

// TableOf shows a table as a block. Numbers stand at the right.
func TableOf(t spreadsheet.Table) Table {
	cells := func(texts []string, unit bool) [][]Run {
		out := make([][]Run, len(texts))
		for i, text := range texts {
			if c := t.Columns[i]; unit && text != "" && c.Kind == spreadsheet.Number {
				text += c.Unit
			}
			out[i] = []Run{{Text: text}}
		}
		return out
	}
	block := Table{}
	head := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = c.Name
		align := Left
		if c.Kind == spreadsheet.Number {
			align = Right
		}
		block.Aligns = append(block.Aligns, align)
	}
	block.Head = cells(head, false)
	for _, r := range t.Rows {
		block.Rows = append(block.Rows, cells(r, true))
	}
	return block
}
