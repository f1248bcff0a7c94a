package tablequery

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agentchat/backend/language/slot"
)

const (
	monthsEN = `(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)`
	oneDay   = `\d{4}\s?[-./년]\s?\d{1,2}\s?[-./월]\s?\d{1,2}일?|\d{4}년\s?\d{1,2}월|\d{4}-\d{2}\b|(?:(?:작년|올해|재작년)\s)?\d{1,2}월(?:\s?\d{1,2}일)?|\d{4}년|작년|올해|재작년|지난\s?달|이번\s?달|` + monthsEN + `(?:\s\d{4})?\b|last month|this month|last year|this year`
	bareYear = `|\b(?:19|20)\d{2}\b`
)

var (
	dayRange = regexp.MustCompile(`(?:from\s|between\s)?(` + oneDay + bareYear + `)(?:부터|에서|\sto\s|\sand\s|\s?~\s?|\s?-\s)\s?(` + oneDay + bareYear + `)(?:까지|\s?사이)?(?:의)?`)
	yearEN   = regexp.MustCompile(`\b(in|of|for|since|before|after|until|from|through)\s((?:19|20)\d{2})\b`)
	dayKO    = regexp.MustCompile(`(since|from|before|after|until|through|in|on|of|for)?\s?(` + oneDay + `)\s?(이후|이전|부터|까지|전|에만|에|의|만|중)?`)
	yearIn   = regexp.MustCompile(`(?:19|20)\d{2}`)
	monthKO  = regexp.MustCompile(`(\d{1,2})월(?:\s?(\d{1,2})일)?`)
)

// days reads filters by days, of a table that has such a column.
func (r *reading) days() {
	has := false
	for i := range r.sheet.Columns {
		has = has || r.sheet.Columns[i].Kind == Date
	}
	if !has {
		return
	}
	add := func(is Is, value, to string) bool {
		if value == "" || is == Between && to == "" {
			return false
		}
		r.q.Where = append(r.q.Where, Filter{Column: r.dateColumn().Name, Is: is, Value: value, To: to})
		return true
	}
	r.each(dayRange, func(m []int) bool {
		return add(Between, r.day(r.group(m, 1)), r.day(r.group(m, 3)))
	})
	for _, re := range []*regexp.Regexp{dayKO, yearEN} {
		r.each(re, func(m []int) bool {
			tail := ""
			if re == dayKO {
				tail = r.group(m, 4)
			}
			return add(dayIs(r.group(m, 1), tail), r.day(r.group(m, 2)), "")
		})
	}
	for _, d := range slot.Days(r.s, r.now) { // 오늘, 지난주 금요일
		if !d.Impossible && r.free(d.Start, d.End) && add(Equals, d.Date, "") {
			r.use(d.Start, d.End)
		}
	}
}

// dayIs is how a day is compared, by the words before and behind it.
func dayIs(lead, tail string) Is {
	switch {
	case lead == "since" || lead == "from" || tail == "이후" || tail == "부터":
		return AtLeast
	case lead == "after":
		return Above
	case lead == "before" || tail == "이전" || tail == "전":
		return Below
	case lead == "until" || lead == "through" || tail == "까지":
		return AtMost
	}
	return Equals
}

// day gives a day, month or year as a filter has it: 2026-03-02, 2026-03, 2026. One without its year is the last that the table has.
func (r *reading) day(text string) string {
	text = strings.TrimSpace(text)
	if iso, ok := readDate(text); ok {
		return iso
	}
	year, month, dom := "", 0, 0
	switch {
	case strings.HasPrefix(text, "작년"), text == "last year":
		year = strconv.Itoa(r.now.Year() - 1)
	case strings.HasPrefix(text, "올해"), text == "this year":
		year = strconv.Itoa(r.now.Year())
	case strings.HasPrefix(text, "재작년"):
		year = strconv.Itoa(r.now.Year() - 2)
	case strings.HasPrefix(text, "지난"), text == "last month":
		return r.now.AddDate(0, 0, -r.now.Day()).Format("2006-01")
	case strings.HasPrefix(text, "이번"), text == "this month":
		return r.now.Format("2006-01")
	default:
		year = yearIn.FindString(text)
	}
	if m := monthKO.FindStringSubmatch(text); m != nil {
		month, dom = atoi(m[1]), atoi(m[2])
	} else if len(text) == len("2006-01") && text[4] == '-' {
		month = atoi(text[5:])
	} else if len(text) >= 3 && text[0] >= 'a' && text[0] <= 'z' {
		for i := time.January; i <= time.December; i++ {
			if strings.HasPrefix(strings.ToLower(i.String()), text[:3]) {
				month = int(i)
			}
		}
	}
	if month > 12 || month == 0 && year == "" {
		return ""
	}
	if year == "" {
		year = r.yearOf(month)
	}
	switch {
	case month == 0:
		return year
	case dom == 0:
		return fmt.Sprintf("%s-%02d", year, month)
	case !there(year, strconv.Itoa(month), strconv.Itoa(dom)):
		return ""
	}
	return fmt.Sprintf("%s-%02d-%02d", year, month, dom)
}

// yearOf is the last year in which the table has, or may have, a month.
func (r *reading) yearOf(month int) string {
	newest := r.dateColumn().stat.newest
	if len(newest) < 7 {
		return strconv.Itoa(r.now.Year())
	}
	year := atoi(newest[:4])
	if atoi(newest[5:7]) < month {
		year--
	}
	return strconv.Itoa(year)
}
