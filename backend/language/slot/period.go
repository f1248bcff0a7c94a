package slot

import (
	"time"

	"agentchat/backend/lazyregexp"
)

// The end of a longer time, by which something ends: 3월까지, 내년 2월 말까지, 연말까지, until March, through next month.
var (
	koMonthEnd  = lazyregexp.New(`(?:^|[\s,])((?:(내년|올해|(\d{4})\s?년)\s?)?(` + koNumber + `)\s?월(?:\s?말)?까지만?)`)
	koPeriodEnd = lazyregexp.New(`(?:^|[\s,])((?:(다음)\s?|이번\s?|이)?(주|달|월말|올해|연말|내년)(?:\s?말)?까지만?)`)
	enMonthEnd  = lazyregexp.New(`(?:^|[\s,])((until|till?|through)\s+(the\s+end\s+of\s+)?(` + enMonths + `)\.?(?:,?\s+(\d{4}))?)(?:$|[,.!?]|\s+[a-z])`)
	enPeriodEnd = lazyregexp.New(`(?:^|[\s,])((until|till?|through)\s+(the\s+end\s+of\s+)?(the|this|next)\s+(week|month|year))\b`)
)

// periodUnits are the lengths of what Korean names as an end.
var periodUnits = map[string]string{"주": "week", "달": "month", "월말": "month", "올해": "year", "연말": "year", "내년": "year"}

// lastOfPeriod finds the last day of what goes on until a month, a week or a year, and the bytes that say so. In Korean that time belongs
// to it; in English what is until a time ends before it, unless its end is named.
func lastOfPeriod(s string, today time.Time) (day time.Time, start, end int, ok bool) {
	if m := koMonthEnd.FindStringSubmatchIndex(s); m != nil {
		g := spanned(s, m)
		year := number(g[3])
		switch g[2] {
		case "내년":
			year = today.Year() + 1
		case "올해":
			year = today.Year()
		}
		day, ok = lastOfMonth(time.Month(sinoNumber(g[4])), year, today)
		return day, m[2], m[3], ok
	}
	if m := koPeriodEnd.FindStringSubmatchIndex(s); m != nil {
		g := spanned(s, m)
		return lastOf(periodUnits[g[3]], g[2] != "" || g[3] == "내년", today), m[2], m[3], true
	}
	if m := enMonthEnd.FindStringSubmatchIndex(s); m != nil {
		g := spanned(s, m)
		if day, ok = lastOfMonth(months[g[4][:3]], number(g[5]), today); g[2] != "through" && g[3] == "" {
			day = day.AddDate(0, 0, -day.Day())
		}
		return day, m[2], m[3], ok && !day.Before(today)
	}
	if m := enPeriodEnd.FindStringSubmatchIndex(s); m != nil {
		g := spanned(s, m)
		next := g[4] == "next"
		if next && g[2] != "through" && g[3] == "" {
			next = false // until next week: this one is the last
		}
		return lastOf(g[5], next, today), m[2], m[3], true
	}
	return day, 0, 0, false
}

// lastOf is the last day of this week, month or year, or of the next.
func lastOf(unit string, next bool, today time.Time) time.Time {
	n := 0
	if next {
		n = 1
	}
	switch unit {
	case "week":
		return monday(today).AddDate(0, 0, 6+7*n)
	case "month":
		return time.Date(today.Year(), today.Month()+time.Month(1+n), 0, 12, 0, 0, 0, today.Location())
	}
	return time.Date(today.Year()+n, time.December, 31, 12, 0, 0, 0, today.Location())
}

// lastOfMonth is the last day of a month of a year, or without one of the next time that month comes to its end.
func lastOfMonth(month time.Month, year int, today time.Time) (day time.Time, ok bool) {
	if month < time.January || month > time.December {
		return day, false
	}
	at := func(year int) time.Time { return time.Date(year, month+1, 0, 12, 0, 0, 0, today.Location()) }
	if year > 0 {
		day = at(year)
		return day, !day.Before(today)
	}
	if day = at(today.Year()); day.Before(today) {
		day = at(today.Year() + 1)
	}
	return day, true
}

// spanned are the groups of a match.
func spanned(s string, m []int) []string {
	g := make([]string, len(m)/2)
	for k := range g {
		if m[2*k] >= 0 {
			g[k] = s[m[2*k]:m[2*k+1]]
		}
	}
	return g
}
