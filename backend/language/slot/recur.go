package slot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

// Recurrence is what a text says of when something shall happen again and again, as RFC 5545 calls it. Any of the three parts may
// be missing: how often, at which time of day, and until when.
type Recurrence struct {
	Freq     string // MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY; "" when the text says nothing of it
	Interval int    // every how many of them
	Weekdays []time.Weekday
	Day      int // of the month; -1: the last
	Month    time.Month

	Hours  []int // none: no time of day is said
	Minute int

	Until string // the last day, 2006-01-02; "" without
	Count int    // how often in all; 0 without

	said  [2]int   // the bytes of the text that say how often
	spans [][2]int // and all the bytes of the text it stands on
}

// Repeats tells whether how often was said.
func (r Recurrence) Repeats() bool { return r.Freq != "" }

// Timed tells whether a time of day was said.
func (r Recurrence) Timed() bool { return len(r.Hours) > 0 }

// Ends tells whether an end was said.
func (r Recurrence) Ends() bool { return r.Until != "" || r.Count > 0 }

// Often is how often, as the text has it.
func (r Recurrence) Often(text string) string { return text[r.said[0]:r.said[1]] }

// After is the word of the text behind those that say how often.
func (r Recurrence) After(text string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(text[r.said[1]:], " ,"), " ")
	return word
}

// Rest is the text without what the recurrence stands on: what is to be done.
func (r Recurrence) Rest(text string) string {
	spans := slices.Clone(r.spans)
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] >= at {
			b.WriteString(text[at:s[0]] + " ")
		}
		at = max(at, s[1])
	}
	b.WriteString(text[at:])
	return strings.Trim(strings.Join(strings.Fields(b.String()), " "), " ,;:")
}

const (
	koWeekday1  = `[월화수목금토일]`
	koWeekdayes = `(?:(?:` + koWeekday1 + `(?:요일)?(?:\s?[,/]\s?|\s?(?:과|와|이랑|랑|하고)\s?)?)*` + koWeekday1 + `요일|` + koWeekday1 + `{2,6})`
	enWeekday1  = `(?:mon|tues|wednes|thurs|fri|satur|sun)days?`
	enWeekdayes = `(?:` + enWeekday1 + `(?:(?:, and |, | and | & )` + enWeekday1 + `)*)`
	enDayOf     = `(?:(\d{1,2})(?:st|nd|rd|th)|(last day))`
)

// recurRule is one way to say how often. The first group is the span.
type recurRule struct {
	re *lazyregexp.Regexp
	on func(r *Recurrence, g []string) bool
}

func recurring(pattern string, on func(r *Recurrence, g []string) bool) recurRule {
	return recurRule{lazyregexp.New(`(?:^|[\s,.!?(])((?:` + pattern + `)(?:으로|로)?)(?:$|[\s,.!?)])`), on}
}

func every(freq string, interval int) func(*Recurrence, []string) bool {
	return func(r *Recurrence, _ []string) bool {
		r.Freq, r.Interval = freq, interval
		return true
	}
}

// eachUnit is every so many of a unit of time, the number and the unit in two groups.
func eachUnit(r *Recurrence, n int, unit string) bool {
	r.Interval = n
	switch unit {
	case "분", "minute":
		r.Freq = "MINUTELY"
	case "시간", "hour":
		r.Freq = "HOURLY"
	case "일", "day":
		r.Freq = "DAILY"
	case "주", "주일", "week":
		r.Freq = "WEEKLY"
	case "달", "개월", "month":
		r.Freq = "MONTHLY"
	case "년", "year":
		r.Freq = "YEARLY"
	}
	return n > 0 && r.Freq != ""
}

func weekly(interval int, days []time.Weekday) func(*Recurrence, []string) bool {
	return func(r *Recurrence, _ []string) bool {
		r.Freq, r.Interval, r.Weekdays = "WEEKLY", interval, days
		return true
	}
}

var (
	workdays = []time.Weekday{1, 2, 3, 4, 5}
	weekends = []time.Weekday{6, 0}
)

// recurRules are all ways to say how often. The leftmost that fits wins, then the longest.
var recurRules = []recurRule{
	recurring(`(?:매\s?(?:달|월)|다달이|달마다)(?:\s*(?:(`+koNumber+`)\s?일|(말일|말|마지막\s?날)))?(?:마다|에)?`, func(r *Recurrence, g []string) bool {
		return r.monthly(1, sinoNumber(g[2]), g[2] != "", g[3] != "")
	}),
	recurring(`(?:매\s?년|매\s?해|해마다)(?:\s*(`+koNumber+`)\s?월\s*(`+koNumber+`)\s?일)?(?:마다|에)?`, func(r *Recurrence, g []string) bool {
		r.Freq, r.Interval, r.Month, r.Day = "YEARLY", 1, time.Month(sinoNumber(g[2])), sinoNumber(g[3])
		return g[2] == "" || r.Month >= 1 && r.Month <= 12 && r.Day >= 1 && r.Day <= longest[r.Month]
	}),
	recurring(`(?:매\s?주|주마다|(격주)(?:로|마다)?|(`+koCount+`)\s?주일?(?:마다|에\s?한\s?번))(?:\s*(`+koWeekdayes+`))?(?:마다|에)?`, func(r *Recurrence, g []string) bool {
		r.Freq, r.Interval, r.Weekdays = "WEEKLY", 1, koreanWeekdays(g[4])
		if g[2] != "" {
			r.Interval = 2
		}
		if g[3] != "" {
			r.Interval = koreanCount(g[3])
		}
		return r.Interval > 0
	}),
	recurring(`(?:매\s?)?(`+koWeekdayes+`)마다|매\s?([월화수목금토일]요일)(?:에)?`, func(r *Recurrence, g []string) bool {
		return weekly(1, koreanWeekdays(g[2]+g[3]))(r, g)
	}),
	recurring(`(?:매주\s?)?(?:평일|주중)(?:마다|에만?|만)?|매\s?평일(?:에)?`, weekly(1, workdays)),
	recurring(`(?:매주\s?)?주말(?:마다|에만|만)|매\s?주\s?주말(?:에)?|매주말(?:마다|에)?`, weekly(1, weekends)),
	recurring(`(?:매\s?일|날마다|하루에?\s?한\s?번)(?:씩)?(?:마다|에)?`, every("DAILY", 1)),
	recurring(`(?:아침|점심|저녁|밤|새벽|오후|오전)마다`, every("DAILY", 1)),
	recurring(`격일(?:로|마다)?`, every("DAILY", 2)),
	recurring(`(하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름|일주일|이주일)(?:마다|에\s?한\s?번)`, func(r *Recurrence, g []string) bool {
		return every("DAILY", nativeDays[g[2]])(r, g)
	}),
	recurring(`(`+koCount+`)\s?(?:달|개월)\s?(?:마다|에\s?한\s?번)\s*(?:(`+koNumber+`)\s?일|(말일|마지막\s?날))에?`, func(r *Recurrence, g []string) bool {
		return r.monthly(koreanCount(g[2]), sinoNumber(g[3]), g[3] != "", g[4] != "")
	}),
	recurring(`(?:월말|매\s?월\s?말)(?:마다|에)|매\s?월말`, func(r *Recurrence, _ []string) bool { return r.monthly(1, 0, false, true) }),
	recurring(`(?:분기|매\s?분기)마다|매\s?분기(?:에)?|(?:every|each) quarter|quarterly`, every("MONTHLY", 3)),
	recurring(`(`+koCount+`)\s?(분|시간|일|달|개월|년)\s?(?:마다|에\s?한\s?번)(?:씩)?`, func(r *Recurrence, g []string) bool { return eachUnit(r, koreanCount(g[2]), g[3]) }),
	recurring(`(?:매\s?시간|매시\s?정각)(?:마다|에)?`, every("HOURLY", 1)),
	recurring(`(?:반\s?시간)마다|every half (?:an )?hour`, every("MINUTELY", 30)),

	recurring(`(?:on )?(?:the )?`+enDayOf+` (?:day )?of (?:every|each) month|(?:(?:every|each) month|monthly) on the `+enDayOf+`(?: of the month)?|every (\d{1,2})(?:st|nd|rd|th)(?: of the month)?`, func(r *Recurrence, g []string) bool {
		day := g[2] + g[4] + g[6]
		return r.monthly(1, number(day), day != "", g[3]+g[5] != "")
	}),
	recurring(`(?:every|each) (other|second|`+enCount+`) months on the `+enDayOf, func(r *Recurrence, g []string) bool {
		return r.monthly(ordinary(g[2]), number(g[3]), g[3] != "", g[4] != "")
	}),
	recurring(`once (?:a|every|per) (day|week|month|year)`, func(r *Recurrence, g []string) bool { return eachUnit(r, 1, g[2]) }),
	recurring(`(?:(?:every|each) year|yearly|annually) on (`+enMonths+`)\.? (\d{1,2})(?:st|nd|rd|th)?|(?:every|each) (`+enMonths+`) (\d{1,2})(?:st|nd|rd|th)?`, func(r *Recurrence, g []string) bool {
		r.Freq, r.Interval, r.Month, r.Day = "YEARLY", 1, months[(g[2] + g[4])[:3]], number(g[3]+g[5])
		return r.Day >= 1 && r.Day <= longest[r.Month]
	}),
	recurring(`(?:every|each)(?: (other|second|`+enCount+`))? (`+enWeekdayes+`)|(?:on )?((?:mon|tues|wednes|thurs|fri|satur|sun)days(?:(?:, and |, | and | & )(?:mon|tues|wednes|thurs|fri|satur|sun)days)*)`, func(r *Recurrence, g []string) bool {
		return weekly(ordinary(g[2]), englishWeekdays(g[3]+g[4]))(r, g)
	}),
	recurring(`(?:every|each) (?:weekday|workday|working day)s?|(?:on )?weekdays`, weekly(1, workdays)),
	recurring(`(?:every|each) weekends?|(?:on )?weekends`, weekly(1, weekends)),
	recurring(`(?:every|each) (?:(single|other|second|`+enCount+`) )?(minute|hour|day|week|month|year)s?`, func(r *Recurrence, g []string) bool {
		return eachUnit(r, ordinary(g[2]), g[3])
	}),
	recurring(`(?:every|each) (?:morning|afternoon|evening|night|noon)s?|every day in the (?:morning|afternoon|evening)`, every("DAILY", 1)),
	{lazyregexp.New(`(?:^|[\s,])((hour|dai|week|month|year)ly)(?: at\b| on\b|[,.!?]|$)`), func(r *Recurrence, g []string) bool {
		return eachUnit(r, 1, strings.Replace(g[2], "dai", "day", 1))
	}},
}

// longest is how many days a month may have.
var longest = [13]int{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func (r *Recurrence) monthly(interval, day int, named, last bool) bool {
	r.Freq, r.Interval, r.Day = "MONTHLY", interval, day
	if last {
		r.Day = -1
	}
	return interval > 0 && (!named || day >= 1 && day <= 31)
}

func ordinary(word string) int {
	switch word {
	case "", "single":
		return 1
	case "other", "second":
		return 2
	}
	return englishCount(word)
}

func koreanWeekdays(text string) (days []time.Weekday) {
	text = strings.ReplaceAll(text, "요일", "")
	for _, c := range text {
		if wd, ok := koDays[string(c)]; ok && !slices.Contains(days, wd) {
			days = append(days, wd)
		}
	}
	return days
}

func englishWeekdays(text string) (days []time.Weekday) {
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 'a' || c > 'z' }) {
		if wd, ok := enDays[strings.TrimSuffix(strings.TrimSuffix(word, "s"), "day")]; ok && !slices.Contains(days, wd) {
			days = append(days, wd)
		}
	}
	return days
}

var (
	quotedWords = lazyregexp.New(`(?:^|[\s:])('[^']*'|"[^"]*")`)
	clockTail   = lazyregexp.New(`^(?:마다|부터|에|쯤에?|로|으로)`)
	clockLink   = lazyregexp.New(`^(?:에)?\s*(?:,|와|과|하고|및|랑|and|&)\s*(?:at )?$`)
	halfBefore  = lazyregexp.New(`(?:오전|오후|아침|점심|저녁|밤|낮|새벽)에?\s*$`)
	dayHalf     = lazyregexp.New(`(?:아침|점심|저녁|밤|새벽|오후|오전)(?:마다|에)?|(?:in the |every |each )?(?:morning|noon|afternoon|evening|night)s?`)

	endToday = lazyregexp.New(`(?:^|[\s,])(오늘(?:까지)?만|오늘까지|(?:for |until (?:the end of )?)today(?: only)?|(?:only )?today only|only today)`)
	endWeek  = lazyregexp.New(`(?:^|[\s,])(이번\s?주만|(?:for )?this week only|only this week|(이번\s?달만|(?:for )?this month only|only this month))`)
	endTimes = lazyregexp.New(`(?:^|[\s,])((?:딱 |총 |모두 )?(` + koCount + `)\s?(?:번|회)(?:까지)?만|(?:only |for )?(` + enCount + `) times(?: only| in all)?)`)
	lastly   = lazyregexp.New(`,\s*((?:딱 |총 |모두 )?(` + koCount + `)\s?(?:번|회)(?:까지)?)[\s.!]*$`)
	endSpan  = lazyregexp.New(`(?:^|[\s,])((?:앞으로\s?)?(` + koCount + `)\s?(일|주일?|달|개월|년)\s?(?:동안|간)만?|(하루|이틀|사흘|나흘|닷새|열흘|보름|일주일|이주일)\s?(?:동안|간)만?|for (?:the next )?(` + enCount + `) (day|week|month|year)s?)`)
	endDay   = lazyregexp.New(`^까지만?`)
	endUntil = lazyregexp.New(`(?:until|till|through)\s+$`)
)

// Recur reads what a text says of when something happens again and again. What stands in quotation marks is not read. now is the
// customer's time, with their zone.
func Recur(text string, now time.Time) (r Recurrence) {
	read := Read(text)
	s := withoutQuotes(read.Text)
	take := func(start, end int) {
		from, to := read.Span(start, end)
		r.spans = append(r.spans, [2]int{from, to})
		s = blotted(s, start, end)
	}
	r.readEnd(s, now, take)
	often, start, end := recurrenceIn(s)
	clocks := Clocks(s, true)
	if often.Freq == "" && len(clocks) > 0 && strings.HasPrefix(s[clocks[0].End:], "마다") {
		often.Freq, often.Interval = "DAILY", 1
	}
	said := ""
	if often.Freq != "" {
		r.Freq, r.Interval, r.Weekdays, r.Day, r.Month = often.Freq, often.Interval, often.Weekdays, often.Day, often.Month
		if end > start {
			said = s[start:end]
			r.said[0], r.said[1] = read.Span(start, end)
			take(start, end)
		}
	}
	r.readClocks(s, said, clocks, take)
	return r
}

// withoutQuotes blots out what stands in quotation marks, byte for byte.
func withoutQuotes(s string) string {
	for _, m := range quotedWords.FindAllStringSubmatchIndex(s, -1) {
		s = blotted(s, m[2], m[3])
	}
	return s
}

func blotted(s string, start, end int) string {
	return s[:start] + strings.Repeat("\x00", end-start) + s[end:]
}

func recurrenceIn(s string) (best Recurrence, start, end int) {
	for i := range recurRules {
		m := recurRules[i].re.FindStringSubmatchIndex(s)
		if m == nil || end > start && cmp.Or(cmp.Compare(m[2], start), cmp.Compare(end, m[3])) >= 0 {
			continue
		}
		var r Recurrence
		if recurRules[i].on(&r, spanned(s, m)) {
			best, start, end = r, m[2], m[3]
		}
	}
	return best, start, end
}

// readClocks takes the first time of day, and those that are joined to it; without one the part of the day, if any is said.
func (r *Recurrence) readClocks(s, said string, clocks []Clock, take func(start, end int)) {
	end := 0
	for _, c := range clocks {
		link := ""
		if r.Timed() {
			if link = s[min(end, c.Start):c.Start]; !clockLink.MatchString(link) || c.Minute != r.Minute {
				break
			}
		}
		if part := cmp.Or(halfIn(said), halfIn(s)); !c.Sure && part != "" && !r.Timed() {
			c.inHalf(part)
		}
		if !c.Sure && c.Within(1, 5) {
			c.Hour += 12 // 3시에: nobody means the night
		}
		r.Hours, r.Minute = append(r.Hours, c.Hour%24), c.Minute
		begin := c.Start
		if link != "" {
			begin = end // with the word that joins it
		}
		if h := halfBefore.FindStringIndex(s[:begin]); h != nil {
			begin = h[0]
		}
		if strings.HasSuffix(s[:begin], "at ") {
			begin -= len("at ")
		}
		end = c.End + len(clockTail.FindString(s[c.End:]))
		take(begin, end)
		end = c.End
	}
	if !r.Timed() && r.Freq != "" && r.Freq != "HOURLY" && r.Freq != "MINUTELY" {
		r.readPart(s, said, take)
	}
}

// readPart takes the part of the day for its hour.
func (r *Recurrence) readPart(s, said string, take func(start, end int)) {
	if hour, ok := partHours[halfIn(said)]; ok {
		r.Hours = []int{hour}
		return
	}
	for _, m := range dayHalf.FindAllStringIndex(s, -1) {
		if hour, ok := partHours[halfIn(s[m[0]:m[1]])]; ok && m[0] > 0 && s[m[0]-1] == ' ' && strings.Trim(s[max(0, m[0]-2):m[0]], " ,") == "\x00" {
			r.Hours = []int{hour} // right behind what says how often: 매일 아침, every day in the morning
			take(m[0], m[1])
			return
		}
	}
}

func (r *Recurrence) readEnd(s string, now time.Time, take func(start, end int)) {
	today := civilDay(now)
	until := func(day time.Time) { r.Until = day.Format(time.DateOnly) }
	if m := endToday.FindStringSubmatchIndex(s); m != nil {
		until(today)
		take(m[2], m[3])
		return
	}
	if m := endWeek.FindStringSubmatchIndex(s); m != nil {
		until(monday(today).AddDate(0, 0, 6))
		if m[4] >= 0 {
			until(time.Date(today.Year(), today.Month()+1, 0, 12, 0, 0, 0, today.Location()))
		}
		take(m[2], m[3])
		return
	}
	if m := endTimes.FindStringSubmatchIndex(s); m != nil {
		if m[4] >= 0 {
			r.Count = koreanCount(s[m[4]:m[5]])
		} else {
			r.Count = englishCount(s[m[6]:m[7]])
		}
		if r.Count > 0 {
			take(m[2], m[3])
			return
		}
	}
	if m := lastly.FindStringSubmatchIndex(s); m != nil {
		if r.Count = koreanCount(s[m[4]:m[5]]); r.Count > 0 {
			take(m[2], m[3])
			return
		}
	}
	if m := endSpan.FindStringSubmatchIndex(s); m != nil {
		var day time.Time
		ok := true
		switch {
		case m[4] >= 0:
			day, ok = later(koreanCount(s[m[4]:m[5]]), s[m[6]:m[7]], today)
		case m[8] >= 0:
			day = today.AddDate(0, 0, nativeDays[s[m[8]:m[9]]])
		default:
			day, ok = later(englishCount(s[m[10]:m[11]]), s[m[12]:m[13]], today)
		}
		if ok {
			until(day.AddDate(0, 0, -1))
			take(m[2], m[3])
			return
		}
	}
	if day, start, end, ok := lastOfPeriod(s, today); ok {
		until(day)
		take(start, end)
		return
	}
	for _, d := range daySpans(s) {
		start, end := d.Start, d.End+len(endDay.FindString(s[d.End:]))
		if u := endUntil.FindStringIndex(s[:start]); u != nil {
			start = u[0]
		} else if end == d.End {
			continue
		}
		if day, ok := d.on(today); ok && !day.Before(today) {
			until(day)
			take(start, end)
			return
		}
	}
}

// morning is the hour of what names none, as for reminders.
const morning = 9

// Rule is the recurrence as RFC 5545 writes it, on the day of start where it names none, at nine where it names no time of day. A day
// that not every month has stands for the last one there.
func (r Recurrence) Rule(start time.Time) string {
	parts := []string{"FREQ=" + r.Freq}
	add := func(key string, value any) { parts = append(parts, fmt.Sprintf("%s=%v", key, value)) }
	if r.Interval > 1 {
		add("INTERVAL", r.Interval)
	}
	hours, minute := r.Hours, r.Minute
	if len(hours) == 0 {
		hours, minute = []int{morning}, 0
	}
	day, month := r.Day, r.Month
	if day == 0 {
		day = start.Day()
	}
	if month == 0 {
		month = start.Month()
	}
	switch r.Freq {
	case "WEEKLY":
		days := r.Weekdays
		if len(days) == 0 {
			days = []time.Weekday{start.Weekday()}
		}
		names := make([]string, len(days))
		for i, d := range days {
			names[i] = strings.ToUpper(d.String()[:2])
		}
		add("BYDAY", strings.Join(names, ","))
	case "YEARLY":
		add("BYMONTH", int(month))
		add("BYMONTHDAY", monthDays(day, longest[month]))
	case "MONTHLY":
		add("BYMONTHDAY", monthDays(day, 31))
	}
	hours = slices.Compact(slices.Sorted(slices.Values(hours)))
	if strings.Contains(parts[len(parts)-1], ",") && r.Freq != "WEEKLY" {
		add("BYSETPOS", numbers(fromEnd(len(hours)))) // every hour of the last of these days
	}
	if r.Freq != "HOURLY" && r.Freq != "MINUTELY" {
		add("BYHOUR", numbers(hours))
		add("BYMINUTE", minute)
		add("BYSECOND", 0)
	}
	if r.Until != "" {
		add("UNTIL", strings.ReplaceAll(r.Until, "-", "")+"T235959")
	}
	if r.Count > 0 {
		add("COUNT", r.Count)
	}
	return strings.Join(parts, ";")
}

// fromEnd are the last n of a set, as a rule counts them.
func fromEnd(n int) (list []int) {
	for i := -n; i < 0; i++ {
		list = append(list, i)
	}
	return list
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// monthDays is a day of a month; of one that a month may lack, all that may stand for it.
func monthDays(day, most int) string {
	if day <= 28 {
		return fmt.Sprint(day)
	}
	days := []string{}
	for d := 28; d <= min(day, most); d++ {
		days = append(days, fmt.Sprint(d))
	}
	return strings.Join(days, ",")
}
