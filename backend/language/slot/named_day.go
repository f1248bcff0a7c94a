package slot

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/lazyregexp"
)

//go:embed named_days.tsv
var namedDaysTSV string

// namedDay is when a day with a name is: month-day (12-25), month, weekday and which of them (nov thu 4), or its dates.
type namedDay string

// in is the day in a year; ok is false when nobody knows it.
func (d namedDay) in(year int, today time.Time) (t time.Time, ok bool) {
	words := strings.Fields(string(d))
	date := fmt.Sprintf("%04d-%s", year, words[0])
	switch {
	case len(words) == 3:
		t = time.Date(year, months[words[0]], 1, 12, 0, 0, 0, today.Location())
		for weekday, wd := range enDays {
			if strings.HasPrefix(weekday, words[1]) {
				t = t.AddDate(0, 0, (int(wd)-int(t.Weekday())+7)%7+7*(number(words[2])-1))
			}
		}
		return t, true
	case len(words) > 1:
		at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, date[:5]) })
		if at < 0 {
			return t, false
		}
		date = words[at]
	}
	return exactDay(year, number(date[5:7]), number(date[8:]), today)
}

// next is the day in a named year, or the next time it comes round.
func (d namedDay) next(year int, today time.Time) (time.Time, bool) {
	if year > 0 {
		return d.in(year, today)
	}
	t, ok := d.in(today.Year(), today)
	if ok && t.Before(today) {
		return d.in(today.Year()+1, today)
	}
	return t, ok
}

// namedDays are the days by their names without spaces, and what finds a name in either language.
var namedDays = sync.OnceValue(func() (all struct {
	by            map[string]namedDay
	korean, latin string
},
) {
	all.by = map[string]namedDay{}
	var names [2][]string
	for line := range strings.Lines(namedDaysTSV) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		for i, cell := range cells[1:] {
			for name := range strings.SplitSeq(cell, "|") {
				if name == "" {
					continue
				}
				all.by[nameKey(name)] = namedDay(cells[0])
				names[i] = append(names[i], strings.NewReplacer(" ", `\s?`, "'", `['’]?`).Replace(regexp.QuoteMeta(name)))
			}
		}
	}
	for i := range names { // the longest first: a shorter one may begin it
		slices.SortFunc(names[i], func(a, b string) int { return len(b) - len(a) })
	}
	all.korean, all.latin = strings.Join(names[0], "|"), strings.Join(names[1], "|")
	return all
})

// namesDay tells whether all of a name is that of a day.
func namesDay(name string) bool {
	days := daySpans(strings.ToLower(name))
	return len(days) == 1 && days[0].Start == 0 && days[0].End == len(name)
}

// nameKey is a day's name as it is looked up.
func nameKey(name string) string {
	return strings.NewReplacer(" ", "", "'", "", "’", "").Replace(name)
}

// namedDayRules find days by their names: 내년 설날, 크리스마스까지, Christmas 2027. A word that only begins with a name (크리스마스트리) is none.
func namedDayRules() []dayRule {
	all := namedDays()
	return []dayRule{
		{
			re: lazyregexp.New(`((?:(\d{4})\s*년\s*|(올해|금년|내년|작년|내후년)\s*)?(` + all.korean + `))(?:$|[^가-힣]|까지|부터|날|에|엔|은|는|이|가|의|때|쯤|전|로|도|랑|하고)`), alone: true,
			on: func(g []string, t time.Time) (time.Time, bool) {
				return all.by[nameKey(g[4])].next(namedYear(g[2], g[3], t), t)
			},
		},
		{re: lazyregexp.New(`\b((` + all.latin + `)(?:,?\s+(\d{4}))?)\b`), on: func(g []string, t time.Time) (time.Time, bool) {
			return all.by[nameKey(g[2])].next(number(g[3]), t)
		}},
	}
}
