package tablequery

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/phrase"
)

// reading is a question while it is read against a sheet. What was understood is marked; what is left over in the end, and is more than
// a word of asking, was not understood, and then nothing is computed.
type reading struct {
	sheet *Sheet
	now   time.Time
	said  string // as the customer wrote it, in one spelling
	s     string // the same in lower case: byte for byte as long
	used  []bool
	marks []mention
	q     Query
	ops   []saidDo
	last  bool // the last rows are meant, as they stand
}

// mention is a place where a question names a column of the table, or a value in one.
type mention struct {
	from, to int
	column   *Column
	value    string // "": it names the column
	taken    bool   // it has been made something of
}

// Read reads a question in Korean or English words. before is the question that it goes on with (상위 5개, and by month?), nil for none:
// what it does not say anew stays. Errors: table_unclear, with the word that was not understood or what is missing.
func (t *Table) Read(text string, before *Query, now time.Time) (q Query, err error) {
	said := t.plain(text)
	sheets := t.Sheets
	if s, rest, ok := sheetIn(said, t.Sheets); ok {
		sheets, said = []Sheet{*s}, rest
	} else if before != nil && before.Sheet != "" {
		if s, err := sheetOf(before.Sheet, t.Sheets); err == nil {
			sheets = []Sheet{*s}
		}
	}
	var first error
	for i := range sheets {
		r := newReading(&sheets[i], said, now)
		q, err := r.read(before)
		if err == nil {
			if len(t.Sheets) > 1 {
				q.Sheet = sheets[i].Name
			}
			_, err = bind(q, t.Sheets)
		}
		if err == nil {
			return q, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = unclear("표에 아무것도 없어요", "the table holds nothing")
	}
	return q, first
}

var fileName = regexp.MustCompile(`(?i)(?:"[^"]*\.(?:xlsx|xlsm|ods|csv|tsv|tab)"|'[^']*\.(?:xlsx|xlsm|ods|csv|tsv|tab)'|[^\s"']+\.(?:xlsx|xlsm|ods|csv|tsv|tab))(?:\s?파일)?(?:에서는|에서|에는|에|의|을|를|은|는|로)?`)

// plain is a question in one spelling, without the name of the table.
func (t *Table) plain(text string) string {
	said := phrase.Normalize(text)
	for _, name := range []string{t.Name, t.Name[strings.LastIndexAny(t.Name, `/\`)+1:]} {
		if at := strings.Index(strings.ToLower(said), strings.ToLower(phrase.Normalize(name))); name != "" && at >= 0 {
			said = said[:at] + " x.csv" + said[at+len(phrase.Normalize(name)):]
		}
	}
	return fileName.ReplaceAllString(said, " ")
}

var sheetWord = regexp.MustCompile(`(?i)\bsheet\s+"?([^\s",]+)"?|"?([^\s",]+)"?\s?시트(?:에서|의|에)?`)

// sheetIn finds the sheet that a question names.
func sheetIn(said string, sheets []Sheet) (s *Sheet, rest string, ok bool) {
	for _, m := range sheetWord.FindAllStringSubmatchIndex(said, 4) {
		name := ""
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				name = said[m[g]:m[g+1]]
			}
		}
		for i := range sheets {
			if sheets[i].Name != "" && plainName(sheets[i].Name) == plainName(name) {
				return &sheets[i], said[:m[0]] + " " + said[m[1]:], true
			}
		}
	}
	return nil, said, false
}

func newReading(sheet *Sheet, said string, now time.Time) *reading {
	low := strings.ToLower(said)
	if len(low) != len(said) { // letters whose small form takes more or fewer bytes: no table's names need them
		low = strings.Map(func(r rune) rune {
			if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
				return l
			}
			return r
		}, said)
	}
	return &reading{sheet: sheet, now: now, said: said, s: low, used: make([]bool, len(low))}
}

func (r *reading) read(before *Query) (Query, error) {
	r.mentions()
	r.filters()
	r.days()
	r.groups()
	r.tops()
	r.operations()
	if err := r.left(); err != nil {
		return r.q, err
	}
	if before != nil {
		r.amend(*before)
	}
	return r.q, r.complete()
}

// free tells whether nothing was made of some bytes yet.
func (r *reading) free(from, to int) bool { return !slices.Contains(r.used[from:to], true) }

func (r *reading) use(from, to int) {
	for i := from; i < to; i++ {
		r.used[i] = true
	}
}

// each calls on for every place that an expression matches and of which nothing was made; what on takes is marked.
func (r *reading) each(re *regexp.Regexp, on func(m []int) bool) {
	for _, m := range re.FindAllStringSubmatchIndex(r.s, 20) {
		if r.free(m[0], m[1]) && on(m) {
			r.use(m[0], m[1])
		}
	}
}

// group is what a part of an expression matched; "" where it did not.
func (r *reading) group(m []int, n int) string {
	if 2*n+1 >= len(m) || m[2*n] < 0 {
		return ""
	}
	return r.s[m[2*n]:m[2*n+1]]
}

// after are the Korean endings that a noun takes in a question, and the nouns that are written to it.
var afterName = regexp.MustCompile(`^(?:별|마다|당|의|을|를|이|가|은|는|도|로|으로|에|에서|과|와|랑|이랑|하고|순|순서|기준|만|이나|나|열|칸|값|까지|부터|에게|인|이고|일|이면|이며|합계|총합|총계|총액|합|평균|최대|최소|최고|최저|개수|건수|별로|순으로|만으로)*$`)

var latinTail = regexp.MustCompile(`^(?:s|es|'s)?[^a-z0-9]*$`)

// tail is the rest of a word behind a place.
func (r *reading) tail(at int) string {
	end := at
	for end < len(r.s) {
		c, n := utf8.DecodeRuneInString(r.s[end:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' {
			break
		}
		end += n
	}
	return r.s[at:end]
}

// begins tells whether a word begins at a place.
func (r *reading) begins(at int) bool {
	if at == 0 {
		return true
	}
	c, _ := utf8.DecodeLastRuneInString(r.s[:at])
	return !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// ends tells whether a name ends at a place, but for what is grammar.
func (r *reading) ends(at int, name string) bool {
	tail := r.tail(at)
	last, _ := utf8.DecodeLastRuneInString(name)
	if tail == "" || afterName.MatchString(tail) {
		return true
	}
	return last < utf8.RuneSelf && latinTail.MatchString(tail) || last < utf8.RuneSelf && tail[0] >= utf8.RuneSelf && afterName.MatchString(tail)
}

// places are where a question has a name.
func (r *reading) places(name string, on func(from, to int)) {
	if name == "" {
		return
	}
	for at := 0; at < len(r.s); {
		i := strings.Index(r.s[at:], name)
		if i < 0 {
			return
		}
		from := at + i
		if at = from + len(name); r.begins(from) && r.ends(at, name) {
			on(from, at)
		}
	}
}

var (
	columnWord = regexp.MustCompile(`\b(?:column|col)\.?\s+([a-z]{1,3})\b|\b([a-z]{1,3})\s?열|열\s([a-z]{1,3})\b`)
	oneLetter  = regexp.MustCompile(`\b([A-Z]{1,2})(?:가|이|는|은|를|의|별|와|과|\s+is\b|\s*[=<>])`)
)

// mentions finds where the question names columns and values; the longest names win.
func (r *reading) mentions() {
	var all []mention
	add := func(c *Column, value, name string) {
		r.places(name, func(from, to int) { all = append(all, mention{from: from, to: to, column: c, value: value}) })
	}
	for i := range r.sheet.Columns {
		c := &r.sheet.Columns[i]
		if c.Name != c.Letter {
			for _, name := range []string{c.Name, withoutUnit(c.Name), strings.ReplaceAll(withoutUnit(c.Name), " ", ""), strings.ReplaceAll(c.Name, "_", " ")} {
				add(c, "", strings.ToLower(phrase.Normalize(name)))
			}
		}
		for v := range c.values {
			if name := strings.ToLower(phrase.Normalize(v)); utf8.RuneCountInString(name) > 1 || !isDigits(name) {
				add(c, v, name)
			}
		}
	}
	for _, m := range slices.Concat(columnWord.FindAllStringSubmatchIndex(r.s, 9), oneLetter.FindAllStringSubmatchIndex(r.said, 9)) {
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			from, to := m[0], m[g+1]
			if end := m[1]; strings.HasSuffix(r.s[:end], "열") {
				to = end
			}
			for i := range r.sheet.Columns {
				if c := &r.sheet.Columns[i]; strings.EqualFold(c.Letter, r.s[m[g]:m[g+1]]) {
					all = append(all, mention{from: from, to: to, column: c})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(truth(a.value != ""), truth(b.value != "")), cmp.Compare(a.column.index, b.column.index))
	})
	for _, m := range all {
		if r.free(m.from, m.to) {
			r.use(m.from, m.to)
			r.marks = append(r.marks, m)
		}
	}
	slices.SortFunc(r.marks, func(a, b mention) int { return cmp.Compare(a.from, b.from) })
}

func isDigits(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
}

// nearest is the last column of some kinds that the question names before a place, in the same part of it.
func (r *reading) nearest(at int, kinds ...Kind) *mention {
	for i := len(r.marks) - 1; i >= 0; i-- {
		m := &r.marks[i]
		if m.to <= at && m.value == "" && slices.Contains(kinds, m.column.Kind) && at-m.to < 40 {
			return m
		}
	}
	return nil
}

// only is the one column of a kind, or of several the first that does not just name rows.
func (r *reading) only(kind Kind) *Column {
	var list []*Column
	for _, c := range r.sheet.all(kind) {
		if kind != Number || !c.ofNumber() {
			list = append(list, c)
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return nil
}

// complete says what is to be computed where the question does not.
func (r *reading) complete() error {
	q := &r.q
	if q.Do == "" {
		switch number := r.columnOf(q.Column); {
		case len(q.By) > 0 && (number == nil || number.Kind != Number):
			q.Do = Count
		case len(q.By) > 0, number != nil && number.Kind == Number && q.Top == 0 && q.Sort == "" && q.Order == "":
			q.Do = Sum
		case q.Column != "" && len(q.Where) == 0 && number.Kind == Text && q.Top == 0 && q.Sort == "":
			q.Do = Distinct
		case len(q.Where) > 0 || q.Top > 0 || q.Sort != "" || q.Order != "":
			q.Do = Rows
		default:
			return unclear("무엇을 셈할지 알 수 없어요. 있는 열: %s", "it is not clear what to compute; there are the columns %s", named(r.sheet.all()))
		}
	}
	needs := q.Do == Sum || q.Do == Average || q.Do == Min || q.Do == Max || q.Do == Rows && q.Top > 0 && q.Order != "" && q.Sort == "" && !r.last
	if needs && q.Column == "" {
		c := r.only(Number)
		if c == nil {
			return unclear("무슨 열을 셈할지 말해 주세요. 숫자 열: %s", "please say which column to compute; those of numbers are: %s", named(r.sheet.all(Number)))
		}
		q.Column = c.Name
	}
	for i := range q.Also {
		if m := &q.Also[i]; m.Column == "" && m.Do != Count {
			c := r.columnOf(q.Column)
			if c == nil || c.Kind != Number {
				c = r.only(Number)
			}
			if c == nil {
				return unclear("무슨 열을 셈할지 말해 주세요. 숫자 열: %s", "please say which column to compute; those of numbers are: %s", named(r.sheet.all(Number)))
			}
			m.Column = c.Name
		}
	}
	return nil
}

func (r *reading) columnOf(name string) *Column {
	if c, ok := r.sheet.find(name); name != "" && ok {
		return c
	}
	return nil
}

// besides tells whether the one figure that is asked for is asked for beside another: 평균도, the average too.
func (r *reading) besides() bool {
	if len(r.ops) != 1 {
		return false
	}
	return strings.HasPrefix(r.s[r.ops[0].to:], "도") || alsoEN.MatchString(r.s)
}

var alsoEN = regexp.MustCompile(`\b(?:too|also|as well)\b`)

// amend keeps of the question before what this one does not say anew. One that says what to compute and of what, or by what, is a new
// one.
func (r *reading) amend(before Query) {
	q := &r.q
	if q.Do != "" && (q.Column != "" || len(q.By) > 0) || q.Do == Count && len(q.Where) > 0 { // to count needs no column
		return
	}
	if single := len(before.By) == 0 && before.Do != Rows && before.Do != Distinct; single && q.Top > 0 && q.Do == "" && len(q.By) == 0 {
		q.Do = Rows // of one figure there are no first ones, but of what it was computed of
	}
	fresh := q.Do != "" || len(q.By) > 0
	if r.besides() && len(q.Also) == 0 && q.Do.measures() && before.Do.measures() { // 평균도
		q.Also = append(slices.Clone(before.Also), Measure{Do: q.Do})
		q.Do = before.Do
	}
	if q.Do == "" && !(before.Do == Rows && len(q.By) > 0) {
		q.Do, q.Also = before.Do, before.Also
	}
	if q.Column == "" {
		q.Column = before.Column
	}
	if len(q.By) == 0 {
		q.By = before.By
	}
	where := slices.DeleteFunc(slices.Clone(before.Where), func(f Filter) bool {
		return slices.ContainsFunc(q.Where, func(g Filter) bool { return g.Column == f.Column })
	})
	q.Where = append(where, q.Where...)
	if fresh && q.Top == 0 {
		return // what was first of something else is not of this
	}
	if q.Sort == "" && q.Order == "" && q.Top == 0 {
		q.Sort, q.Order, q.Top = before.Sort, before.Order, before.Top
	}
}
