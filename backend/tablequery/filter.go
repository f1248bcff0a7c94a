package tablequery

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library/extract"
)

// String writes a number as a plain decimal.
func (n number) String() string {
	if n.wide {
		return shortest(n.near)
	}
	digits, minus := strconv.FormatInt(n.units, 10), ""
	if n.units < 0 {
		minus, digits = "-", digits[1:]
	}
	if n.scale > 0 {
		if pad := n.scale + 1 - len(digits); pad > 0 {
			digits = strings.Repeat("0", pad) + digits
		}
		digits = digits[:len(digits)-n.scale] + "." + digits[len(digits)-n.scale:]
	}
	return minus + trimmed(digits)
}

// shortest writes a float without the noise of its last digits.
func shortest(f float64) string {
	if short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64); err == nil {
		f = short
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// clauses are a question's filters as SQLite reads them, with their values.
func (b *bound) clauses() (where string, args []any) {
	var all []string
	for i, f := range b.Where {
		c := b.where[i]
		text, values := f.clause(c)
		all, args = append(all, text), append(args, values...)
	}
	if len(all) > 0 {
		where = " WHERE " + strings.Join(all, " AND ")
	}
	return where, args
}

func (f Filter) clause(c *Column) (string, []any) {
	text := "c" + c.Letter
	something := text + " IS NOT NULL"
	if c.Kind != Text {
		something = fmt.Sprintf("(%s IS NOT NULL OR %s IS NOT NULL)", text, c.figure())
	}
	switch f.Is {
	case Empty:
		return "NOT " + "(" + something + ")", nil
	case Filled:
		return something, nil
	case Contains:
		whole := text
		if c.Kind != Text {
			whole = fmt.Sprintf("coalesce(%s, %s)", text, c.figure())
		}
		return fmt.Sprintf("instr(lower(%s), lower(?)) > 0", whole), []any{clean(f.Value)}
	case Equals:
		return f.equals(c)
	case Not:
		same, args := f.equals(c)
		return "coalesce(NOT (" + same + "), 1)", args
	case Above, AtLeast, Below, AtMost, Between:
	}
	if c.Kind == Date {
		return f.days("d" + c.Letter)
	}
	return f.numbers(c)
}

// equals compares a cell with a value: a number with a number, a day with a span of days, all else by its letters.
func (f Filter) equals(c *Column) (string, []any) {
	text := fmt.Sprintf("c%s = ? COLLATE NOCASE", c.Letter)
	args := []any{clean(f.Value)}
	if n, ok := numberIn(f.Value); ok && c.Kind == Number {
		return fmt.Sprintf("(%s OR n%s = ?)", text, c.Letter), append(args, c.units(n))
	}
	if from, to, ok := span(f.Value); ok && c.Kind == Date {
		return fmt.Sprintf("(%[1]s OR d%[2]s >= ? AND d%[2]s < ?)", text, c.Letter), append(args, from, to)
	}
	return text, args
}

func (f Filter) numbers(c *Column) (string, []any) {
	n, _ := numberIn(f.Value)
	field := "n" + c.Letter
	if f.Is == Between {
		to, _ := numberIn(f.To)
		if to.value() < n.value() {
			n, to = to, n
		}
		return fmt.Sprintf("%[1]s >= ? AND %[1]s <= ?", field), []any{c.units(n), c.units(to)}
	}
	return field + map[Is]string{Above: " > ?", AtLeast: " >= ?", Below: " < ?", AtMost: " <= ?"}[f.Is], []any{c.units(n)}
}

// units are a number as the column's field has it: exactly, or as near as a float is.
func (c *Column) units(n number) any {
	if u, ok := n.at(c.scale); ok && !c.wide {
		return u
	}
	return n.value() * math.Pow10(c.scale)
}

func (f Filter) days(field string) (string, []any) {
	from, to, _ := span(f.Value)
	switch f.Is {
	case Above:
		return field + " >= ?", []any{to}
	case AtLeast:
		return field + " >= ?", []any{from}
	case Below:
		return field + " < ?", []any{from}
	case AtMost:
		return field + " < ?", []any{to}
	case Between, Equals, Not, Contains, Empty, Filled:
	}
	first, last, _ := span(f.To)
	if first < from {
		from, last = first, to
	}
	return fmt.Sprintf("%[1]s >= ? AND %[1]s < ?", field), []any{from, last}
}

// mostLeft is how many cells are named that were left out.
const mostLeft = 5

// leftOut says what of the rows in question was not computed.
func (a *answer) leftOut(ctx context.Context) error {
	if n := len(a.sheet.totals); n > 0 {
		l := Left{Count: n, Why: bilingual.Text{KO: "다른 줄을 더한 합계 줄", EN: "rows that sum up others"}}
		for _, r := range a.sheet.totals[:min(n, mostLeft)] {
			l.Cells = append(l.Cells, bilingual.Say(a.lang, "%d행", "row %d", r))
		}
		a.r.Left = append(a.r.Left, l)
	}
	var told []*Column
	for _, f := range a.figures() {
		if c := f.Column; c != nil && c.Kind != Text && f.Do != Rows && f.Do != Count && f.Do != Distinct && !slices.Contains(told, c) {
			told = append(told, c)
			if err := a.leftOf(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftOf says which cells of a column were not computed.
func (a *answer) leftOf(ctx context.Context, c *Column) error {
	where := a.filter + " AND "
	if a.filter == "" {
		where = " WHERE "
	}
	why := bilingual.Text{KO: "숫자가 아닌 칸", EN: "cells that are no numbers"}
	if c.Kind == Date {
		why = bilingual.Text{KO: "날짜가 아닌 칸", EN: "cells that are no dates"}
	}
	l := Left{Column: c.Name, Why: why}
	err := a.query(ctx, fmt.Sprintf("SELECT count(*) FROM t%sc%s IS NOT NULL", where, c.Letter), func(rows *sql.Rows) error { return rows.Scan(&l.Count) })
	if err == nil && l.Count > 0 {
		err = a.query(ctx, fmt.Sprintf("SELECT r, c%[1]s FROM t%[2]sc%[1]s IS NOT NULL ORDER BY r LIMIT %[3]d", c.Letter, where, mostLeft), func(rows *sql.Rows) error {
			var r int64
			var text string
			err := rows.Scan(&r, &text)
			l.Cells = append(l.Cells, fmt.Sprintf("%s%d ‘%s’", c.Letter, r, brief.Fit(text, 20)))
			return err
		})
		a.r.Left = append(a.r.Left, l)
	}
	if err != nil {
		return err
	}
	blank := Left{Column: c.Name, Why: bilingual.Text{KO: "빈 칸", EN: "empty cells"}}
	err = a.query(ctx, fmt.Sprintf("SELECT count(*) FROM t%sc%s IS NULL AND %s IS NULL", where, c.Letter, c.figure()), func(rows *sql.Rows) error { return rows.Scan(&blank.Count) })
	if err == nil && blank.Count > 0 {
		a.r.Left = append(a.r.Left, blank)
	}
	return err
}

// Of names a figure of a column: 매출 합계, average of sales.
func (d Do) Of(c *Column, lang bilingual.Lang) string {
	name := doNames[d].In(lang)
	switch {
	case c == nil || d == Distinct:
		return name
	case lang == bilingual.EN:
		return doNames[d].EN + " of " + c.Name
	}
	return c.Name + " " + doNames[d].KO
}

var doNames = map[Do]bilingual.Text{
	Sum: {KO: "합계", EN: "Sum"}, Average: {KO: "평균", EN: "Average"}, Min: {KO: "최솟값", EN: "Lowest"}, Max: {KO: "최댓값", EN: "Highest"},
	Count: {KO: "개수", EN: "Count"}, Distinct: {KO: "개수", EN: "Count"}, Rows: {KO: "줄", EN: "Rows"}, Columns: {KO: "열", EN: "Columns"},
}

// Called is what a group is by, as people say it: 지점, 월, month.
func (g Group) Called(lang bilingual.Lang) string {
	if word := eachNames[g.Each].In(lang); word != "" {
		return word
	}
	return g.Column
}

// of names what groups are by: 날짜 (월).
func (g Group) of(c *Column, lang bilingual.Lang) string {
	if word := eachNames[g.Each].In(lang); word != "" && g.Each != Day {
		return c.Name + " (" + word + ")"
	}
	return c.Name
}

var eachNames = map[Each]bilingual.Text{
	Day: {KO: "날짜", EN: "day"}, Month: {KO: "월", EN: "month"}, Quarter: {KO: "분기", EN: "quarter"}, Year: {KO: "연도", EN: "year"}, Weekday: {KO: "요일", EN: "weekday"},
}

// File is a table that is a file, read by an extractor.
func File(e *extract.Extractor, path string) Source {
	return func(ctx context.Context, on func(extract.Row) error) error { return e.Rows(ctx, path, on) }
}
