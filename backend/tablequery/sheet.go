package tablequery

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/backend/language/wordlist"
	"agentchat/backend/library/extract"
)

// stat counts what a column's cells are.
type stat struct {
	filled, numbers, dates int
	units                  map[string]int
	scale, digits          int // the most that its numbers have
	wide                   bool
	newest                 string // date
}

// totalWords begin a row that sums up others: counted, everything would count twice.
var totalWords = wordlist.Of(`합계 총계 소계 총합 총합계 누계 계 total totals subtotal subtotals grandtotal sum sums`)

// Survey looks through a whole table and says what its sheets are. Errors: the source's.
func Survey(ctx context.Context, from Source) ([]Sheet, error) {
	var s survey
	err := from(ctx, func(r extract.Row) error {
		if s.sheet == nil || r.Sheet != s.sheet.number {
			s.close()
			s.sheet = &Sheet{Name: clean(r.Name), number: r.Sheet}
		}
		s.row(r)
		return nil
	})
	s.close()
	return s.sheets, err
}

type survey struct {
	sheets []Sheet
	sheet  *Sheet
	first  []extract.Row // until it is known which of them names the columns; nil afterwards
	headed bool
}

func (s *survey) row(r extract.Row) {
	if empty(r.Cells) {
		return
	}
	if s.headed {
		s.count(r)
		return
	}
	kept := make([]extract.Cell, len(r.Cells))
	for i, c := range r.Cells {
		kept[i] = extract.Cell{Text: strings.Clone(c.Text), Kind: c.Kind}
	}
	r.Cells = kept
	if s.first = append(s.first, r); len(s.first) == extract.HeadRows {
		s.begin()
	}
}

// begin finds the head among the first rows, and counts those below it.
func (s *survey) begin() {
	s.headed = true
	at := extract.Heading(s.first)
	if at >= 0 {
		s.sheet.head = s.first[at].Number
		for i, c := range s.first[at].Cells {
			s.column(i).Name = clean(strings.Join(strings.Fields(c.Text), " "))
		}
	}
	for _, r := range s.first[at+1:] {
		s.count(r)
	}
	s.first = nil
}

// column is the column at a place, made when it is first met.
func (s *survey) column(i int) *Column {
	for len(s.sheet.Columns) <= i {
		n := len(s.sheet.Columns)
		s.sheet.Columns = append(s.sheet.Columns, Column{Letter: extract.ColumnName(n + 1), index: n, values: map[string]int{}})
	}
	return &s.sheet.Columns[i]
}

func (s *survey) count(r extract.Row) {
	if total(r.Cells) {
		s.sheet.totals = append(s.sheet.totals, r.Number)
		return
	}
	if s.sheet.Rows++; s.sheet.first == 0 {
		s.sheet.first = r.Number
	}
	s.sheet.last = r.Number
	for i, raw := range r.Cells {
		c := read(raw)
		if c.text == "" {
			continue
		}
		s.column(i).count(c)
	}
}

func (c *Column) count(v cell) {
	c.stat.filled++
	switch v.kind {
	case Number:
		c.stat.numbers++
		if v.unit != "" {
			if c.stat.units == nil {
				c.stat.units = map[string]int{}
			}
			c.stat.units[v.unit]++
		}
		c.stat.wide = c.stat.wide || v.num.wide
		if !v.num.wide {
			c.stat.scale, c.stat.digits = max(c.stat.scale, v.num.scale), max(c.stat.digits, v.num.digits())
		}
		return
	case Date:
		c.stat.dates++
		c.stat.newest = max(c.stat.newest, v.date)
		return
	case Text:
	}
	if c.values == nil || utf8.RuneCountInString(v.text) > longValue {
		return
	}
	if _, known := c.values[v.text]; !known {
		if len(c.values) == mostValues {
			c.values = nil // too many to be told apart in a question
			return
		}
		v.text = strings.Clone(v.text)
	}
	c.values[v.text]++
}

// close ends the sheet at hand.
func (s *survey) close() {
	if s.sheet == nil {
		return
	}
	if !s.headed {
		s.begin()
	}
	s.headed = false
	kept := s.sheet.Columns[:0]
	for _, c := range s.sheet.Columns {
		if c.settle(); c.stat.filled > 0 || c.Name != c.Letter {
			kept = append(kept, c)
		}
	}
	if s.sheet.Columns = slices.Clip(kept); s.sheet.Rows > 0 {
		s.sheets = append(s.sheets, *s.sheet)
	}
	s.sheet = nil
}

// settle decides what a column is by what most of its cells are.
func (c *Column) settle() {
	if c.Name == "" {
		c.Name = c.Letter
	}
	c.Kind = Text
	switch {
	case c.stat.numbers*2 > c.stat.filled:
		c.Kind = Number
	case c.stat.dates*2 > c.stat.filled:
		c.Kind = Date
	}
	if c.Kind != Number {
		return
	}
	most := 0
	for unit, n := range c.stat.units {
		if n > most || n == most && unit < c.Unit {
			c.Unit, most = unit, n
		}
	}
	if c.scale = c.stat.scale; c.stat.wide || c.stat.digits+c.scale > mostDigits {
		c.wide, c.scale = true, 0
	}
}

// money tells a column of amounts of a currency that has cents, and uses them.
func (c *Column) money() bool {
	return c.scale > 0 && slices.Contains([]string{"$", "€", "£", "달러", "유로"}, c.Unit)
}

// written writes a figure of the column: money with its cents, all else without zeros at its end.
func (c *Column) written(decimal string) string {
	decimal = trimmed(decimal)
	if whole, part, _ := strings.Cut(decimal, "."); c.money() && len(part) < 2 {
		return whole + "." + (part + "00")[:2]
	}
	return decimal
}

// number gives what a cell of the column counts as; ok is false for one that is no number, or of another unit.
func (c *Column) number(v cell) (number, bool) {
	return v.num, v.kind == Number && (v.unit == "" || v.unit == c.Unit)
}

// total tells a row that sums up others: its first cell says so.
func total(cells []extract.Cell) bool {
	for _, c := range cells {
		text := clean(c.Text)
		if text == "" {
			continue
		}
		if c.Kind != extract.CellText || len(text) > 20 {
			return false
		}
		return totalWords[strings.ToLower(strings.ReplaceAll(strings.TrimRight(text, ":： "), " ", ""))]
	}
	return false
}

func empty(cells []extract.Cell) bool {
	for _, c := range cells {
		if strings.TrimSpace(c.Text) != "" {
			return false
		}
	}
	return true
}

// ofNumber tells a column of figures that name rows rather than count something: a number, a code, a year.
func (c *Column) ofNumber() bool {
	return namesRows[strings.ToLower(strings.NewReplacer(" ", "", ".", "", "#", "").Replace(c.Name))]
}

var namesRows = wordlist.Of(`번호 순번 no num number id 코드 code 연도 년도 year 연번 우편번호 zip 전화 전화번호 phone 월 month 일련번호 index 순위 rank`)
