package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// workbook is what of an Excel file (ECMA-376, SpreadsheetML) its cells refer to.
type workbook struct {
	*archive
	names, parts []string // of the sheets, in order
	shared       []string
	dates        []bool // by cell format: its numbers are days
	from1904     bool
}

// rowsOfXLSX reads the sheets of an Excel file. Formulas are not worked out: a cell says what it said when the file was saved.
// Nothing it links to is opened.
func (e *Extractor) rowsOfXLSX(ctx context.Context, file string, on func(Row) error) error {
	z, err := e.unzip(file)
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	w := workbook{archive: z}
	if err := w.read(ctx, e.limits.TextBytes); err != nil {
		return err
	}
	for i, name := range w.parts {
		part := z.part(name)
		if part == nil {
			continue // a sheet that is a chart alone
		}
		if err := w.rows(ctx, part, Row{Sheet: i + 1, Name: w.names[i]}, on); err != nil {
			return err
		}
	}
	return nil
}

// part finds a part by its name.
func (a *archive) part(name string) *zip.File {
	for _, f := range a.File {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// related reads which parts the ids in a part of an office file mean; those outside the file are left out.
func (a *archive) related(ctx context.Context, of string) (map[string]string, error) {
	found := map[string]string{}
	f := a.part(path.Join(path.Dir(of), "_rels", path.Base(of)+".rels"))
	if f == nil {
		return found, nil
	}
	err := a.walk(ctx, f, func(token xml.Token) error {
		if t, starts := token.(xml.StartElement); starts && t.Name.Local == "Relationship" && attr(t, "TargetMode") != "External" {
			target := attr(t, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", path.Dir(of), target)
			}
			found[attr(t, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
		}
		return nil
	})
	return found, err
}

func (w *workbook) read(ctx context.Context, most int) error {
	const main = "xl/workbook.xml"
	book := w.part(main)
	if book == nil {
		return errors.New("there is no xl/workbook.xml")
	}
	parts, err := w.related(ctx, main)
	if err != nil {
		return err
	}
	err = w.walk(ctx, book, func(token xml.Token) error {
		t, starts := token.(xml.StartElement)
		switch {
		case starts && t.Name.Local == "sheet":
			if w.names = append(w.names, oneLine(attr(t, "name"))); len(w.names) > maxSheets {
				return errPages
			}
			id := ""
			for _, a := range t.Attr {
				if a.Name.Local == "id" && a.Name.Space != "" {
					id = a.Value
				}
			}
			w.parts = append(w.parts, parts[id])
		case starts && t.Name.Local == "workbookPr":
			w.from1904 = attr(t, "date1904") == "1" || attr(t, "date1904") == "true"
		}
		return nil
	})
	if err == nil {
		err = w.strings(ctx, most)
	}
	if err == nil {
		err = w.styles(ctx)
	}
	return err
}

// strings reads the texts that cells share, without the readings (rPh) that stand beside them.
func (w *workbook) strings(ctx context.Context, most int) error {
	f := w.part("xl/sharedStrings.xml")
	if f == nil {
		return nil
	}
	b := sink{most: 2 * most}
	total, inText, aside := 0, false, 0
	return w.walk(ctx, f, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "rPh":
				aside++
			case "t":
				inText = aside == 0
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "rPh":
				aside--
			case "t":
				inText = false
			case "si":
				if total += b.Len() + 16; total > 2*most {
					return errText
				}
				w.shared = append(w.shared, b.String())
				b.Reset()
			}
		case xml.CharData:
			if inText {
				return b.add(string(t))
			}
		}
		return nil
	})
}

// styles reads which cell formats show days and times.
func (w *workbook) styles(ctx context.Context) error {
	f := w.part("xl/styles.xml")
	if f == nil {
		return nil
	}
	own, inCells := map[string]bool{}, false
	return w.walk(ctx, f, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "numFmt":
				if len(own) < maxColumns {
					own[attr(t, "numFmtId")] = showsTime(attr(t, "formatCode"))
				}
			case "cellXfs":
				inCells = true
			case "xf":
				if inCells && len(w.dates) < 1<<16 {
					id := attr(t, "numFmtId")
					n, _ := strconv.Atoi(id)
					w.dates = append(w.dates, own[id] || n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58)
				}
			}
		case xml.EndElement:
			if t.Name.Local == "cellXfs" {
				inCells = false
			}
		}
		return nil
	})
}

var quotedFormat = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[(?:\$[^\]]*|Red|Blue|Green|Black|White|Cyan|Magenta|Yellow|Color ?\d+)\]|General`)

// showsTime tells whether a number format is one of days or times.
func showsTime(code string) bool {
	return strings.ContainsAny(strings.ToLower(quotedFormat.ReplaceAllString(code, "")), "ymdhs")
}

// rows reads a sheet. Cells that are not there are empty ones; rows that are not there are left out.
func (w *workbook) rows(ctx context.Context, part *zip.File, r Row, on func(Row) error) error {
	var cell struct {
		kind, style string
		column      int
		value       strings.Builder
		in          bool
	}
	return w.walk(ctx, part, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "row":
				r.Number, r.Cells = following(attr(t, "r"), r.Number), r.Cells[:0]
			case "c":
				if cell.column = columnOf(attr(t, "r")); cell.column == 0 {
					cell.column = len(r.Cells) + 1
				}
				cell.kind, cell.style = attr(t, "t"), attr(t, "s")
				cell.value.Reset()
			case "v", "t":
				cell.in = true
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "v", "t":
				cell.in = false
			case "c":
				if cell.column > maxColumns {
					return errText
				}
				if cell.value.Len() == 0 || cell.column == 0 {
					return nil
				}
				for len(r.Cells) < cell.column {
					r.Cells = append(r.Cells, Cell{})
				}
				r.Cells[cell.column-1] = w.cell(cell.kind, cell.style, cell.value.String())
			case "row":
				return on(r)
			}
		case xml.CharData:
			if cell.in {
				cell.value.Write(t)
			}
		}
		return nil
	})
}

// following is the number of a row: what it says of itself, or else the one after the last.
func following(says string, last int) int {
	if n, err := strconv.Atoi(says); err == nil && n > last && n <= 1<<20 {
		return n
	}
	return last + 1
}

func (w *workbook) cell(kind, style, value string) Cell {
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(w.shared) {
			return Cell{}
		}
		return Cell{Text: w.shared[n]}
	case "inlineStr", "str", "e":
		return Cell{Text: value}
	case "b":
		if strings.TrimSpace(value) == "1" {
			return Cell{"TRUE", CellBool}
		}
		return Cell{"FALSE", CellBool}
	case "d":
		return Cell{value, CellDate}
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return Cell{Text: value}
	}
	if s, err := strconv.Atoi(style); err == nil && s >= 0 && s < len(w.dates) && w.dates[s] {
		if day, fits := dayOf(number, w.from1904); fits {
			return Cell{day, CellDate}
		}
	}
	return Cell{decimal(number), CellNumber}
}

// decimal writes a number as people would: without the noise of its last binary digits.
func decimal(n float64) string {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64); err == nil {
		n = short
	}
	if a := math.Abs(n); a != 0 && (a < 1e-9 || a >= 1e21) {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// dayOf reads Excel's count of days. Of 1900 it believes that it had a 29th of February.
func dayOf(n float64, from1904 bool) (string, bool) {
	if n < 0 || n >= 2958466 {
		return "", false
	}
	seconds := math.Round(n * 86400)
	day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		day = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < 60:
		day = day.AddDate(0, 0, 1)
	}
	days := int(seconds) / 86400
	at := day.AddDate(0, 0, days).Add(time.Duration(int(seconds)%86400) * time.Second)
	switch {
	case n < 1 && !from1904:
		return at.Format(time.TimeOnly), true
	case int(seconds)%86400 == 0:
		return at.Format(time.DateOnly), true
	}
	return at.Format(time.DateTime), true
}
