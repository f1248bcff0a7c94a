package tablequery

import (
	"fmt"
	"strconv"
	"time"

	"agentchat/backend/language/bilingual"
)

// after is the day that follows what begins with a day.
func after(day string, each Each) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	switch each {
	case Month:
		t = t.AddDate(0, 1, 0)
	case Quarter:
		t = t.AddDate(0, 3, 0)
	case Year:
		t = t.AddDate(1, 0, 0)
	case Day, Weekday:
		t = t.AddDate(0, 0, 1)
	}
	return t.Format(time.DateOnly)
}

// key is the expression by which SQLite takes days together.
func (e Each) key(column string) string {
	switch e {
	case Month:
		return fmt.Sprintf("substr(%s,1,7)", column)
	case Quarter:
		return fmt.Sprintf("substr(%[1]s,1,5) || 'Q' || ((substr(%[1]s,6,2)+2)/3)", column)
	case Year:
		return fmt.Sprintf("substr(%s,1,4)", column)
	case Weekday:
		return fmt.Sprintf("((strftime('%%w', substr(%s,1,10))+6)%%7)", column) // from Monday
	case Day:
		return fmt.Sprintf("substr(%s,1,10)", column)
	}
	return column
}

// weekdays from Monday.
var weekdays = []bilingual.Text{
	{KO: "월요일", EN: "Monday"},
	{KO: "화요일", EN: "Tuesday"},
	{KO: "수요일", EN: "Wednesday"},
	{KO: "목요일", EN: "Thursday"},
	{KO: "금요일", EN: "Friday"},
	{KO: "토요일", EN: "Saturday"},
	{KO: "일요일", EN: "Sunday"},
}

// called is what a group is called whose key SQLite gave.
func (e Each) called(key string, lang bilingual.Lang) string {
	if n, err := strconv.Atoi(key); e == Weekday && err == nil && n >= 0 && n < len(weekdays) {
		return weekdays[n].In(lang)
	}
	return key
}

// leads is the number that a text begins with, for lists that count: 1월, 2월 … 10월. ok is false without one.
func leads(text string) (n int, ok bool) {
	end := 0
	for end < len(text) && end < 9 && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	return n, err == nil && len([]rune(text[end:])) <= 3
}
