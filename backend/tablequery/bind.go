package tablequery

import (
	"fmt"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

// bound is a question whose columns are those of a sheet.
type bound struct {
	Query
	sheet  *Sheet
	column *Column // nil: none
	also   []figureOf
	by     []*Column
	where  []*Column
	sort   *Column // nil: the figure
}

// figureOf is a figure whose column is the sheet's.
type figureOf struct {
	Do
	*Column // nil: none
}

// figures are all that is computed, the first first.
func (b *bound) figures() []figureOf {
	return append([]figureOf{{b.Do, b.column}}, b.also...)
}

// unclear says what in a question a table cannot answer.
func unclear(ko, en string, args ...any) error {
	return apperr.New(apperr.TableUnclear, "detail", bilingual.Text{KO: fmt.Sprintf(ko, args...), EN: fmt.Sprintf(en, args...)})
}

// mostNamed is how many columns a refusal names.
const mostNamed = 20

// named lists columns as people read them.
func named(list []*Column) string {
	var names []string
	for _, c := range list[:min(len(list), mostNamed)] {
		names = append(names, c.Name)
	}
	if len(list) > mostNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// all are the columns of a sheet of some kinds; none: of any.
func (s *Sheet) all(kinds ...Kind) (list []*Column) {
	for i := range s.Columns {
		if c := &s.Columns[i]; len(kinds) == 0 || slices.Contains(kinds, c.Kind) {
			list = append(list, c)
		}
	}
	return list
}

// find gives the column that somebody names: by its name, however it is spaced and spelt, or by its letter.
func (s *Sheet) find(name string) (*Column, bool) {
	want := plainName(name)
	for i := range s.Columns {
		if c := &s.Columns[i]; clean(name) == c.Name {
			return c, true
		}
	}
	for i := range s.Columns {
		if c := &s.Columns[i]; want != "" && (want == plainName(c.Name) || want == plainName(withoutUnit(c.Name))) {
			return c, true
		}
	}
	letter := strings.ToUpper(strings.TrimSpace(name))
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Letter == letter {
			return c, true
		}
	}
	return nil, false
}

func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(clean(name)))
}

// withoutUnit is the name of a column without what stands in brackets behind it: 금액(원) is 금액.
func withoutUnit(name string) string {
	if at := strings.IndexAny(name, "(（[<"); at > 0 {
		return strings.TrimSpace(name[:at])
	}
	return name
}

// bind checks a form against what the table really has. Errors: table_unclear, with what there is.
func bind(q Query, sheets []Sheet) (b bound, err error) {
	if b.sheet, err = sheetOf(q.Sheet, sheets); err != nil {
		return b, err
	}
	column := func(name string) (*Column, error) {
		c, ok := b.sheet.find(name)
		if !ok {
			return nil, unclear("‘%s’ 열이 없어요. 있는 열: %s", "there is no column “%s”; there are: %s", name, named(b.sheet.all()))
		}
		return c, nil
	}
	b.Query = q
	b.Sheet = b.sheet.Name
	if b.Do == "" {
		b.Do = Rows
	}
	if q.Column != "" {
		if b.column, err = column(q.Column); err != nil {
			return b, err
		}
		b.Column = b.column.Name
	}
	b.Also = slices.Clone(q.Also)
	for i, m := range q.Also {
		f := figureOf{Do: m.Do}
		if m.Column != "" {
			if f.Column, err = column(m.Column); err != nil {
				return b, err
			}
			b.Also[i].Column = f.Column.Name
		}
		b.also = append(b.also, f)
	}
	b.By, b.Where = slices.Clone(q.By), slices.Clone(q.Where)
	for i, g := range q.By {
		c, err := column(g.Column)
		if err != nil {
			return b, err
		}
		if b.by, b.By[i].Column = append(b.by, c), c.Name; g.Each != "" && c.Kind != Date {
			return b, unclear("‘%s’ 열은 날짜가 아니라서 달이나 해로 묶을 수 없어요", "the column “%s” holds no dates, so it cannot be grouped by month or year", c.Name)
		}
		if c.Kind == Date && g.Each == "" {
			b.By[i].Each = Day
		}
	}
	for i, f := range q.Where {
		c, err := column(f.Column)
		if err != nil {
			return b, err
		}
		if b.where, b.Where[i].Column = append(b.where, c), c.Name; f.check(c) != nil {
			return b, f.check(c)
		}
	}
	if q.Sort != "" {
		if b.sort, err = column(q.Sort); err != nil {
			return b, err
		}
		b.Sort = b.sort.Name
	}
	return b, b.settle()
}

// settle checks that the parts of a form go together, and says what was left to be understood.
func (b *bound) settle() error {
	if len(b.By) > 0 && (b.Do == Rows || b.Do == Columns) {
		if b.Do = Count; b.column != nil && b.column.Kind == Number {
			b.Do = Sum
		}
	}
	if len(b.also) > 0 && !b.Do.measures() || len(b.also) > MostAlso || slices.ContainsFunc(b.also, func(f figureOf) bool { return !f.measures() }) {
		return unclear("합계, 평균, 최댓값, 최솟값, 개수만 함께 셈할 수 있고, 한 번에 %d가지까지예요", "only sums, averages, highest and lowest values and counts can be computed together, at most %d at once", MostAlso+1)
	}
	for _, f := range b.figures() {
		if err := f.check(b.sheet); err != nil {
			return err
		}
	}
	switch b.Do {
	case Sum, Average, Min, Max:
	case Distinct:
		if b.column == nil && len(b.by) == 1 {
			b.column, b.Column, b.by, b.By = b.by[0], b.by[0].Name, nil, nil
		}
		if b.column == nil {
			return unclear("무슨 열의 값을 볼지 말해 주세요. 있는 열: %s", "please say of which column; there are: %s", named(b.sheet.all()))
		}
	case Rows:
		if (b.Top > 0 || b.Order != "") && b.sort == nil && b.column != nil {
			b.sort, b.Sort = b.column, b.column.Name
		}
		if b.sort != nil && b.Order == "" && b.Top > 0 {
			b.Order = Descending
		}
	case Count, Columns:
	}
	if len(b.by) > 0 && b.sort != nil && b.sort != b.column && !slices.Contains(b.by, b.sort) {
		return unclear("묶은 것은 ‘%s’ 열로 줄 세울 수 없어요", "what is grouped cannot be sorted by the column “%s”", b.sort.Name)
	}
	if b.sort == b.column && len(b.by) > 0 {
		b.sort, b.Sort = nil, ""
	}
	return nil
}

// measures tells what gives one figure of any rows.
func (d Do) measures() bool {
	return d == Sum || d == Average || d == Min || d == Max || d == Count
}

// check tells whether a figure can be computed of its column.
func (f figureOf) check(s *Sheet) error {
	switch f.Do {
	case Sum, Average, Min, Max:
	case Count, Distinct, Rows, Columns:
		return nil
	}
	if f.Column == nil {
		return unclear("무슨 열을 셈할지 말해 주세요. 숫자 열: %s", "please say which column to compute; those of numbers are: %s", named(s.all(Number)))
	}
	if f.Kind != Number && (f.Kind != Date || f.Do == Sum || f.Do == Average) {
		return unclear("‘%s’ 열은 숫자가 아니에요. 숫자 열: %s", "the column “%s” holds no numbers; those that do are: %s", f.Name, named(s.all(Number)))
	}
	return nil
}

// sheetOf is the sheet that is meant.
func sheetOf(name string, sheets []Sheet) (*Sheet, error) {
	var names []string
	for i := range sheets {
		if name == "" || plainName(sheets[i].Name) == plainName(name) || name == fmt.Sprint(sheets[i].number) {
			return &sheets[i], nil
		}
		names = append(names, sheets[i].Name)
	}
	if len(sheets) == 0 {
		return nil, unclear("표에 아무것도 없어요", "the table holds nothing")
	}
	return nil, unclear("‘%s’ 시트가 없어요. 있는 시트: %s", "there is no sheet “%s”; there are: %s", name, strings.Join(names, ", "))
}

// check tells whether a filter's value fits its column.
func (f Filter) check(c *Column) error {
	ordered := f.Is == Above || f.Is == AtLeast || f.Is == Below || f.Is == AtMost || f.Is == Between
	if f.Is == Empty || f.Is == Filled {
		return nil
	}
	if strings.TrimSpace(f.Value) == "" || f.Is == Between && strings.TrimSpace(f.To) == "" {
		return unclear("‘%s’ 열을 무엇과 견줄지 말해 주세요", "please say what to compare the column “%s” with", c.Name)
	}
	if !ordered {
		return nil
	}
	for _, v := range []string{f.Value, f.To} {
		if v == "" {
			continue
		}
		_, isNumber := numberIn(v)
		_, _, isDate := span(v)
		switch {
		case c.Kind == Number && !isNumber:
			return unclear("‘%s’ 열은 숫자라서 ‘%s’ 값과 견줄 수 없어요", "the column “%s” holds numbers, which cannot be compared with “%s”", c.Name, v)
		case c.Kind == Date && !isDate:
			return unclear("‘%s’ 열은 날짜라서 ‘%s’ 값과 견줄 수 없어요", "the column “%s” holds dates, which cannot be compared with “%s”", c.Name, v)
		case c.Kind == Text:
			return unclear("‘%s’ 열은 숫자나 날짜가 아니라서 크고 작음을 견줄 수 없어요", "the column “%s” holds neither numbers nor dates, so nothing is above or below", c.Name)
		}
	}
	return nil
}

// numberIn reads the number that a filter compares with.
func numberIn(text string) (number, bool) {
	n, _, ok := readNumber(clean(text))
	return n, ok
}

// span gives the first day that a date, a month or a year holds, and the first that it does not any more.
func span(text string) (from, to string, ok bool) {
	text = clean(text)
	if d, is := readDate(text); is {
		if len(d) > len("2006-01-02") {
			return d, d + "\x00", true // the very moment
		}
		return d, after(d, Day), true
	}
	switch {
	case len(text) == 7 && there(text[:4], text[5:], "1") && text[4] == '-':
		return text + "-01", after(text+"-01", Month), true
	case len(text) == 4 && there(text, "1", "1"):
		return text + "-01-01", after(text+"-01-01", Year), true
	}
	return "", "", false
}
