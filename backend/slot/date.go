package slot

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoDate   = regexp.MustCompile(`\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b`)
	koDate    = regexp.MustCompile(`(?:(\d{4})년\s*)?(\d{1,2})\s*월\s*(\d{1,2})\s*일`)
	koDayOnly = regexp.MustCompile(`(\d{1,2})일(?:에|날|의|은|는|까지|자|\s|$)`)
	enDate    = regexp.MustCompile(`\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s*(\d{4}))?`)
	enDate2   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b`)
	inDays    = regexp.MustCompile(`(\d{1,3})\s*일\s*(?:뒤|후)|\bin (\d{1,3}) days?\b|\b(\d{1,3}) days? from now\b`)
	koWeekday = regexp.MustCompile(`(이번\s*주|다음\s*주|담주|다다음\s*주|지난\s*주|저번\s*주|다음번|금주|차주)?\s*(월|화|수|목|금|토|일)요일`)
	enWeekday = regexp.MustCompile(`\b(this|next|coming|last)?\s*(mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	weekends  = regexp.MustCompile(`(?:^|[^0-9])(?:이번|금)\s*주말|다음\s*주말|담\s*주말|주말`)
)

// relative days, longest first so that "내일 모레" is found before "내일".
var relativeDays = []struct {
	form string
	days int
}{
	{"day after tomorrow", 2},
	{"내일모레", 2},
	{"내일 모레", 2},
	{"낼모레", 2},
	{"그글피", 4},
	{"글피", 3},
	{"모레", 2},
	{"내일", 1},
	{"낼", 1},
	{"명일", 1},
	{"그저께", -2},
	{"그제", -2},
	{"어제", -1},
	{"엊그제", -2},
	{"tomorrow", 1},
	{"tommorow", 1},
	{"tomorow", 1},
	{"tmrw", 1},
	{"tmr", 1},
	{"yesterday", -1},
	{"오늘", 0},
	{"today", 0},
	{"tonight", 0},
	{"사흘 뒤", 3},
	{"사흘 후", 3},
	{"이틀 뒤", 2},
	{"이틀 후", 2},
	{"하루 뒤", 1},
	{"일주일 뒤", 7},
	{"일주일 후", 7},
	{"in a week", 7},
	{"a week from now", 7},
}

var (
	months = map[string]time.Month{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}
	koDays = map[string]time.Weekday{"일": 0, "월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6}
	enDays = map[string]time.Weekday{"sun": 0, "mon": 1, "tues": 2, "wednes": 3, "thurs": 4, "fri": 5, "satur": 6}
)

// Date finds a day and gives it as 2006-01-02: 내일, 모레, 다음 주 금요일, 3월 5일, 2026-12-01, next Friday, March 5. A month and day without
// a year is the next one to come.
func Date(text string, now time.Time) (string, bool) {
	d, _, _, ok := findDate(prepare(text), now)
	if !ok {
		return "", false
	}
	return d.Format(time.DateOnly), true
}

// findDate also gives where the date stands in text.
func findDate(text string, now time.Time) (time.Time, int, int, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	if m := isoDate.FindStringSubmatchIndex(text); m != nil {
		if d, ok := civil(num(text, m, 1), num(text, m, 2), num(text, m, 3), now); ok {
			return d, m[0], m[1], true
		}
	}
	if m := koDate.FindStringSubmatchIndex(text); m != nil {
		if d, ok := upcoming(num(text, m, 1), num(text, m, 2), num(text, m, 3), today); ok {
			return d, m[0], m[1], true
		}
	}
	if m := enDate.FindStringSubmatchIndex(text); m != nil {
		if d, ok := upcoming(num(text, m, 3), int(months[text[m[2]:m[3]]]), num(text, m, 2), today); ok {
			return d, m[0], m[1], true
		}
	}
	if m := enDate2.FindStringSubmatchIndex(text); m != nil {
		if d, ok := upcoming(0, int(months[text[m[4]:m[5]]]), num(text, m, 1), today); ok {
			return d, m[0], m[1], true
		}
	}
	if m := inDays.FindStringSubmatchIndex(text); m != nil {
		return today.AddDate(0, 0, num(text, m, 1)+num(text, m, 2)+num(text, m, 3)), m[0], m[1], true
	}
	if m := koWeekday.FindStringSubmatchIndex(text); m != nil {
		d := koreanWeekday(today, group(text, m, 1), koDays[group(text, m, 2)])
		return d, m[0], m[1], true
	}
	if m := enWeekday.FindStringSubmatchIndex(text); m != nil {
		d := englishWeekday(today, group(text, m, 1), enDays[group(text, m, 2)])
		return d, m[0], m[1], true
	}
	for _, r := range relativeDays {
		i := strings.Index(text, r.form)
		if i < 0 || r.form == "낼" && (i > 0 && text[i-1] != ' ' || strings.HasPrefix(text[i:], "낼게")) || r.form == "그제" && strings.HasPrefix(text[i:], "그제서") {
			continue
		}
		return today.AddDate(0, 0, r.days), i, i + len(r.form), true
	}
	if m := weekends.FindStringIndex(text); m != nil {
		d := englishWeekday(today, "", time.Saturday)
		if w := text[m[0]:m[1]]; strings.Contains(w, "다음") || strings.Contains(w, "담") {
			d = monday(today).AddDate(0, 0, 12)
		}
		return d, m[0], m[1], true
	}
	if i := strings.Index(text, "weekend"); i >= 0 {
		return englishWeekday(today, "", time.Saturday), i, i + len("weekend"), true
	}
	if i := strings.Index(text, "next week"); i >= 0 {
		return monday(today).AddDate(0, 0, 7), i, i + len("next week"), true
	}
	if m := koDayOnly.FindStringSubmatchIndex(text); m != nil {
		if day := num(text, m, 1); day >= 1 && day <= 31 {
			for k := range 3 {
				d := time.Date(today.Year(), today.Month()+time.Month(k), day, 0, 0, 0, 0, today.Location())
				if d.Day() == day && !d.Before(today) {
					return d, m[0], m[1], true
				}
			}
		}
	}
	return time.Time{}, 0, 0, false
}

func group(s string, m []int, i int) string {
	if m[2*i] < 0 {
		return ""
	}
	return s[m[2*i]:m[2*i+1]]
}

func num(s string, m []int, i int) int {
	n, _ := strconv.Atoi(group(s, m, i))
	return n
}

func civil(y, m, d int, now time.Time) (time.Time, bool) {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, now.Location())
	return t, m >= 1 && m <= 12 && d >= 1 && t.Day() == d
}

// upcoming is the next such day, or the day of a named year.
func upcoming(y, m, d int, today time.Time) (time.Time, bool) {
	if y > 0 {
		return civil(y, m, d, today)
	}
	for k := range 5 { // 29 February may be years away
		if t, ok := civil(today.Year()+k, m, d, today); ok && !t.Before(today) {
			return t, true
		}
	}
	return time.Time{}, false
}

func monday(day time.Time) time.Time { return day.AddDate(0, 0, -(int(day.Weekday())+6)%7) }

// koreanWeekday counts weeks from Monday, as Korean does: 다음 주 금요일 is the Friday of next week.
func koreanWeekday(today time.Time, week string, wd time.Weekday) time.Time {
	offset := (int(wd) + 6) % 7
	switch strings.ReplaceAll(week, " ", "") {
	case "이번주", "금주":
		return monday(today).AddDate(0, 0, offset)
	case "다음주", "담주", "차주":
		return monday(today).AddDate(0, 0, 7+offset)
	case "다다음주":
		return monday(today).AddDate(0, 0, 14+offset)
	case "지난주", "저번주":
		return monday(today).AddDate(0, 0, offset-7)
	}
	return today.AddDate(0, 0, (int(wd)-int(today.Weekday())+7)%7)
}

// englishWeekday reads "Friday" and "this Friday" as the coming one (today counts) and "next Friday" as the one in the next week.
func englishWeekday(today time.Time, which string, wd time.Weekday) time.Time {
	switch which {
	case "next":
		return monday(today).AddDate(0, 0, 7+(int(wd)+6)%7)
	case "last":
		return today.AddDate(0, 0, -((int(today.Weekday())-int(wd)+6)%7 + 1))
	}
	return today.AddDate(0, 0, (int(wd)-int(today.Weekday())+7)%7)
}
