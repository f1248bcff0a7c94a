package slot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

// Day is one day a text names.
type Day struct {
	Date       string // 2006-01-02 where the customer is; "" when Impossible
	Impossible bool   // named, but there is no such day: 2월 30일
	Weekly     bool   // named as a day of the week, of no week: who says so when its time is over means the next one
	Start, End int    // bytes of the text
	on         func(today time.Time) (time.Time, bool)
}

// Days finds every day a text names, in order: 내일, 다음 주 금요일, 이번 달 말일, 3월 5일, 3/5, 2026-12-01, 열흘 뒤, next Friday, in 3 days, 1 December
// 2026. A month and day without a year are the next to come. A day that does not exist is given as Impossible, never
// moved. now is the customer's time, with their zone. It takes time linear in the text.
func Days(text string, now time.Time) []Day { return DaysIn(Read(text), now) }

// DaysIn is Days for a text that was read before.
func DaysIn(r Reading, now time.Time) []Day {
	today := civilDay(now)
	out := daySpans(r.Text)
	for i := range out {
		d := &out[i]
		if t, ok := d.on(today); ok && t.Year() >= 1900 && t.Year() < 3000 {
			d.Date = t.Format(time.DateOnly)
		} else {
			d.Impossible = true
		}
		d.Start, d.End = r.Span(d.Start, d.End)
	}
	return out
}

// civilDay is the day of t at noon: no zone skips noon, whatever its clocks do in spring.
func civilDay(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, t.Location())
}

// dayRule is one way to name a day. on makes the day of the pattern's groups; without it the pattern only looks like a day
// (3일 동안).
type dayRule struct {
	re     *lazyregexp.Regexp
	alone  bool // may not begin inside a Korean word
	weekly bool // the second group says which week, if any
	on     func(g []string, today time.Time) (time.Time, bool)
}

// daySpans finds where days are named in a text that was read. The leftmost wins, then the longest, then the rule that
// stands first.
func daySpans(s string) []Day {
	var all []Day
	for i := range dayRules {
		all = dayRules[i].appendDays(all, s)
	}
	slices.SortStableFunc(all, func(a, b Day) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	out, end := all[:0], 0
	for _, d := range all {
		if d.Start < end {
			continue
		}
		end = d.End
		if d.on != nil {
			out = append(out, d)
		}
	}
	return fromDays(s, out)
}

// appendDays adds where a rule finds a day, and what only looks like one.
func (rule *dayRule) appendDays(all []Day, s string) []Day {
	for _, m := range rule.re.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		if len(m) > 3 && m[2] >= 0 { // the first group is the span where the pattern looks around it
			start, end = m[2], m[3]
		}
		if insideNumber(s, start, end) || rule.alone && hangulSyllable(before(s, start)) && !dative(s[:start]) {
			continue
		}
		d := Day{Start: start, End: end}
		if rule.on != nil {
			groups := spanned(s, m)
			d.Weekly = rule.weekly && groups[2] == ""
			d.on = func(today time.Time) (time.Time, bool) { return rule.on(groups, today) }
		}
		all = append(all, d)
	}
	return all
}

// insideNumber tells whether digits go on at either end of a span.
func insideNumber(s string, start, end int) bool {
	r := before(s, start)
	return isDigit(after(s, start)) && (isDigit(r) || strings.ContainsRune("-/.,:", r) && isDigit(before(s, start-1))) || isDigit(before(s, end)) && isDigit(after(s, end))
}

// dative tells whether a text ends in a particle that a glued day may follow: 엄마한테내일.
func dative(s string) bool {
	return slices.ContainsFunc([]string{"한테", "에게", "은", "는", "을", "를", "로", "서"}, func(p string) bool { return strings.HasSuffix(s, p) })
}

const (
	koNumber  = `(?:\d{1,3}|[이삼]?십[일이삼사오육칠팔구]?|[일이삼사오육유칠팔구시십])`
	koCount   = `(?:\d{1,3}|한|두|세|석|네|넉|다섯|여섯|[이삼]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구십])`
	enMonths  = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	enCount   = `(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|fourteen|thirty)`
	laterWord = `\s*(?:뒤|후|있다가|지나서|이따)`
)

// dayRules are all ways to name a day. In each the first group is the span itself.
var dayRules = slices.Concat(namedDayRules(), nthWeekdayRules(), []dayRule{
	{re: lazyregexp.New(`((\d{4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,2}))`), on: func(g []string, t time.Time) (time.Time, bool) {
		return exactDay(number(g[2]), number(g[3]), number(g[4]), t)
	}},
	{re: lazyregexp.New(`((?:(\d{4}|\d{2})\s*년\s*|(올해|금년|내년|작년|내후년)\s*)?(` + koNumber + `)\s*월\s*(?:(` + koNumber + `)\s*일|(말일|말|마지막\s?날)))`), alone: true, on: koreanDay},
	{re: lazyregexp.New(`((\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?)`), on: func(g []string, t time.Time) (time.Time, bool) {
		return comingDay(year(g[4]), number(g[2]), number(g[3]), t)
	}},
	{re: lazyregexp.New(`((` + koMonths + `)\s*(?:(` + koNumber + `)\s*일|(말일|말|마지막\s?날)))`), alone: true, on: func(g []string, t time.Time) (time.Time, bool) {
		return monthDay(koMonthShift(g[2]), g[3], t)
	}},
	{re: lazyregexp.New(`(월말|말일)`), alone: true, on: func(_ []string, t time.Time) (time.Time, bool) { return monthDay(0, "", t) }},
	{re: lazyregexp.New(`(end of (?:the |this )?(next )?month|(?:the )?last day of (?:the |this )?(next )?month)`), on: func(g []string, t time.Time) (time.Time, bool) {
		shift := 0
		if g[2] != "" || g[3] != "" {
			shift = 1
		}
		return monthDay(shift, "", t)
	}},
	{re: lazyregexp.New(`\b((?:the )?(\d{1,2})(?:st|nd|rd|th) of (next|this) month|(next|this) month on the (\d{1,2})(?:st|nd|rd|th))\b`), on: func(g []string, t time.Time) (time.Time, bool) {
		shift := 0
		if g[3] == "next" || g[4] == "next" {
			shift = 1
		}
		return monthDay(shift, g[2]+g[5], t)
	}},
	{re: lazyregexp.New(`\b((` + enMonths + `)\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?)\b`), on: func(g []string, t time.Time) (time.Time, bool) {
		return comingDay(year(g[4]), int(months[g[2][:3]]), number(g[3]), t)
	}},
	{re: lazyregexp.New(`\b((?:the )?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(` + enMonths + `)(?:,?\s+(\d{4}))?)\b`), on: func(g []string, t time.Time) (time.Time, bool) {
		return comingDay(year(g[4]), int(months[g[3][:3]]), number(g[2]), t)
	}},
	{re: lazyregexp.New(`((?:(이번\s*주|금주|다다음\s*주|다음\s*주|다음번|담\s*주|차주|지난\s*주|저번\s*주)\s*)?(월|화|수|목|금|토|일)요일)`), alone: true, weekly: true, on: func(g []string, t time.Time) (time.Time, bool) {
		return koreanWeekday(t, strings.TrimSpace(g[2]), koDays[g[3]]), true
	}},
	{re: lazyregexp.New(`\b((?:on )?(this|next|coming|last)?\s*(mon|tues|wednes|thurs|fri|satur|sun)day)\b`), weekly: true, on: func(g []string, t time.Time) (time.Time, bool) {
		return englishWeekday(t, g[2], enDays[g[3]]), true
	}},
	{re: lazyregexp.New(`(` + koCount + `\s?(?:일|주|달|개월)\s?(?:동안|간|치|이내|내로|만에|전|째|마다))`), alone: true},
	{re: lazyregexp.New(`((` + koCount + `)\s*(일|주일|주|달|개월|년)` + laterWord + `)`), alone: true, on: func(g []string, t time.Time) (time.Time, bool) {
		return later(koreanCount(g[2]), g[3], t)
	}},
	{re: lazyregexp.New(`((` + nativeSpans + `)` + laterWord + `)`), alone: true, on: func(g []string, t time.Time) (time.Time, bool) {
		return t.AddDate(0, 0, nativeDays[g[2]]), true
	}},
	{re: lazyregexp.New(`\b(in (` + enCount + `) (day|week|month)s?|(` + enCount + `) (day|week|month)s? (?:from now|later))\b`), on: func(g []string, t time.Time) (time.Time, bool) {
		return later(englishCount(g[2]+g[4]), g[3]+g[5], t)
	}},
	{re: lazyregexp.New(`((?:the )?day after tomorrow)\b`), on: shift(2)},
	{re: lazyregexp.New(`(내일\s?모레|낼\s?모레|모레)`), alone: true, on: shift(2)},
	{re: lazyregexp.New(`(그글피)`), alone: true, on: shift(4)},
	{re: lazyregexp.New(`(글피)`), alone: true, on: shift(3)},
	{re: lazyregexp.New(`(내일|명일|익일)`), alone: true, on: shift(1)},
	{re: lazyregexp.New(`(?:^|[^가-힣])(낼)(?:$|[^가-힣]|까지|은|부터)`), on: shift(1)},
	{re: lazyregexp.New(`(엊그제|그저께|그제)(?:$|[^서야])`), alone: true, on: shift(-2)},
	{re: lazyregexp.New(`(어제|어저께)`), alone: true, on: shift(-1)},
	{re: lazyregexp.New(`(오늘|금일|당일)`), alone: true, on: shift(0)},
	{re: lazyregexp.New(`\b(tomm?orr?ow|tmrw|tmr)\b`), on: shift(1)},
	{re: lazyregexp.New(`\b(yesterday)\b`), on: shift(-1)},
	{re: lazyregexp.New(`\b(today|tonight)\b`), on: shift(0)},
	{re: lazyregexp.New(`((?:이번\s*|금\s*|(다음\s*|담\s*))?주말)`), alone: true, on: func(g []string, t time.Time) (time.Time, bool) {
		if g[2] != "" {
			return monday(t).AddDate(0, 0, 12), true
		}
		return englishWeekday(t, "", time.Saturday), true
	}},
	{re: lazyregexp.New(`\b((?:this )?weekend)\b`), on: func(_ []string, t time.Time) (time.Time, bool) { return englishWeekday(t, "", time.Saturday), true }},
	{re: lazyregexp.New(`(?:^|[^\d월년.,/-])((\d{1,2})\s?일)(?:에|날|의|은|는|까지|자|로|부터|\s|$|[.,!?])`), on: func(g []string, t time.Time) (time.Time, bool) {
		return dayOfMonth(number(g[2]), t)
	}},
	{re: lazyregexp.New(`\b((?:on )?the (\d{1,2})(?:st|nd|rd|th))\b`), on: func(g []string, t time.Time) (time.Time, bool) {
		return dayOfMonth(number(g[2]), t)
	}},
})

var nativeDays = map[string]int{"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10, "보름": 15, "일주일": 7, "이주일": 14}

func shift(days int) func([]string, time.Time) (time.Time, bool) {
	return func(_ []string, t time.Time) (time.Time, bool) { return t.AddDate(0, 0, days), true }
}

// koreanDay reads [year] month day, or the end of a month.
func koreanDay(g []string, today time.Time) (time.Time, bool) {
	y := namedYear(g[2], g[3], today)
	m := sinoNumber(g[4])
	if g[6] == "" {
		return comingDay(y, m, sinoNumber(g[5]), today)
	}
	if m < 1 || m > 12 {
		return time.Time{}, false
	}
	if y == 0 {
		y = today.Year()
		if m < int(today.Month()) {
			y++
		}
	}
	return time.Date(y, time.Month(m)+1, 0, 12, 0, 0, 0, today.Location()), true
}

// namedYear is a year in digits or by its name; 0 when there is neither.
func namedYear(digits, name string, today time.Time) int {
	switch name {
	case "올해", "금년":
		return today.Year()
	case "내년":
		return today.Year() + 1
	case "작년":
		return today.Year() - 1
	case "내후년":
		return today.Year() + 2
	}
	return year(digits)
}

// exactDay is the day of a named year.
func exactDay(y, m, d int, today time.Time) (time.Time, bool) {
	t := time.Date(y, time.Month(m), d, 12, 0, 0, 0, today.Location())
	return t, m >= 1 && m <= 12 && d >= 1 && t.Day() == d && t.Month() == time.Month(m)
}

// comingDay is the day of a named year, or the next time the month and day come round. 29 February of a year that has
// none is no day.
func comingDay(y, m, d int, today time.Time) (time.Time, bool) {
	if y > 0 {
		return exactDay(y, m, d, today)
	}
	y = today.Year()
	if m < int(today.Month()) || m == int(today.Month()) && d < today.Day() {
		y++
	}
	return exactDay(y, m, d, today)
}

// dayOfMonth is the next day with that number, this month or the next.
func dayOfMonth(d int, today time.Time) (time.Time, bool) {
	if d < 1 || d > 31 {
		return time.Time{}, false
	}
	if d >= today.Day() {
		return exactDay(today.Year(), int(today.Month()), d, today)
	}
	next := time.Date(today.Year(), today.Month()+1, 1, 12, 0, 0, 0, today.Location())
	return exactDay(next.Year(), int(next.Month()), d, today)
}

// monthDay is a day of a month counted from this one; no day means its last.
func monthDay(shift int, day string, today time.Time) (time.Time, bool) {
	first := time.Date(today.Year(), today.Month()+time.Month(shift), 1, 12, 0, 0, 0, today.Location())
	if day == "" {
		return first.AddDate(0, 1, -1), true
	}
	return exactDay(first.Year(), int(first.Month()), sinoNumber(day), today)
}

func koMonthShift(w string) int {
	switch strings.ReplaceAll(w, " ", "") {
	case "다음달", "담달", "내달", "차월":
		return 1
	case "다다음달":
		return 2
	case "지난달", "저번달":
		return -1
	}
	return 0
}

// later counts days, weeks, months or years from today.
func later(n int, unit string, today time.Time) (time.Time, bool) {
	if n < 1 {
		return time.Time{}, false
	}
	return ahead(n, unit, today)
}

// ahead counts from a day on, or back. A month from the 31st is the last day of a shorter month.
func ahead(n int, unit string, from time.Time) (time.Time, bool) {
	switch unit {
	case "일", "day":
		return from.AddDate(0, 0, n), true
	case "주", "주일", "week":
		return from.AddDate(0, 0, 7*n), true
	case "년", "year":
		n *= 12
	}
	end := time.Date(from.Year(), from.Month()+time.Month(n)+1, 0, 12, 0, 0, 0, from.Location())
	if from.Day() >= end.Day() {
		return end, true
	}
	return from.AddDate(0, n, 0), true
}

// year reads 2026 and 26; 0 is no year.
func year(s string) int {
	if len(s) == 2 {
		return 2000 + number(s)
	}
	return number(s)
}

// number reads plain digits; anything else is 0.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// sinoNumber reads digits or a Korean number below 100. 유월 and 시월 drop a consonant.
func sinoNumber(s string) int {
	n, last := 0, 0
	for _, r := range s {
		switch {
		case isDigit(r):
			return number(s)
		case r == '십', r == '시':
			n, last = max(last, 1)*10, 0
		case r == '유':
			last = 6
		default:
			last = int(sinoDigit[r])
		}
	}
	return n + last
}

var koreanCounts = map[string]int{"한": 1, "두": 2, "세": 3, "석": 3, "네": 4, "넉": 4, "다섯": 5, "여섯": 6}

func koreanCount(s string) int {
	if n := koreanCounts[s]; n > 0 {
		return n
	}
	return sinoNumber(s)
}

func englishCount(s string) int {
	if s == "a" || s == "an" {
		return 1
	}
	if n, ok := englishSmall[s]; ok {
		return int(n)
	}
	return number(s)
}
