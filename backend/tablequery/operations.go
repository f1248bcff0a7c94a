package tablequery

import (
	"cmp"
	"regexp"
	"slices"
)

var operations = []struct {
	do   Do
	says *regexp.Regexp
}{
	{Distinct, regexp.MustCompile(`중복\s?없이|서로\s?다른|고유한?|종류(?:가|는|를)?|\bdistinct\b|\bunique\b|\bdifferent\b`)},
	{Average, regexp.MustCompile(`평균(?:값|치|적으로)?|\baverages?\b|\bmean\b|\bavg\b`)},
	{Count, regexp.MustCompile(`개수|갯수|건수|행\s?수|줄\s?수|몇\s?(?:개|건|명|줄|행|곳|번|대)|how many|number of|\bcounts?\b`)},
	{Max, regexp.MustCompile(`최댓값|최대(?:값)?|최고(?:값|액)?|\bmax(?:imum)?\b`)},
	{Min, regexp.MustCompile(`최솟값|최소(?:값)?|최저(?:값|액)?|\bmin(?:imum)?\b`)},
	{Sum, regexp.MustCompile(`합계|총합계|총합|총계|총액|합산\S*|더하면|더해\S*|(?:^|\s)총(?:\s|$)|(?:^|\s)합(?:은|을|이|\s|$)|모두 합\S*|\bsum\b|\btotals?\b|\btogether\b|\bin all\b|add up`)},
	{Columns, regexp.MustCompile(`(?:무슨|어떤)\s?(?:열|항목|칸)|열\s?(?:이름|목록)|(?:what|which) columns`)},
	{Rows, regexp.MustCompile(`(?:행|줄)(?:만|들|을|를|은|이)?(?:\s|$)|목록|\brows?\b|\blines?\b|\brecords?\b|\bentries\b|\blist\b`)},
}

// said is an operation, and where the question says it.
type saidDo struct {
	Do
	from, to int
}

// operations reads what is to be computed, and of what.
func (r *reading) operations() {
	for _, o := range operations {
		r.each(o.says, func(m []int) bool {
			if !slices.ContainsFunc(r.ops, func(s saidDo) bool { return s.Do == o.do }) {
				r.ops = append(r.ops, saidDo{o.do, m[0], m[1]})
			}
			return true
		})
	}
	says := func(d Do) bool { return slices.ContainsFunc(r.ops, func(s saidDo) bool { return s.Do == d }) }
	if len(r.ops) > 1 {
		distinct := says(Distinct) // how many different ones: they are counted anyway
		r.ops = slices.DeleteFunc(r.ops, func(s saidDo) bool { return s.Do == Rows || distinct && s.Do == Count })
	}
	slices.SortStableFunc(r.ops, func(a, b saidDo) int { return cmp.Compare(a.from, b.from) })
	if len(r.ops) > 0 {
		r.q.Do = r.ops[0].Do
	}
	if r.several() {
		return
	}
	for i := range r.marks { // the first number that is named, or else anything
		m := &r.marks[i]
		if m.value != "" || m.taken || m.column.Kind != Number && r.q.Do != Distinct && r.q.Do != Count && r.q.Do != Min && r.q.Do != Max {
			continue
		}
		if r.q.Column == "" {
			r.q.Column, m.taken = m.column.Name, true
		}
	}
	if r.q.Column == "" && r.q.Sort == "" && len(r.ops) == 0 {
		for i := range r.marks {
			if m := &r.marks[i]; m.value == "" && !m.taken {
				r.q.Column, m.taken = m.column.Name, true
				return
			}
		}
	}
}

// several reads figures that are asked for together: 금액 합계와 평균, sum of units and average of amount, 지점별 금액과 수량. A word of computing
// means the columns that stand before it, up to the one before; or else those behind it; or else the same as its neighbour. ok is
// false where only one is asked for.
func (r *reading) several() (ok bool) {
	var open []*mention
	for i := range r.marks {
		if m := &r.marks[i]; m.value == "" && !m.taken && m.column.Kind == Number {
			open = append(open, m)
		}
	}
	ops := r.ops
	if len(ops) == 0 && len(open) > 1 && len(r.q.By) > 0 {
		ops = []saidDo{{Do: Sum, from: len(r.s), to: len(r.s)}}
	}
	if slices.ContainsFunc(ops, func(s saidDo) bool { return !s.measures() }) || len(ops) == 0 || len(ops) == 1 && len(open) < 2 {
		return false
	}
	take := func(from, to int) (list []string) {
		for _, m := range open {
			if !m.taken && m.from >= from && m.to <= to {
				m.taken = true
				list = append(list, m.column.Name)
			}
		}
		return list
	}
	of := make([][]string, len(ops))
	for i, o := range ops {
		from, to := 0, len(r.s)
		if i > 0 {
			from = ops[i-1].to
		}
		if i+1 < len(ops) {
			to = ops[i+1].from
		}
		if of[i] = take(from, o.from); len(of[i]) == 0 && o.Do != Count {
			of[i] = take(o.to, to)
		}
	}
	for i := range ops {
		for d := 1; len(of[i]) == 0 && ops[i].Do != Count && d < len(ops); d++ {
			if i >= d && ops[i-d].Do != Count {
				of[i] = of[i-d]
			} else if i+d < len(ops) && ops[i+d].Do != Count {
				of[i] = of[i+d]
			}
		}
	}
	var all []Measure
	for i, o := range ops {
		if o.Do == Count && len(ops) > 1 { // of several figures it is that of rows
			for _, name := range of[i] { // a column beside it was for who has none
				for k := range ops {
					if len(of[k]) == 0 && ops[k].Do != Count {
						of[k] = []string{name}
					}
				}
			}
			of[i] = nil
		}
	}
	for i, o := range ops {
		if len(of[i]) == 0 {
			all = append(all, Measure{Do: o.Do})
		}
		for _, name := range of[i] {
			all = append(all, Measure{o.Do, name})
		}
	}
	r.q.Do, r.q.Column, r.q.Also = all[0].Do, all[0].Column, all[1:]
	return true
}
