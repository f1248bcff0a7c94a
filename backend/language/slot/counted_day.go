package slot

import (
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

// How a day is counted from another one: behind it in Korean (오늘부터 100일 뒤), before it in English (3 weeks after Christmas).
var (
	countedKO = lazyregexp.New(`^(?:(?:으?로)?부터|에서(?:부터)?)\s*(?:(` + koCount + `)\s*(일|주일|주|달|개월|년)|(` + nativeSpans + `))\s*(뒤|후|지나서|지나면|전|째)`)
	countedEN = lazyregexp.New(`\b(?:(` + enCount + `) (day|week|month|year)s?|the day) (from|after|before) $`)
)

// fromDays joins the days that are counted from another one that is named with it. They stand in the order of the text.
func fromDays(s string, days []Day) []Day {
	out := days[:0]
	for _, d := range days {
		if n := len(out); n > 0 && d.Start < out[n-1].End {
			continue // how far from the day before
		}
		base, sign := d.on, 1
		var n int
		var unit string
		if m := countedKO.FindStringSubmatchIndex(s[d.End:]); m != nil {
			g := spanned(s[d.End:], m)
			if n, unit = koreanCount(g[1]), g[2]; g[3] != "" {
				n, unit = nativeDays[g[3]], "일"
			}
			switch {
			case g[4] == "전":
				sign = -1
			case g[4] == "째" && unit == "일": // the first day is the one it is counted from
				n--
			}
			d.End += m[1]
		} else if m := countedEN.FindStringSubmatchIndex(s[:d.Start]); m != nil {
			g := spanned(s[:d.Start], m)
			if n, unit = englishCount(g[1]), g[2]; g[1] == "" {
				n, unit = 1, "day"
			}
			if g[3] == "before" {
				sign = -1
			}
			d.Start = m[0]
		}
		if n > 0 {
			d.Weekly = false
			d.on = func(today time.Time) (time.Time, bool) {
				t, ok := base(today)
				if !ok {
					return t, false
				}
				return ahead(sign*n, unit, t)
			}
		}
		out = append(out, d)
	}
	return out
}

// nthWeekday is the first, second … or last day of the week of a month; -1 is the last.
func nthWeekday(year int, month time.Month, nth int, wd time.Weekday, today time.Time) (time.Time, bool) {
	first := time.Date(year, month, 1, 12, 0, 0, 0, today.Location())
	if nth < 0 {
		last := first.AddDate(0, 1, -1)
		return last.AddDate(0, 0, -(int(last.Weekday())-int(wd)+7)%7), true
	}
	day := first.AddDate(0, 0, (int(wd)-int(first.Weekday())+7)%7+7*(nth-1))
	return day, nth > 0 && day.Month() == first.Month()
}

var nths = map[string]int{
	"첫": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "마지막": -1,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "last": -1,
}

// nthWeekdayRules find a day by its place in a month: 12월 첫째 주 월요일, 다음 달 마지막 금요일, the first Friday of December.
func nthWeekdayRules() []dayRule {
	return []dayRule{
		{
			re: lazyregexp.New(`((?:(?:(\d{4}|\d{2})\s*년\s*|(올해|금년|내년|작년|내후년)\s*)?(` + koNumber + `)\s*월|(` + koMonths + `))\s*(?:의\s*)?(?:(첫|둘|셋|넷|다섯|두|세|네|[1-5])\s?(?:번째|째)|(마지막))\s*(?:주\s*)?(월|화|수|목|금|토|일)요일)`), alone: true,
			on: func(g []string, today time.Time) (time.Time, bool) {
				return inMonth(namedYear(g[2], g[3], today), sinoNumber(g[4]), koMonthShift(g[5]), g[4] == "", nths[g[6]+g[7]], koDays[g[8]], today)
			},
		},
		{
			re: lazyregexp.New(`\b((?:on )?(?:the )?(first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th) (mon|tues|wednes|thurs|fri|satur|sun)day (?:of|in) (?:(?:the )?(next|this) month|(` + enMonths + `)(?:,? (\d{4}))?))\b`),
			on: func(g []string, today time.Time) (time.Time, bool) {
				month, shift := 0, 0
				if g[5] != "" {
					month = int(months[g[5][:3]])
				} else if g[4] == "next" {
					shift = 1
				}
				return inMonth(year(g[6]), month, shift, month == 0, nths[g[2]], enDays[g[3]], today)
			},
		},
	}
}

// inMonth is a day of the week of a month that is named or counted from this one; of a month without a year it is the next to come.
func inMonth(year, month, shift int, counts bool, nth int, wd time.Weekday, today time.Time) (time.Time, bool) {
	if counts {
		return nthWeekday(today.Year(), today.Month()+time.Month(shift), nth, wd, today)
	}
	if month < 1 || month > 12 {
		return time.Time{}, false
	}
	if year > 0 {
		return nthWeekday(year, time.Month(month), nth, wd, today)
	}
	t, ok := nthWeekday(today.Year(), time.Month(month), nth, wd, today)
	if ok && t.Before(today) {
		return nthWeekday(today.Year()+1, time.Month(month), nth, wd, today)
	}
	return t, ok
}

// koMonths are the months counted from this one.
const koMonths = `이번\s*달|이달|금월|다음\s*달|담달|내달|차월|다다음\s*달|지난\s*달|저번\s*달`

// nativeSpans are the spans of days with a name of their own.
var nativeSpans = strings.Join([]string{"하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘", "보름", "일주일", "이주일"}, "|")
