package tablequery

import (
	"regexp"
	"slices"
	"strings"

	"agentchat/backend/language/hangul"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
)

const (
	figure = `(-?\d[\d,]*(?:\.\d+)?\s?(?:[십백천만억조]+\s?)*(?:k\b|thousand\b|million\b)?|[일이삼사오육칠팔구]?[십백천만억조][일이삼사오육칠팔구십백천만억조]*)`
	unit   = `\s?(?:원|%|퍼센트|달러|개|명|건|점|회|권|대|kg|km|won|dollars?|percent|points?)?`
	few    = `(\d{1,4}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|one|two|three|four|five|six|seven|eight|nine|ten|twenty)`
	counts = `\s?(?:개|곳|명|건|줄|행|가지|군데|위|rows?|items?|entries|records)?`
)

var (
	compareKO = regexp.MustCompile(figure + unit + `(?:을|를|이|가|보다|은)?\s?(이상|초과|이하|미만|넘는|넘게|넘은|큰|많은|높은|비싼|작은|적은|낮은|싼|안 되는|안되는)(?:인)?`)
	compareEN = regexp.MustCompile(`(over|above|more than|greater than|higher than|larger than|at least|under|below|less than|lower than|smaller than|fewer than|at most|no more than|up to|exactly|equal to|equals|>=|<=|=|>|<)\s*[$₩€£]?` + figure + unit)
	betweenKO = regexp.MustCompile(figure + unit + `(?:에서|부터|과|와|~|\s?-\s?)\s?` + figure + unit + `\s?(?:사이|까지)(?:인|의)?`)
	betweenEN = regexp.MustCompile(`between\s+[$₩€£]?` + figure + unit + `\s+and\s+[$₩€£]?` + figure + unit)
	equalKO   = regexp.MustCompile(`^(?:이|가|은|는)\s?` + figure + unit + `(?:인|이고|일|와 같은|과 같은)`)
	literalKO = regexp.MustCompile(`^(?:이|가|은|는)\s?["']?([^\s"']{1,40}?)["']?(인|이고|일|이면)(?:\s|$)`)
	literalEN = regexp.MustCompile(`^\s+(?:is|equals|=|==)\s+(not\s+)?["']?([^\s"',.?!]{1,40})["']?`)
	holdsKO   = regexp.MustCompile(`^(?:에|이|가)?\s?["']?([^\s"']{1,40}?)["']?(?:이|가|을|를|라는 말이)?\s?(?:포함\S*|들어\s?간|들어\s?있는|들어가는)`)
	holdsEN   = regexp.MustCompile(`^\s+(?:that\s+)?(?:contains?|containing|includes?|including)\s+["']?([^\s"',.?!]{1,40})["']?`)
	voidKO    = regexp.MustCompile(`^(?:이|가|은|는)?\s?(?:비어\s?있는|비었는|비어있는|빈|없는)(?:\s?(?:줄|행|것|칸))?`)
	voidEN    = regexp.MustCompile(`^\s+(?:is|are)\s+(not\s+)?(?:empty|blank|missing)`)
	butKO     = regexp.MustCompile(`^\s?(?:[가-힣]{1,4}\s?)?(?:을|를|은|이|가)?\s?(?:빼고|뺀|제외\S*|말고|아닌|외의)`)
	butEN     = regexp.MustCompile(`(?:is not|isn't|not|except(?: for)?|excluding|without|other than|but not)\s+(?:in\s+|the\s+)?$`)
)

var comparing = map[string]Is{
	"이상": AtLeast, "초과": Above, "이하": AtMost, "미만": Below, "넘는": Above, "넘게": Above, "넘은": Above, "큰": Above, "많은": Above, "높은": Above, "비싼": Above,
	"작은": Below, "적은": Below, "낮은": Below, "싼": Below, "안 되는": Below, "안되는": Below,
	"over": Above, "above": Above, "more than": Above, "greater than": Above, "higher than": Above, "larger than": Above, ">": Above, "at least": AtLeast, ">=": AtLeast,
	"under": Below, "below": Below, "less than": Below, "lower than": Below, "smaller than": Below, "fewer than": Below, "<": Below, "at most": AtMost, "no more than": AtMost,
	"up to": AtMost, "<=": AtMost, "exactly": Equals, "equal to": Equals, "equals": Equals, "=": Equals,
}

// filters reads what rows must be: values that the table has, comparisons, words in cells.
func (r *reading) filters() {
	r.each(betweenKO, func(m []int) bool { return r.compares(m, Between, r.group(m, 1), r.group(m, 2)) })
	r.each(betweenEN, func(m []int) bool { return r.compares(m, Between, r.group(m, 1), r.group(m, 2)) })
	r.each(compareKO, func(m []int) bool { return r.compares(m, comparing[r.group(m, 2)], r.group(m, 1), "") })
	r.each(compareEN, func(m []int) bool { return r.compares(m, comparing[r.group(m, 1)], r.group(m, 2), "") })
	for i := range r.marks {
		if m := &r.marks[i]; m.value != "" {
			r.isValue(m)
		} else {
			r.says(m)
		}
	}
}

// compares adds a filter by figures on the number column that is named before it, or else the one that there is.
func (r *reading) compares(m []int, is Is, value, to string) bool {
	v, ok := amount(value)
	if !ok {
		return false
	}
	if to != "" {
		if to, ok = amount(to); !ok {
			return false
		}
	}
	column := r.only(Number)
	if near := r.nearest(m[0], Number); near != nil {
		column, near.taken = near.column, true
	} else if next := slices.IndexFunc(r.marks, func(n mention) bool { return n.from >= m[1] && n.value == "" && n.column.Kind == Number }); next >= 0 {
		column = r.marks[next].column
	}
	if column == nil {
		return false
	}
	r.q.Where = append(r.q.Where, Filter{Column: column.Name, Is: is, Value: v, To: to})
	return true
}

// isValue adds a filter by a value that the table has. Several of one column mean any of them, which one filter cannot say, so only
// what is left out may be several.
func (r *reading) isValue(m *mention) {
	m.taken = true
	is := Equals
	if at := butKO.FindString(r.s[m.to:]); at != "" {
		is = Not
		r.use(m.to, m.to+len(at))
	} else if at := butEN.FindStringIndex(r.s[:m.from]); at != nil {
		is = Not
		r.use(at[0], at[1])
	}
	for i := range r.marks { // C가 서울, where C is Seoul: the column that it stands with is the one that is meant
		c := &r.marks[i]
		if c.value == "" && c.to <= m.from && m.from-c.to < 12 && r.joins(c.to, m.from) {
			if c.taken = true; c.column.values[m.value] > 0 {
				m.column = c.column
			}
		}
	}
	r.q.Where = append(r.q.Where, Filter{Column: m.column.Name, Is: is, Value: m.value})
}

var joining = regexp.MustCompile(`^\s*(?:이|가|은|는|is|=|==|equals|is not|isn't|are)?\s*["']?$`)

// joins tells whether only grammar stands between a column and a value.
func (r *reading) joins(from, to int) bool { return joining.MatchString(r.s[from:to]) }

// says adds what is said of a column right behind its name.
func (r *reading) says(m *mention) {
	rest := r.s[m.to:]
	if m.taken {
		return
	}
	add := func(end int, f Filter) {
		if r.free(m.to, m.to+end) {
			f.Column, m.taken = m.column.Name, true
			r.q.Where = append(r.q.Where, f)
			r.use(m.to, m.to+end)
		}
	}
	original := func(from, to int) string { return r.said[m.to+from : m.to+to] }
	if at := voidKO.FindStringIndex(rest); at != nil {
		add(at[1], Filter{Is: Empty})
	} else if at := voidEN.FindStringSubmatchIndex(rest); at != nil {
		is := Empty
		if at[2] >= 0 {
			is = Filled
		}
		add(at[1], Filter{Is: is})
	} else if at := equalKO.FindStringSubmatchIndex(rest); at != nil && m.column.Kind == Number {
		if v, ok := amount(rest[at[2]:at[3]]); ok {
			add(at[1], Filter{Is: Equals, Value: v})
		}
	} else if at := holdsKO.FindStringSubmatchIndex(rest); at != nil {
		add(at[1], Filter{Is: Contains, Value: original(at[2], at[3])})
	} else if at := holdsEN.FindStringSubmatchIndex(rest); at != nil {
		add(at[1], Filter{Is: Contains, Value: original(at[2], at[3])})
	} else if at := literalKO.FindStringSubmatchIndex(rest); at != nil && m.column.Kind == Text && !mostly[rest[at[2]:at[3]]] {
		add(at[5], Filter{Is: Equals, Value: original(at[2], at[3])})
	} else if at := literalEN.FindStringSubmatchIndex(rest); at != nil && m.column.Kind != Date {
		is := Equals
		if at[2] >= 0 {
			is = Not
		}
		add(at[1], Filter{Is: is, Value: original(at[4], at[5])})
	}
}

// mostly are words that stand where a value would and are none: 매출이 가장 큰.
var mostly = wordlist.Of(`가장 제일 얼마 몇 어디 무엇 누구 the a an`)

var (
	eachKO  = regexp.MustCompile(`^(?:별로|별|마다|당)`)
	eachEN  = regexp.MustCompile(`(?:\bby|\bper|\bfor each|\bfor every|\beach|\bevery|\bgrouped by|\bgroup by|\bacross)\s+(?:the\s+|each\s+)?$`)
	andEN   = regexp.MustCompile(`^\s*(?:and|,)\s*(?:by\s+)?$`)
	everyKO = regexp.MustCompile(`(?:각|매)\s?$`)
	sorted  = regexp.MustCompile(`(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)\s+$`)
	spans   = []struct {
		each Each
		says *regexp.Regexp
	}{
		{Quarter, regexp.MustCompile(`분기(?:별로|별|마다)|매\s?분기|(?:by|per|each|every)\s+quarter|quarterly`)},
		{Weekday, regexp.MustCompile(`요일(?:별로|별|마다)|(?:by|per|each)\s+(?:weekday|day of (?:the )?week)`)},
		{Month, regexp.MustCompile(`(?:월|달)(?:별로|별|마다)|매월|매달|다달이|월간|(?:by|per|each|every)\s+month|monthly`)},
		{Year, regexp.MustCompile(`(?:연도|년도|해|연)(?:별로|별|마다)|매년|연간|(?:by|per|each|every)\s+year|yearly|annual(?:ly)?`)},
		{Day, regexp.MustCompile(`(?:일|날짜|날)(?:별로|별|마다)|매일|(?:by|per|each|every)\s+(?:day|date)|daily`)},
	}
)

// groups reads by what rows are taken together.
func (r *reading) groups() {
	last := -1
	for i := range r.marks {
		m := &r.marks[i]
		if m.value != "" || m.taken {
			continue
		}
		from, to, hit := m.from, m.to, false
		if at := eachKO.FindString(r.s[m.to:]); at != "" {
			to, hit = m.to+len(at), true
		} else if at := eachEN.FindStringIndex(r.s[:m.from]); at != nil {
			if s := sorted.FindStringIndex(r.s[:at[0]]); s != nil {
				continue // sorted by
			}
			from, hit = at[0], true
		} else if at := everyKO.FindStringIndex(r.s[:m.from]); at != nil {
			from, hit = at[0], true
		} else if last >= 0 && andEN.MatchString(r.s[last:m.from]) && m.column.Kind != Number {
			from, hit = last, true
		}
		if hit && m.column.Kind == Number && topFirst.MatchString(r.s) { // top 5 by amount
			r.q.Sort, m.taken = m.column.Name, true
			r.use(from, to)
			continue
		}
		if hit {
			m.taken = true
			r.use(from, to)
			r.q.By = append(r.q.By, Group{Column: m.column.Name})
			last = to
		}
	}
	for _, s := range spans {
		r.each(s.says, func([]int) bool {
			c := r.dateColumn()
			if c == nil {
				return false
			}
			r.q.By = append(r.q.By, Group{Column: c.Name, Each: s.each})
			return true
		})
	}
}

// dateColumn is the column of days that is meant: the one that is named, or else the first.
func (r *reading) dateColumn() *Column {
	for i := range r.marks {
		if m := &r.marks[i]; m.value == "" && m.column.Kind == Date {
			m.taken = true
			return m.column
		}
	}
	for i := range r.sheet.Columns {
		if c := &r.sheet.Columns[i]; c.Kind == Date {
			return c
		}
	}
	return nil
}

var (
	topFirst = regexp.MustCompile(`(상위|탑|하위|top|bottom|highest|largest|biggest|best|lowest|smallest|worst)\s?` + few + counts)
	topMost  = regexp.MustCompile(`(?:가장|제일)\s?(큰|많은|높은|비싼|많이\s?\S+|작은|적은|낮은|싼|적게\s?\S+)(?:\s?(?:것|거|건|순으로|순서로))?`)
	topCount = regexp.MustCompile(`(?:^|\s)` + few + `\s?(?:개|곳|명|건|줄|행|가지|군데)(?:만|를|을)?(?:\s|$)`)
	firstKO  = regexp.MustCompile(`(?:처음|첫|앞|앞에서|맨 앞|맨 앞의)\s?` + few + `\s?(?:개|건|줄|행)`)
	firstEN  = regexp.MustCompile(`(first|last)\s+` + few + `(?:\s+(?:rows?|lines?|entries|records))?`)
	mostEN   = regexp.MustCompile(`(?:has|have|had|with|sold|sells|made|makes|is|are|was)?\s*(?:the\s+)?(highest|largest|biggest|greatest|most|best|lowest|smallest|least|fewest|worst)`)
	downKO   = regexp.MustCompile(`(?:큰|많은|높은|비싼)\s?(?:순서대로|순서로|순서|순으로|순)|내림차순(?:으로)?|descending|highest first|largest first|most first`)
	upKO     = regexp.MustCompile(`(?:작은|적은|낮은|싼)\s?(?:순서대로|순서로|순서|순으로|순)|오름차순(?:으로)?|ascending|lowest first|smallest first`)
	newest   = regexp.MustCompile(`(?:최신|최근)\s?(?:순서대로|순서로|순으로|순)|newest first|latest first`)
	sortKO   = regexp.MustCompile(`^\s?(?:순서대로|순서로|순으로|순서|순)`)
	sortEN   = regexp.MustCompile(`(?:sorted|sort|ordered|order|ranked|rank)\s+by\s+(?:the\s+)?$`)
	lowWords = wordlist.Of(`하위 bottom lowest smallest worst least fewest 작은 적은 낮은 싼`)
)

// tops reads in what order rows come, and how many of them.
func (r *reading) tops() {
	q := &r.q
	limit := func(word, n string) {
		q.Order = Descending
		if lowWords[word] || strings.HasPrefix(word, "적게") {
			q.Order = Ascending
		}
		q.Top = number1(n)
	}
	for i := range r.marks {
		m := &r.marks[i]
		if m.value != "" || m.taken {
			continue
		}
		if at := sortKO.FindString(r.s[m.to:]); at != "" {
			q.Sort, m.taken = m.column.Name, true
			r.use(m.to, m.to+len(at))
		} else if at := sortEN.FindStringIndex(r.s[:m.from]); at != nil {
			q.Sort, m.taken = m.column.Name, true
			r.use(at[0], at[1])
		}
	}
	r.each(firstKO, func(m []int) bool { q.Top = number1(r.group(m, 1)); return q.Top > 0 })
	r.each(firstEN, func(m []int) bool {
		if q.Top = number1(r.group(m, 2)); r.group(m, 1) == "last" {
			q.Order = Descending
		}
		return q.Top > 0
	})
	if r.last = q.Top > 0 && q.Order == Descending; r.last { // the first from behind
		return
	}
	r.each(topFirst, func(m []int) bool { limit(r.group(m, 1), r.group(m, 2)); return q.Top > 0 })
	r.each(downKO, func([]int) bool { q.Order = Descending; return true })
	r.each(upKO, func([]int) bool { q.Order = Ascending; return true })
	r.each(newest, func([]int) bool {
		c := r.dateColumn()
		if c != nil {
			q.Order, q.Sort = Descending, c.Name
		}
		return c != nil
	})
	r.most()
}

// most reads what is the most of something: 매출이 가장 큰 지점, which branch has the highest sales. Where it asks for a kind of things
// these are taken together, and the first of them is the answer; else it is the greatest figure.
func (r *reading) most() {
	q := &r.q
	on := func(word string, from, end int) bool {
		order, do := Descending, Max
		if lowWords[word] || strings.HasPrefix(word, "적게") {
			order, do = Ascending, Min
		}
		for i := range r.marks {
			m := &r.marks[i]
			if m.value == "" && !m.taken && m.column.Kind == Text && len(q.By) == 0 {
				m.taken = true
				q.By = append(q.By, Group{Column: m.column.Name})
			}
		}
		if len(q.By) > 0 {
			if q.Order, q.Top = order, 1; end < len(r.s) {
				if m := topCount.FindStringSubmatchIndex(r.s[end:]); m != nil {
					q.Top = number1(r.s[end+m[2] : end+m[3]])
					r.use(end+m[0], end+m[1])
				}
			}
			return true
		}
		if m := topCount.FindStringSubmatchIndex(r.s[end:]); m != nil {
			q.Order, q.Top = order, number1(r.s[end+m[2]:end+m[3]])
			r.use(end+m[0], end+m[1])
			return true
		}
		r.ops = append(r.ops, saidDo{do, from, end})
		return true
	}
	r.each(topMost, func(m []int) bool { return on(r.group(m, 1), m[0], m[1]) })
	r.each(mostEN, func(m []int) bool { return on(r.group(m, 1), m[0], m[1]) })
}

// fewWords are the small numbers by their words.
var fewWords = map[string]int{
	"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "스무": 20,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20,
}

// number1 is a small number in figures or words.
func number1(word string) int {
	if n := fewWords[word]; n > 0 {
		return n
	}
	return atoi(word)
}

// amount is a number in figures or words: 만 is one of them.
func amount(text string) (string, bool) {
	if v, ok := slot.Number(text); ok {
		return v, true
	}
	return slot.Number("일" + strings.TrimSpace(text))
}

func atoi(v string) (n int) {
	for _, c := range v {
		if c < '0' || c > '9' || n > 1e6 {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// left refuses a question of which something was not understood. Nothing is computed that leaves a word out silently.
func (r *reading) left() error {
	if len(r.ops) > 1 && len(r.q.Also) == 0 {
		a, b := doNames[r.ops[0].Do], doNames[r.ops[1].Do]
		return unclear("‘%s’와 ‘%s’는 함께 셈할 수 없어요. 하나씩 물어봐 주세요", "“%[3]s” and “%[4]s” cannot be computed together; please ask for one by one", a.KO, b.KO, strings.ToLower(a.EN), strings.ToLower(b.EN))
	}
	for i, a := range r.q.Where {
		for _, b := range r.q.Where[i+1:] {
			if a.Column == b.Column && a.Is == Equals && b.Is == Equals && a.Value != b.Value {
				return unclear("‘%s’ 열의 값은 하나만 고를 수 있어요. ‘%s’와 ‘%s’ 중 하나씩 물어봐 주세요", "only one value of the column “%s” can be chosen; please ask for “%s” and “%s” one by one", a.Column, a.Value, b.Value)
			}
		}
	}
	for _, w := range phrase.Words(r.s) {
		if word := r.unread(w.Start, w.End); word != "" && !carries(word, word != r.s[w.Start:w.End]) {
			return unclear("%[3]s 무엇인지 모르겠어요. 있는 열: %[2]s", "“%[1]s” means nothing in this table; there are the columns %[2]s", r.said[w.Start:w.End], named(r.sheet.all()), hangul.With("‘"+r.said[w.Start:w.End]+"’", "이", "가"))
		}
	}
	return nil
}

var (
	grammar = regexp.MustCompile(`^(?:별로|별|마다|의|을|를|이|가|은|는|도|로|으로|에서는|에서|에는|에|과|와|랑|이랑|하고|순|기준|만|이나|나|까지|부터|인|이고|일|이면|이며|요|야|이야|예요|이에요|인가요|인지|이|어|였어|이었어|입니까|지점|점|s|es|'s)+$`)
	asking  = regexp.MustCompile(`^(?:알려|보여|구해|구하|계산|찾아|뽑아|정리|나열|말해|가르쳐|부탁|궁금|내줘|그려|그리|비교|세어|세줘|골라|추려|확인|해줘|해봐|해주|해라|해요|하면|하고|해|줘|줄래|주세요|줄|얼마|무엇|뭐|어디|누구|어느|어떻|있|되|나와|나오|차트|그래프|막대|묶어|묶은|나눠|나누|정렬|봐|볼래|보자|싶|말고|인데|인지)\S*$`)
	asked   = wordlist.Of(`표 시트 파일 데이터 엑셀 자료 문서 행 줄 열 칸 값 결과 전체 모두 모든 각 각각 그 그중 그중에 그중에서 중 중에 중에서 거기 거기서 이 이거 여기 여기서 것 거 만 좀 다 때 곳 데 첨부 첨부한 파일에서 표에서 그럼 그러면 그리고 다시 이제 위 위의 방금 순서 것만 거만 것들 것들만 기준 기준으로 대로 별 합쳐 내 우리 팔린 팔렸 팔았 판 산 쓴
		what what's which who where when is are was were be the of in for and a an me show give tell list find compute calculate get please can could would you i want need to know table sheet file data row rows record records column columns value values that those these their with have has had how much many do does did by per from on at it its than or all each every chart graph plot draw compare sold bought sell sells made earned spent paid just only now then also so about same there here them out up my our this one ones whose make let see us`)
)

// carries tells whether a word only carries a question. part: of a word something was understood, and this is what is left of it.
func carries(word string, part bool) bool {
	if part && grammar.MatchString(word) {
		return true
	}
	stem, _ := phrase.Stem(word)
	for _, w := range []string{word, stem} {
		if asked[w] || asking.MatchString(w) || slot.FunctionWord(w) {
			return true
		}
	}
	return false
}
