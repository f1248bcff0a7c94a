package slot

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"
)

// Duration finds a span of time in whole seconds: 5분 뒤에, 한 시간 반, in 20 minutes, half an hour. A clock time (오후 7시 반에, at 7:30 pm) counts
// from now to its next occurrence.
func Duration(text string, now time.Time) (int64, bool) {
	if text = prepare(text); len(Aheads(text)) > 0 {
		return 0, false // so long before something, and not from now on
	}
	if n, ok := span([]rune(text)); ok {
		return n, true
	}
	if at, ok := clockTime(text, now); ok {
		return int64(at.Sub(now).Round(time.Second) / time.Second), true
	}
	return 0, false
}

// HasSpan tells whether text names a span of time (not a clock time).
func HasSpan(text string) bool {
	_, ok := span([]rune(prepare(text)))
	return ok
}

// AtClock tells whether text names a time of day alone, from which Duration counts.
func AtClock(text string, now time.Time) bool {
	_, ok := clockTime(prepare(text), now)
	return ok && !HasSpan(text)
}

// fixedSpan is a form of words that names so many seconds.
type fixedSpan = valued[int64]

// units of time, a longer form before one it begins with.
var units = formsOf([]valued[int64]{
	{"시간, hours, hour, hrs, hr, h", 3600},
	{"분, minutes, minute, mins, min, m", 60},
	{"초, seconds, second, secs, sec, s", 1},
	{"주일, weeks, week", 604800},
	{"일, days, day", 86400},
})

// fixedSpans are said without a number of their own.
var fixedSpans = formsOf([]valued[int64]{
	{"an hour and a half, a hour and a half, an hour and half", 5400},
	{"half an hour, half hour, 반시간, 반 시간", 1800},
	{"three quarters of an hour", 2700},
	{"quarter of an hour, a quarter hour", 900},
	{"a couple of hours", 7200},
	{"a couple of minutes, a couple minutes", 120},
	{"a few minutes", 180},
	{"half a minute", 30},
	{"an hour", 3600},
	{"a minute", 60},
	{"a second", 1},
	{"a week, 일주일", 604800},
	{"a day, 하루", 86400},
	{"이틀", 2 * 86400},
	{"사흘", 3 * 86400},
})

// valued are forms of words that mean the same, between commas, or one of them.
type valued[V any] struct {
	form  string
	value V
}

// formsOf gives every form its value, in the order they are written.
func formsOf[V any](list []valued[V]) (all []valued[V]) {
	for _, same := range list {
		for form := range strings.SplitSeq(same.form, ", ") {
			all = append(all, valued[V]{form, same.value})
		}
	}
	return all
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

// spanPart reads one amount of time.
func spanPart(rs []rune, i int) (*big.Rat, int, bool) {
	for _, f := range fixedSpans {
		if end := i + utf8.RuneCountInString(f.form); hasAt(rs, i, f.form) && spanEnds(rs, end) {
			return big.NewRat(f.value, 1), end, true
		}
	}
	n, end, ok := scanNumber(rs, i)
	if !ok {
		return nil, i, false
	}
	half := hasAt(rs, end, andHalf)
	if half {
		end += len(andHalf)
	}
	u, e := timeUnitAt(rs, i, end)
	if e == 0 {
		return nil, i, false
	}
	v := new(big.Rat).Mul(n, big.NewRat(u.value, 1))
	if half {
		v.Add(v, big.NewRat(u.value, 2))
	}
	if b := skipSpace(rs, e); u.value >= 60 && hasAt(rs, b, "반") && !hasAt(rs, b, "반드시") && !hasAt(rs, b, "반복") {
		return v.Add(v, big.NewRat(u.value, 2)), b + 1, true
	}
	if hasAt(rs, e, andHalf) {
		return v.Add(v, big.NewRat(u.value, 2)), e + len(andHalf), true
	}
	return v, e, true
}

const andHalf = " and a half"

// timeUnitAt reads the unit behind a number that stands in rs[i:end], and where it ends; 0 when there is none.
func timeUnitAt(rs []rune, i, end int) (fixedSpan, int) {
	at := skipSpace(rs, end)
	if at < len(rs) && rs[at] == '-' {
		at++
	}
	for _, u := range units {
		e := at + utf8.RuneCountInString(u.form)
		if !hasAt(rs, at, u.form) || !spanEnds(rs, e) || len(u.form) == 1 && at > end {
			continue
		}
		switch u.form {
		case "분", "초":
			if afterHour(rs, i) || hasAt(rs, at, "분기") {
				continue // 4시 30분 is a time of day
			}
		case "일":
			if !dayIsSpan(rs, e) {
				continue
			}
		}
		return u, e
	}
	return fixedSpan{}, 0
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
