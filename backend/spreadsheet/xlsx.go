package spreadsheet

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"agentchat/backend/parcel"
)

const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	main      = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relations = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	relation  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	content   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// WriteXLSX writes tables as a workbook, a sheet each. Numbers are numbers and days are days; text is text, whatever it looks like, and there are no formulas and no links. The
// same tables give the same bytes. Errors: invalid_args when one is too large, the writer's.
func WriteXLSX(w io.Writer, tables []Table) error {
	b := book{formats: map[string]int{}, names: map[string]bool{}}
	parts := []parcel.Part{{}, {}, {}, {}, {}}
	var types, sheets, related strings.Builder
	for i, t := range tables {
		if err := t.fits(); err != nil {
			return err
		}
		name := fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)
		parts = append(parts, parcel.Part{Name: name, Data: b.sheet(t)})
		_, _ = fmt.Fprintf(&types, `<Override PartName="/%s" ContentType="%sworksheet+xml"/>`, name, content)
		_, _ = fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, parcel.Escape(b.name(t.Title, i)), i+1, i+1)
		_, _ = fmt.Fprintf(&related, `<Relationship Id="rId%d" Type="%sworksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relation, i+1)
	}
	_, _ = fmt.Fprintf(&related, `<Relationship Id="rId%d" Type="%sstyles" Target="styles.xml"/>`, len(tables)+1, relation)
	parts[0] = parcel.Part{Name: "[Content_Types].xml", Data: []byte(xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` +
		content + `sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="` + content + `styles+xml"/>` + types.String() + `</Types>`)}
	parts[1] = parcel.Part{Name: "_rels/.rels", Data: []byte(xmlHead + `<Relationships ` + relations + `><Relationship Id="rId1" Type="` + relation + `officeDocument" Target="xl/workbook.xml"/></Relationships>`)}
	parts[2] = parcel.Part{Name: "xl/workbook.xml", Data: []byte(xmlHead + `<workbook ` + main + ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets.String() + `</sheets></workbook>`)}
	parts[3] = parcel.Part{Name: "xl/_rels/workbook.xml.rels", Data: []byte(xmlHead + `<Relationships ` + relations + `>` + related.String() + `</Relationships>`)}
	parts[4] = parcel.Part{Name: "xl/styles.xml", Data: b.styles()}
	return parcel.Write(w, parts)
}

// book is a workbook that is being written.
type book struct {
	formats map[string]int // how numbers look, by the style that has it
	order   []string
	names   map[string]bool
}

// The first styles of a workbook.
const (
	styleHead = 1 + iota
	styleText
	styleFirst // of numbers
)

// style gives the style in which numbers look so.
func (b *book) style(format string) int {
	n, known := b.formats[format]
	if !known {
		n = styleFirst + len(b.order)
		b.formats[format] = n
		b.order = append(b.order, format)
	}
	return n
}

func (b *book) styles() []byte {
	var formats, styles strings.Builder
	for i, f := range b.order {
		_, _ = fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, 164+i, parcel.Escape(f))
		_, _ = fmt.Fprintf(&styles, `<xf numFmtId="%d" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`, 164+i)
	}
	if len(b.order) > 0 {
		all := formats.String()
		formats.Reset()
		_, _ = fmt.Fprintf(&formats, `<numFmts count="%d">%s</numFmts>`, len(b.order), all)
	}
	return []byte(xmlHead + `<styleSheet ` + main + `>` + formats.String() +
		`<fonts count="2"><font><sz val="11"/><name val="Malgun Gothic"/></font><font><b/><sz val="11"/><name val="Malgun Gothic"/></font></fonts>` +
		`<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFEBE6DB"/></patternFill></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		fmt.Sprintf(`<cellXfs count="%d">`, styleFirst+len(b.order)) +
		`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1" applyFont="1" applyFill="1"/>` +
		// Text that one edits stays text.
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>` +
		styles.String() + `</cellXfs></styleSheet>`)
}

// name gives a sheet a name that the format allows and no other has.
func (b *book) name(title string, i int) string {
	title = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`[]:*?/\'`, r) {
			return ' '
		}
		return r
	}, title)), " ")
	if title == "" {
		title = fmt.Sprintf("%d", i+1)
	}
	const most = 31
	name := short(title, most)
	for n := 2; b.names[strings.ToLower(name)]; n++ {
		tail := fmt.Sprintf(" (%d)", n)
		name = short(title, most-len(tail)) + tail
	}
	b.names[strings.ToLower(name)] = true
	return name
}

// short is a text of at most so many units, as the format counts.
func short(text string, most int) string {
	for len(utf16.Encode([]rune(text))) > most {
		letters := []rune(text)
		text = string(letters[:len(letters)-1])
	}
	return text
}

func (b *book) sheet(t Table) []byte {
	var out bytes.Buffer
	out.WriteString(xmlHead + `<worksheet ` + main + `><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	looks := make([]string, len(t.Columns))
	for c, column := range t.Columns {
		looks[c] = look(t, c)
		_, _ = fmt.Fprintf(&out, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, c+1, c+1, width(t, c, column))
	}
	out.WriteString(`</cols><sheetData>`)
	head := make([]string, len(t.Columns))
	for c, column := range t.Columns {
		head[c] = column.Name
	}
	row := func(n int, cells []string, put func(c int, at, text string)) {
		_, _ = fmt.Fprintf(&out, `<row r="%d">`, n)
		for c, text := range cells {
			if text != "" {
				put(c, fmt.Sprintf("%s%d", letters(c), n), text)
			}
		}
		out.WriteString("</row>")
	}
	say := func(at, text string, style int) {
		_, _ = fmt.Fprintf(&out, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, style, parcel.Escape(text))
	}
	row(1, head, func(_ int, at, text string) { say(at, text, styleHead) })
	for i, cells := range t.Rows {
		row(i+2, cells, func(c int, at, text string) {
			column := t.Columns[c]
			switch {
			case column.Kind == Number && plainNumber(text):
				if column.Unit == "%" {
					text = hundredth(text)
				}
				_, _ = fmt.Fprintf(&out, `<c r="%s" s="%d"><v>%s</v></c>`, at, b.style(looks[c]), text)
				return
			case column.Kind == Date:
				if serial, format, ok := days(text); ok {
					_, _ = fmt.Fprintf(&out, `<c r="%s" s="%d"><v>%s</v></c>`, at, b.style(format), serial)
					return
				}
			}
			say(at, text, styleText)
		})
	}
	out.WriteString(`</sheetData>`)
	if len(t.Rows) > 0 {
		_, _ = fmt.Fprintf(&out, `<autoFilter ref="A1:%s%d"/>`, letters(len(t.Columns)-1), len(t.Rows)+1)
	}
	out.WriteString(`</worksheet>`)
	return out.Bytes()
}

// letters names a column, counted from 0: A, B … Z, AA.
func letters(c int) (name string) {
	for c++; c > 0; c = (c - 1) / 26 {
		name = string(rune('A'+(c-1)%26)) + name
	}
	return name
}

// look is how the numbers of a column are written: with as many decimals as they have, in thousands, with their unit.
func look(t Table, c int) string {
	if t.Columns[c].Kind != Number {
		return ""
	}
	decimals := 0
	for _, r := range t.Rows {
		if _, after, has := strings.Cut(r[c], "."); has {
			decimals = max(decimals, len(after))
		}
	}
	format := "#,##0"
	if decimals > 0 {
		format += "." + strings.Repeat("0", min(decimals, exact))
	}
	unit := strings.NewReplacer(`"`, "", `\`, "").Replace(t.Columns[c].Unit)
	switch {
	case unit == "":
		return format
	case unit == "%":
		return format + "%"
	case strings.ContainsAny(unit, "₩$€£¥"):
		return `"` + unit + `"` + format
	}
	return format + `"` + unit + `"`
}

// hundredth moves the point of a decimal by two places.
func hundredth(text string) string {
	minus := strings.HasPrefix(text, "-")
	whole, part, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	for len(whole) < 3 {
		whole = "0" + whole
	}
	text = whole[:len(whole)-2] + "." + whole[len(whole)-2:] + part
	if minus {
		text = "-" + text
	}
	return text
}

// days is a moment as a spreadsheet counts it, and how it is written.
func days(text string) (serial, format string, ok bool) {
	at, layout, ok := moment(text)
	if !ok {
		return "", "", false
	}
	format = map[string]string{time.DateOnly: "yyyy-mm-dd", time.DateTime: "yyyy-mm-dd hh:mm:ss", "2006-01-02 15:04": "yyyy-mm-dd hh:mm", time.TimeOnly: "hh:mm:ss", "15:04": "hh:mm"}[layout]
	seconds := at.Hour()*3600 + at.Minute()*60 + at.Second()
	if at.Year() == 0 {
		return fmt.Sprintf("%.10f", float64(seconds)/86400), format, true
	}
	// The first program counted a 29th of February 1900 that never was; days before it are as that one has them.
	n := int(at.Truncate(24*time.Hour).Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24)
	if n < 61 {
		n--
	}
	if seconds == 0 {
		return fmt.Sprint(n), format, true
	}
	return fmt.Sprintf("%.10f", float64(n)+float64(seconds)/86400), format, true
}

// width is how wide a column is, in letters.
func width(t Table, c int, column Column) int {
	const least, most, looked = 8, 60, 500
	wide := func(text string) (n int) {
		for _, r := range text {
			n++
			if r >= 0x1100 {
				n++
			}
		}
		return n
	}
	n := wide(column.Name) + 2
	for _, r := range t.Rows[:min(len(t.Rows), looked)] {
		n = max(n, wide(r[c])+wide(column.Unit)+2)
	}
	return min(max(n, least), most)
}
