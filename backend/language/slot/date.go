package slot

import (
	"strings"
	"time"

	"agentchat/backend/lazyregexp"
)

var (
	isoDate   = lazyregexp.New(`\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b`)
	koDate    = lazyregexp.New(`(?:(\d{4})년\s*)?(\d{1,2})\s*월\s*(\d{1,2})\s*일`)
	koDayOnly = lazyregexp.New(`(\d{1,2})일(?:에|날|의|은|는|까지|자|\s|$)`)
	enDate    = lazyregexp.New(`\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s*(\d{4}))?`)
	enDate2   = lazyregexp.New(`\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b`)
	inDays    = lazyregexp.New(`(\d{1,3})\s*일\s*(?:뒤|후)|\bin (\d{1,3}) days?\b|\b(\d{1,3}) days? from now\b`)
	koWeekday = lazyregexp.New(`(이번\s*주|다음\s*주|담주|다다음\s*주|지난\s*주|저번\s*주|다음번|금주|차주)?\s*(월|화|수|목|금|토|일)요일`)
	enWeekday = lazyregexp.New(`\b(this|next|coming|last)?\s*(mon|tues|wednes|thurs|fri|satur|sun)day\b`)
)

var (
	months = map[string]time.Month{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}
	koDays = map[string]time.Weekday{"일": 0, "월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6}
	enDays = map[string]time.Weekday{"sun": 0, "mon": 1, "tues": 2, "wednes": 3, "thurs": 4, "fri": 5, "satur": 6}
)

// Date finds the first day a text names and gives it as 2006-01-02. A day that does not exist counts as none.
func Date(text string, now time.Time) (string, bool) {
	for _, d := range Days(text, now) {
		if !d.Impossible {
			return d.Date, true
		}
	}
	return "", false
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
