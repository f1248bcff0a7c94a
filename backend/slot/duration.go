package slot

import (
	"math/big"
	"strings"
	"time"
)

// Duration finds a span of time in whole seconds: 5분 뒤에, 한 시간 반, in 20 minutes, half an hour. A clock time (오후 7시 반에, at 7:30 pm) counts
// from now to its next occurrence.
func Duration(text string, now time.Time) (int64, bool) {
	rs := []rune(prepare(text))
	if n, ok := span(rs); ok {
		return n, true
	}
	if at, ok := clockTime(rs, now); ok {
		return int64(at.Sub(now).Round(time.Second) / time.Second), true
	}
	return 0, false
}

// HasSpan tells whether text names a span of time (not a clock time).
func HasSpan(text string) bool {
	_, ok := span([]rune(prepare(text)))
	return ok
}

var units = []struct {
	form    string
	seconds int64
}{
	{"시간", 3600},
	{"분", 60},
	{"초", 1},
	{"주일", 604800},
	{"일", 86400},
	{"hours", 3600},
	{"hour", 3600},
	{"hrs", 3600},
	{"hr", 3600},
	{"h", 3600},
	{"minutes", 60},
	{"minute", 60},
	{"mins", 60},
	{"min", 60},
	{"m", 60},
	{"seconds", 1},
	{"second", 1},
	{"secs", 1},
	{"sec", 1},
	{"s", 1},
	{"days", 86400},
	{"day", 86400},
	{"weeks", 604800},
	{"week", 604800},
}

const maxSpan = 366 * 86400

// span adds up neighbouring amounts: 1시간 30분, an hour and a half, 1h30m.
func span(rs []rune) (int64, bool) {
	total, seen := new(big.Rat), false
	for i := 0; i < len(rs); {
		if !seen && !wordStart(rs, i) {
			i++
			continue
		}
		n, end, ok := spanPart(rs, i)
		if !ok {
			if seen && !glue(rs, &i) {
				break
			} else if !seen {
				i++
			}
			continue
		}
		total.Add(total, n)
		seen, i = true, end
	}
	if !seen || total.Cmp(big.NewRat(maxSpan, 1)) > 0 || total.Sign() <= 0 {
		return 0, false
	}
	q := new(big.Int).Quo(total.Num(), total.Denom())
	return q.Int64(), q.Sign() > 0
}

// glue steps over what may stand between two amounts.
func glue(rs []rune, i *int) bool {
	for _, g := range []string{" ", ",", "and "} {
		if hasAt(rs, *i, g) {
			*i += len(g)
			return true
		}
	}
	return false
}

func spanPart(rs []rune, i int) (*big.Rat, int, bool) {
	for _, f := range []struct {
		form    string
		seconds int64
	}{
		{"half an hour", 1800},
		{"half hour", 1800},
		{"half a minute", 30},
		{"an hour and a half", 5400},
		{"a hour and a half", 5400},
		{"quarter of an hour", 900},
		{"a quarter hour", 900},
		{"three quarters of an hour", 2700},
		{"a couple of minutes", 120},
		{"a couple minutes", 120},
		{"a couple of hours", 7200},
		{"a few minutes", 180},
		{"an hour", 3600},
		{"a minute", 60},
		{"a second", 1},
		{"a day", 86400},
		{"a week", 604800},
		{"반시간", 1800},
		{"반 시간", 1800},
		{"하루", 86400},
		{"이틀", 2 * 86400},
		{"사흘", 3 * 86400},
		{"일주일", 604800},
	} {
		if hasAt(rs, i, f.form) && spanEnds(rs, i+len([]rune(f.form))) {
			end := i + len([]rune(f.form))
			if f.form == "an hour" && hasAt(rs, end, " and half") {
				return big.NewRat(5400, 1), end + 9, true
			}
			return big.NewRat(f.seconds, 1), end, true
		}
	}
	n, end, ok := scanNumber(rs, i)
	if !ok {
		return nil, i, false
	}
	half := false
	if hasAt(rs, end, " and a half") {
		half, end = true, end+11
	}
	at := skipSpace(rs, end)
	if at < len(rs) && rs[at] == '-' {
		at++
	}
	for _, u := range units {
		e := at + len([]rune(u.form))
		if !hasAt(rs, at, u.form) || !spanEnds(rs, e) || isLatin(rs[at]) && e < len(rs) && isLatin(rs[e]) {
			continue
		}
		if (u.form == "분" || u.form == "초") && afterHour(rs, i) {
			continue // 4시 30분 is a time of day
		}
		if u.form == "일" && !dayIsSpan(rs, e) || u.form == "분" && hasAt(rs, at, "분기") || len(u.form) == 1 && isLatin(rs[at]) && at > end {
			continue
		}
		if len(u.form) <= 1 && u.form != "h" && u.form != "m" && u.form != "s" {
			continue
		}
		v := new(big.Rat).Mul(n, big.NewRat(u.seconds, 1))
		if half {
			v.Add(v, big.NewRat(u.seconds, 2))
		}
		if b := skipSpace(rs, e); u.seconds >= 60 && hasAt(rs, b, "반") && !hasAt(rs, b, "반드시") && !hasAt(rs, b, "반복") {
			v.Add(v, big.NewRat(u.seconds, 2))
			e = b + 1
		} else if hasAt(rs, e, " and a half") {
			v.Add(v, big.NewRat(u.seconds, 2))
			e += 11
		}
		return v, e, true
	}
	return nil, i, false
}

func afterHour(rs []rune, i int) bool {
	before := strings.TrimRight(string(rs[max(0, i-3):i]), " ")
	return strings.HasSuffix(before, "시")
}

func spanEnds(rs []rune, e int) bool {
	return e >= len(rs) || !isLatin(rs[e]) || !isLatin(rs[e-1])
}

// dayIsSpan keeps 3일 (the third) apart from 3일 뒤 (in three days).
func dayIsSpan(rs []rune, e int) bool {
	e = skipSpace(rs, e)
	return hasAt(rs, e, "뒤") || hasAt(rs, e, "후") || hasAt(rs, e, "동안") || hasAt(rs, e, "있다") || hasAt(rs, e, "간")
}

// OnlySpan tells whether text is a span of time and nothing else.
func OnlySpan(text string) bool {
	rest := timePhrase.ReplaceAllString(prepare(text)+" ", "")
	return HasSpan(text) && strings.Trim(rest, " .?!,") == ""
}

// HasClock tells whether text names a time of day.
func HasClock(text string) bool {
	_, ok := clockTime([]rune(prepare(text)), time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	return ok
}

// clockTime finds a time of day and gives its next occurrence after now, on the day the text names if it names one.
func clockTime(rs []rune, now time.Time) (time.Time, bool) {
	text := string(rs)
	half := halfDay(text)
	h, m, ok := hourMinute(rs, &half)
	if !ok {
		return time.Time{}, false
	}
	if h > 24 || m > 59 {
		return time.Time{}, false
	}
	switch {
	case half == 'p' && h < 12:
		h += 12
	case half == 'a' && h == 12:
		h = 0
	}
	day := now
	date, named := Date(text, now)
	if named {
		if d, err := time.ParseInLocation(time.DateOnly, date, now.Location()); err == nil {
			day = d
		}
	}
	at := time.Date(day.Year(), day.Month(), day.Day(), h, m, 0, 0, now.Location())
	if !at.After(now) && half == 0 && h < 12 && at.Add(12*time.Hour).After(now) && !named {
		return at.Add(12 * time.Hour), true // "3시에" at two in the afternoon is this afternoon
	}
	for i := 0; !at.After(now) && i < 2; i++ {
		at = at.AddDate(0, 0, 1)
	}
	return at, at.After(now)
}

// halfDay tells 'a' (morning), 'p' (afternoon and evening) or 0.
func halfDay(text string) byte {
	for _, w := range []string{"오후", "저녁", "밤", "낮", "p.m", "tonight", "evening", "afternoon"} {
		if strings.Contains(text, w) {
			return 'p'
		}
	}
	for _, w := range []string{"오전", "아침", "새벽", "a.m", "morning"} {
		if strings.Contains(text, w) {
			return 'a'
		}
	}
	return 0
}

func hourMinute(rs []rune, half *byte) (h, m int, ok bool) {
	for _, f := range []struct {
		form string
		h    int
	}{{"정오", 12}, {"자정", 24}, {"noon", 12}, {"midnight", 24}} {
		if i := strings.Index(string(rs), f.form); i >= 0 {
			*half = 0
			return f.h, 0, true
		}
	}
	for i := 0; i < len(rs); i++ {
		if !wordStart(rs, i) {
			continue
		}
		n, end, found := scanNumber(rs, i)
		if !found || !n.IsInt() || n.Num().BitLen() > 8 {
			continue
		}
		h = int(n.Num().Int64())
		at := skipSpace(rs, end)
		switch {
		case hasAt(rs, at, "시") && !hasAt(rs, at, "시간"):
			at = skipSpace(rs, at+1)
			if hasAt(rs, at, "반") {
				return h, 30, true
			}
			if mn, e, got := scanNumber2(rs, at); got && hasAt(rs, skipSpace(rs, e), "분") {
				m = mn
			}
			return h, m, true
		case end < len(rs) && rs[end] == ':' && end+2 < len(rs) && isDigit(rs[end+1]) && isDigit(rs[end+2]):
			m = int(rs[end+1]-'0')*10 + int(rs[end+2]-'0')
			suffix(rs, skipSpace(rs, end+3), half)
			return h, m, true
		case suffix(rs, at, half):
			return h, 0, true
		case hasAt(rs, at, "o'clock"), hasAt(rs, at, "oclock"):
			suffix(rs, skipSpace(rs, at+8), half)
			return h, 0, true
		case strings.HasSuffix(strings.TrimRight(string(rs[:i]), " "), " at") && h <= 24 && (isDigit(rs[i]) || isLatin(rs[i])) && (end >= len(rs) || rs[end] == ' ' || strings.ContainsRune("?.!,", rs[end])):
			if mn, e, got := scanNumber2(rs, at); got && mn < 60 && e >= len(rs) {
				m = mn
			}
			return h, m, true
		}
	}
	return 0, 0, false
}

func scanNumber2(rs []rune, i int) (int, int, bool) {
	n, end, ok := scanNumber(rs, i)
	if !ok || !n.IsInt() || n.Num().BitLen() > 10 {
		return 0, i, false
	}
	return int(n.Num().Int64()), end, true
}

func suffix(rs []rune, at int, half *byte) bool {
	for _, s := range []string{"am", "a.m", "pm", "p.m"} {
		if hasAt(rs, at, s) && (at+len(s) >= len(rs) || !isLatin(rs[at+len(s)])) {
			*half = s[0]
			return true
		}
	}
	return false
}
