package tablequery

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/language/bilingual"
)

// groups works out a figure of every group.
func (a *answer) groups(ctx context.Context) error {
	columns, each := a.by, a.By
	if a.Do == Distinct {
		columns = append(slices.Clone(columns), a.column)
		each = append(slices.Clone(each), Group{Column: a.column.Name})
	}
	keys := make([]string, len(columns))
	for i, c := range columns {
		keys[i] = c.key(each[i].Each)
		unit := ""
		if c.Kind == Number {
			unit = c.Unit
		}
		a.r.Columns = append(a.r.Columns, ResultColumn{Name: each[i].of(c, a.lang), Kind: c.kindBy(each[i].Each), Unit: unit})
	}
	a.r.Columns = append(a.r.Columns, a.figureColumns()...)
	var list []group
	by := strings.Join(keys, ", ")
	err := a.query(ctx, fmt.Sprintf("SELECT %s, %s FROM t%s GROUP BY %s ORDER BY min(r) LIMIT %d", by, a.sums(), a.filter, by, MostGroups+1), func(rows *sql.Rows) error {
		g, err := a.scan(rows, len(keys))
		list = append(list, g)
		return err
	})
	if err != nil {
		return err
	}
	if len(list) > MostGroups {
		return unclear("‘%s’ 열에 서로 다른 값이 %d개보다 많아서 묶을 수 없어요", "the column “%s” has more than %d different values, too many to group by", columns[0].Name, MostGroups)
	}
	a.order(list, columns)
	most := min(len(list), MostRows)
	if a.Top > 0 {
		most = min(most, a.Top)
		a.r.More = min(len(list), a.Top) - most
	} else {
		a.r.More = len(list) - most
	}
	for _, g := range list[:most] {
		row := make([]Value, 0, len(a.r.Columns))
		for i, k := range g.keys {
			row = append(row, columns[i].called(k, each[i].Each, a.lang))
		}
		a.r.Rows = append(a.r.Rows, append(row, a.shown(g)...))
	}
	return nil
}

// key is the expression that groups by a column.
func (c *Column) key(each Each) string {
	switch c.Kind {
	case Number:
		return fmt.Sprintf("coalesce(c%[1]s, n%[1]s)", c.Letter)
	case Date:
		return fmt.Sprintf("coalesce(c%s, %s)", c.Letter, each.key("d"+c.Letter))
	case Text:
	}
	return "c" + c.Letter
}

// kindBy is what the keys of groups by a column are.
func (c *Column) kindBy(each Each) Kind {
	if each == Weekday || each == Quarter {
		return Text
	}
	return c.Kind
}

// called is what a group is called.
func (c *Column) called(key string, each Each, lang bilingual.Lang) string {
	if key == "" {
		return bilingual.Say(lang, "(빈 칸)", "(empty)")
	}
	if c.Kind == Number && !c.wide {
		if n, err := strconv.ParseInt(key, 10, 64); err == nil {
			return number{units: n, scale: c.scale}.String()
		}
	}
	return each.called(key, lang)
}

// order puts groups in the order that was asked for, or that people expect.
func (a *answer) order(list []group, columns []*Column) {
	byKey := a.sort != nil || a.Top == 0 && a.Order == "" && a.runs(list, columns)
	at := max(slices.Index(columns, a.sort), 0)
	down := a.Order == Descending || a.Order == "" && (!byKey || a.Top > 0)
	slices.SortStableFunc(list, func(x, y group) int {
		if byKey {
			for i := range columns {
				k := (at + i) % len(columns)
				if c := compareKeys(columns[k], x.keys[k], y.keys[k]); c != 0 {
					return turned(c, down)
				}
			}
			return 0
		}
		f, g := x.figures[0], y.figures[0]
		switch { // what has no figure comes last, whatever the order
		case f.none() || g.none():
			return cmp.Compare(truth(f.none()), truth(g.none()))
		case f.number == nil:
			return turned(cmp.Compare(f.date, g.date), down)
		}
		return turned(f.number.Cmp(g.number), down)
	})
}

func turned(c int, down bool) int {
	if down {
		return -c
	}
	return c
}

// runs tells groups that follow one another by themselves: days, numbers, and lists that count (1월, 2월).
func (a *answer) runs(list []group, columns []*Column) bool {
	if columns[0].Kind != Text {
		return true
	}
	for _, g := range list {
		if _, counts := leads(g.keys[0]); !counts && g.keys[0] != "" {
			return false
		}
	}
	return true
}

// compareKeys puts keys of a column in order; the empty one comes last.
func compareKeys(c *Column, x, y string) int {
	switch {
	case x == "" || y == "":
		return cmp.Compare(truth(x == ""), truth(y == ""))
	case c.Kind == Number:
		a, errA := strconv.ParseFloat(x, 64)
		b, errB := strconv.ParseFloat(y, 64)
		if errA == nil && errB == nil {
			return cmp.Compare(a, b)
		}
	case c.Kind == Text:
		a, okA := leads(x)
		b, okB := leads(y)
		if okA && okB && a != b {
			return cmp.Compare(a, b)
		}
	}
	return cmp.Compare(x, y)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// How many bars and points a picture has at most: more are not told apart.
const (
	mostBars   = 30
	mostPoints = 400
)

// chart is the picture that says an answer better than its words; nil: none does.
func (b *bound) chart(r Result) *Chart {
	if len(r.Rows) < 2 {
		return nil
	}
	switch {
	case b.Do == Rows: // the first ones by a figure, each with what it is called
		at := func(keep func(*Column) bool) int {
			return slices.IndexFunc(b.sheet.Columns, func(c Column) bool { return keep(&c) })
		}
		y := at(func(c *Column) bool { return b.sort != nil && c.index == b.sort.index && c.Kind == Number })
		x := at(func(c *Column) bool { return c.Kind == Text && c.stat.filled > 0 })
		if b.Top > 0 && y >= 0 && x >= 0 && len(r.Rows) <= mostBars {
			return &Chart{Kind: "bar", X: x, Y: y}
		}
	case len(b.by)+truth(b.Do == Distinct) != 1 || r.Columns[1].Kind != Number:
		return nil
	case len(b.by) == 1 && b.by[0].Kind == Date && b.By[0].Each != Weekday && len(r.Rows) > 2 && len(r.Rows) <= mostPoints && b.Top == 0 && b.Order == "":
		return &Chart{Kind: "line", X: 0, Y: 1, Also: further(r.Columns)}
	case len(r.Rows) <= mostBars:
		return &Chart{Kind: "bar", X: 0, Y: 1, Also: further(r.Columns)}
	}
	return nil
}

// further are the figures behind the first that can be drawn.
func further(columns []ResultColumn) (list []int) {
	for i, c := range columns {
		if i > 1 && c.Kind == Number {
			list = append(list, i)
		}
	}
	return list
}
