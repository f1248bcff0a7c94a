package tablequery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// Table is a table that is asked: what it is called, where its rows come from, and what was found in it.
type Table struct {
	Name   string
	From   Source
	Sheets []Sheet
	Dir    string // in which the file of a question may lie
}

// Open looks through a table. Errors: the source's, table_unclear when it holds nothing.
func Open(ctx context.Context, name string, from Source, dir string) (*Table, error) {
	sheets, err := Survey(ctx, from)
	if err == nil && len(sheets) == 0 {
		err = unclear("표에 아무것도 없어요", "the table holds nothing")
	}
	return &Table{name, from, sheets, dir}, err
}

// Ask answers a question. Errors: table_unclear when the form asks for what the table does not have, the source's, storage errors.
func (t *Table) Ask(ctx context.Context, q Query, lang bilingual.Lang) (r Result, err error) {
	b, err := bind(q, t.Sheets)
	if err != nil {
		return r, err
	}
	r = Result{Table: t.Name, Sheet: b.sheet.Name, Query: b.Query, Rows: [][]Value{}, Used: Used{Rows: []UsedRow{}}}
	if b.Do == Columns {
		return t.columns(ctx, &b, r, lang)
	}
	db, err := load(ctx, t.From, &b, t.Dir)
	if err != nil {
		return r, err
	}
	defer db.close()
	a := answer{base: db, bound: &b, r: &r, lang: lang}
	a.filter, a.args = b.clauses()
	if err := a.used(ctx); err != nil {
		return r, err
	}
	var listed []int64
	switch {
	case b.Do == Rows:
		if listed, err = a.list(ctx); err != nil {
			return r, err
		}
	case b.Do == Distinct || len(b.by) > 0:
		err = a.groups(ctx)
	default:
		err = a.single(ctx)
	}
	if err == nil {
		err = a.leftOut(ctx)
	}
	if err != nil {
		return r, err
	}
	if err := a.collect(ctx, t.From, listed); err != nil {
		return r, err
	}
	r.Chart = b.chart(r)
	return r, nil
}

// columns says what a sheet is.
func (t *Table) columns(ctx context.Context, b *bound, r Result, lang bilingual.Lang) (Result, error) {
	r.Columns = []ResultColumn{{Name: bilingual.Say(lang, "열", "Column"), Kind: Text}, {Name: bilingual.Say(lang, "이름", "Name"), Kind: Text}, {Name: bilingual.Say(lang, "종류", "Kind"), Kind: Text}}
	for _, c := range b.sheet.Columns {
		r.Rows = append(r.Rows, []Value{c.Letter, c.Name, c.Kind.In(lang)})
	}
	a := answer{bound: b, r: &r, lang: lang}
	r.Used.Count = b.sheet.Rows
	a.span(int64(b.sheet.first), int64(b.sheet.last))
	return r, a.collect(ctx, t.From, nil)
}

// In says what a column of a kind holds.
func (k Kind) In(lang bilingual.Lang) string {
	switch k {
	case Number:
		return bilingual.Say(lang, "숫자", "numbers")
	case Date:
		return bilingual.Say(lang, "날짜", "dates")
	case Text:
	}
	return bilingual.Say(lang, "글", "text")
}

// answer is one that is being worked out.
type answer struct {
	*base
	*bound
	r      *Result
	lang   bilingual.Lang
	filter string
	args   []any
	first  []int64 // rows that are shown of those used
}

func (a *answer) query(ctx context.Context, text string, on func(*sql.Rows) error) error {
	rows, err := a.db.QueryContext(ctx, text, a.args...)
	if err != nil {
		return failed(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := on(rows); err != nil {
			return failed(ctx, err)
		}
	}
	return failed(ctx, rows.Err())
}

// used says which rows an answer rests on.
func (a *answer) used(ctx context.Context) error {
	var from, to sql.NullInt64
	err := a.query(ctx, "SELECT count(*), min(r), max(r) FROM t"+a.filter, func(rows *sql.Rows) error {
		return rows.Scan(&a.r.Used.Count, &from, &to)
	})
	if err != nil || a.r.Used.Count == 0 {
		return err
	}
	a.span(from.Int64, to.Int64)
	return a.query(ctx, fmt.Sprintf("SELECT r FROM t%s ORDER BY r LIMIT %d", a.filter, UsedShown), func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		a.first = append(a.first, n)
		return err
	})
}

func (a *answer) span(from, to int64) {
	cols := a.sheet.Columns
	a.r.Used.Range = fmt.Sprintf("%s%d:%s%d", cols[0].Letter, from, cols[len(cols)-1].Letter, to)
	if a.sheet.Name != "" {
		a.r.Used.Range = a.sheet.Name + "!" + a.r.Used.Range
	}
}

// list finds the rows that are listed, in their order.
func (a *answer) list(ctx context.Context) (listed []int64, err error) {
	for _, c := range a.sheet.Columns {
		a.r.Columns = append(a.r.Columns, ResultColumn{Name: c.Name, Kind: c.Kind, Unit: c.Unit})
	}
	order := " ORDER BY "
	if a.sort != nil {
		way := map[string]string{Ascending: "", Descending: " DESC"}[a.Order]
		order += a.sort.figure() + " IS NULL, " + a.sort.figure() + way + ", "
	} else if a.Order == Descending {
		order += "r DESC, "
	}
	most := MostRows
	if a.Top > 0 {
		most = min(a.Top, MostRows)
	}
	err = a.query(ctx, fmt.Sprintf("SELECT r FROM t%s%sr LIMIT %d", a.filter, order, most), func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		listed = append(listed, n)
		return err
	})
	wanted := a.r.Used.Count
	if a.Top > 0 {
		wanted = min(wanted, a.Top)
	}
	a.r.More = wanted - len(listed)
	return listed, err
}

// figure is the field by which a column is put in order.
func (c *Column) figure() string {
	switch c.Kind {
	case Number:
		return "n" + c.Letter
	case Date:
		return "d" + c.Letter
	case Text:
	}
	return "c" + c.Letter + " COLLATE NOCASE"
}

// group is one of an answer: its keys, and its figures.
type group struct {
	keys    []string
	figures []computed
}

// computed is a figure as it came out. There is none where nothing could be.
type computed struct {
	number *big.Rat
	date   string // where it is a day
}

func (f computed) none() bool { return f.number == nil && f.date == "" }

// sums are the three fields of SQLite's that a figure is made of: a sum comes in two halves that cannot overflow, with how many there were.
func (f figureOf) sums() string {
	c := f.Column
	switch {
	case f.Do == Count && c == nil, f.Do == Distinct:
		return "count(*), 0, 0"
	case f.Do == Count && c.Kind == Text:
		return fmt.Sprintf("count(c%s), 0, 0", c.Letter)
	case f.Do == Count:
		return fmt.Sprintf("count(coalesce(c%s, %s)), 0, 0", c.Letter, c.figure())
	case f.Do == Min, f.Do == Max:
		return fmt.Sprintf("%s(%s), 0, 0", f.Do, c.figure())
	case c.wide:
		return fmt.Sprintf("sum(n%[1]s), 0, count(n%[1]s)", c.Letter)
	}
	return fmt.Sprintf("sum(n%[1]s / 1000000000), sum(n%[1]s %% 1000000000), count(n%[1]s)", c.Letter)
}

// sums are those of all figures.
func (a *answer) sums() string {
	var all []string
	for _, f := range a.figures() {
		all = append(all, f.sums())
	}
	return strings.Join(all, ", ")
}

// scan reads a row of keys and sums.
func (a *answer) scan(rows *sql.Rows, keys int) (g group, err error) {
	held := make([]sql.NullString, keys)
	figures := a.figures()
	parts := make([][3]any, len(figures))
	into := make([]any, 0, keys+3*len(figures))
	for i := range held {
		into = append(into, &held[i])
	}
	for i := range parts {
		into = append(into, &parts[i][0], &parts[i][1], &parts[i][2])
	}
	if err := rows.Scan(into...); err != nil {
		return g, err
	}
	for _, k := range held {
		g.keys = append(g.keys, k.String)
	}
	for i, f := range figures {
		g.figures = append(g.figures, f.of(parts[i]))
	}
	return g, nil
}

// of makes a figure of SQLite's fields.
func (f figureOf) of(parts [3]any) (out computed) {
	high := parts[0]
	switch {
	case high == nil:
		return out
	case f.Do == Count || f.Do == Distinct:
		out.number = rat(high)
	case f.Kind == Date:
		out.date = fmt.Sprint(high)
	case (f.Do == Sum || f.Do == Average) && !f.wide:
		out.number = new(big.Rat).SetInt(new(big.Int).Add(new(big.Int).Mul(big.NewInt(high.(int64)), big.NewInt(1e9)), big.NewInt(parts[1].(int64))))
		f.scaled(out.number)
	default:
		if out.number = rat(high); !f.wide {
			f.scaled(out.number)
		}
	}
	if count, _ := parts[2].(int64); f.Do == Average && out.number != nil && count > 0 {
		out.number.Quo(out.number, new(big.Rat).SetInt64(count))
	}
	return out
}

// rat is a number of SQLite's; nil for one that is none.
func rat(v any) *big.Rat {
	switch n := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(n)
	case float64:
		return new(big.Rat).SetFloat64(n)
	}
	return nil
}

// scaled makes units of a column what they count.
func (c *Column) scaled(n *big.Rat) {
	n.Quo(n, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.scale)), nil)))
}

// single works out the figures of all rows.
func (a *answer) single(ctx context.Context) error {
	a.r.Columns = a.figureColumns()
	return a.query(ctx, "SELECT "+a.sums()+" FROM t"+a.filter, func(rows *sql.Rows) error {
		g, err := a.scan(rows, 0)
		if err == nil {
			a.r.Rows = append(a.r.Rows, a.shown(g))
		}
		return err
	})
}

// figureColumns are the columns of an answer that hold its figures.
func (a *answer) figureColumns() (list []ResultColumn) {
	for _, f := range a.figures() {
		c := ResultColumn{Name: f.Do.Of(f.Column, a.lang), Kind: Number}
		if f.Column != nil && f.Do != Count && f.Do != Distinct {
			c.Kind, c.Unit = f.Kind, f.Unit
		}
		list = append(list, c)
	}
	return list
}

// shown writes the figures of a group, and says at their columns which are rounded.
func (a *answer) shown(g group) (row []Value) {
	figures := a.figures()
	from := len(a.r.Columns) - len(figures)
	for i, f := range figures {
		v, about := f.written(g.figures[i])
		if row = append(row, v); about {
			a.r.About, a.r.Columns[from+i].About = true, true
		}
	}
	return row
}

// written writes a figure: an average with two decimals more than its column has. about: it is rounded.
func (f figureOf) written(v computed) (text Value, about bool) {
	counts := f.Column == nil || f.Do == Count || f.Do == Distinct
	switch {
	case v.number == nil:
		return v.date, false
	case counts:
		return trimmed(v.number.FloatString(0)), false
	case f.wide:
		n, _ := v.number.Float64()
		return shortest(n), true
	}
	places := f.scale
	if f.Do == Average {
		places = max(places+2, 2)
		exact := new(big.Rat).Mul(v.number, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
		about = !exact.IsInt()
	}
	return f.Column.written(v.number.FloatString(places)), about
}

// trimmed is a decimal without zeros at its end.
func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

var errEnough = errors.New("all rows were found")

// collect reads the cells of the rows that are listed and of those that are shown of the ones used.
func (a *answer) collect(ctx context.Context, from Source, listed []int64) error {
	for i := range a.sheet.Columns {
		c := &a.sheet.Columns[i]
		a.r.Used.Columns = append(a.r.Used.Columns, ResultColumn{Name: c.Name, Kind: c.Kind, Unit: c.Unit})
	}
	found := map[int64][]Value{}
	for _, n := range slices.Concat(listed, a.first) {
		found[n] = nil
	}
	left := len(found)
	if left == 0 {
		return nil
	}
	err := from(ctx, func(r extract.Row) error {
		cells, wanted := found[int64(r.Number)]
		if !wanted || cells != nil || r.Sheet != a.sheet.number {
			return nil
		}
		found[int64(r.Number)] = a.sheet.cells(r)
		if left--; left == 0 {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	for _, n := range listed {
		a.r.Rows = append(a.r.Rows, found[n])
	}
	for _, n := range a.first {
		a.r.Used.Rows = append(a.r.Used.Rows, UsedRow{Number: int(n), Cells: found[n]})
	}
	return nil
}

// cells are the values of a row, by the sheet's columns.
func (s *Sheet) cells(r extract.Row) []Value {
	out := make([]Value, len(s.Columns))
	for i, c := range s.Columns {
		if c.index >= len(r.Cells) {
			continue
		}
		v := read(r.Cells[c.index])
		n, isNumber := c.number(v)
		switch {
		case c.Kind == Number && isNumber && n.wide:
			out[i] = shortest(n.near)
		case c.Kind == Number && isNumber:
			out[i] = c.written(n.String())
		case c.Kind == Date && v.kind == Date:
			out[i] = v.date
		default:
			out[i] = strings.Clone(v.text)
		}
	}
	return out
}
