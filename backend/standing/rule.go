package standing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"agentchat/backend/apperr"
	"agentchat/backend/language/slot"
)

// rule gives the moments of an order. A rule of days counts on the wall's clock, which has no summer time, and each of its moments is
// then looked for in the customer's zone; one of hours and minutes counts the time that passes.
type rule struct {
	set  *rrule.RRule
	opt  rrule.ROption
	loc  *time.Location
	span time.Duration // of a rule of hours or minutes without a count: from one moment to the next
	wall bool
}

func parse(text string, start time.Time, loc *time.Location) (rule, error) {
	opt, err := rrule.StrToROption(text)
	if err != nil {
		return rule{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", text)
	}
	r := rule{loc: loc, wall: opt.Freq != rrule.HOURLY && opt.Freq != rrule.MINUTELY}
	opt.Dtstart = face(start.In(loc))
	if !r.wall {
		opt.Dtstart = start.UTC()
		if !opt.Until.IsZero() {
			opt.Until = onWall(opt.Until, loc).UTC()
		}
		if opt.Count == 0 {
			r.span = time.Duration(max(opt.Interval, 1)) * map[rrule.Frequency]time.Duration{rrule.HOURLY: time.Hour, rrule.MINUTELY: time.Minute}[opt.Freq]
		}
	}
	r.opt = *opt
	r.set, err = rrule.NewRRule(*opt)
	if err != nil {
		return rule{}, apperr.Wrap(err, apperr.InvalidArgs, "detail", text)
	}
	return r, nil
}

// face is what the clock on the wall shows, as if there were no zones.
func face(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// onWall is when the clock on the wall shows a face: of two such moments the first, and of a face that is left out in spring the
// moment at which an unchanged clock would show it (RFC 5545, 3.3.5).
func onWall(f time.Time, loc *time.Location) time.Time {
	at := func(near time.Duration) time.Time {
		_, offset := f.Add(near).In(loc).Zone()
		return f.Add(-time.Duration(offset) * time.Second).In(loc)
	}
	before, after := at(-24*time.Hour), at(24*time.Hour)
	if !face(before).Equal(f) && face(after).Equal(f) {
		return after
	}
	return before
}

// After is the first moment after t; zero when there is none.
func (r rule) After(t time.Time) time.Time {
	if !r.wall {
		next := r.near(t).After(t.UTC(), false)
		if next.IsZero() {
			return next
		}
		return next.In(r.loc)
	}
	// A day of summer time has faces that come twice or never: what is near t is looked at one by one.
	for f := r.set.After(face(t.In(r.loc)).Add(-3*time.Hour), true); !f.IsZero(); f = r.set.After(f, false) {
		if m := onWall(f, r.loc); m.After(t) {
			return m
		}
	}
	return time.Time{}
}

// near is the rule as it counts near t: one of minutes need not be counted from its beginning.
func (r rule) near(t time.Time) *rrule.RRule {
	ahead := t.Sub(r.opt.Dtstart)
	if r.span == 0 || ahead < 2*r.span {
		return r.set
	}
	opt := r.opt
	opt.Dtstart = opt.Dtstart.Add(ahead.Truncate(r.span) - r.span)
	set, err := rrule.NewRRule(opt)
	if err != nil {
		return r.set
	}
	return set
}

// latest is the last moment from next to now, and how many come before it, as far as they are counted.
func (r rule) latest(next, now time.Time) (due time.Time, passed int) {
	if due = r.last(now); due.Before(next) {
		return next.In(r.loc), 0
	}
	for m := next; m.Before(due) && passed < mostMissed; m = r.After(m) {
		passed++
	}
	return due, passed
}

// last is the last moment that is not after t; zero when there is none.
func (r rule) last(t time.Time) time.Time {
	if !r.wall {
		return r.near(t).Before(t.UTC(), true).In(r.loc)
	}
	for f := r.set.Before(face(t.In(r.loc)).Add(3*time.Hour), true); !f.IsZero(); f = r.set.Before(f, false) {
		if m := onWall(f, r.loc); !m.After(t) {
			return m
		}
	}
	return time.Time{}
}

// left is how many moments there are from one on, of a rule that has an end.
func (r rule) left(from time.Time) (n int) {
	for m := from; !m.IsZero() && n < mostMissed; m = r.After(m) {
		n++
	}
	return n
}

// began is from when on a moment's own turn counts: a rule of every other week that begins there has the same weeks. Of a rule of days that is
// the beginning of its day, so that another time on it is not too early.
func (r rule) began(moment time.Time) time.Time {
	if !r.wall {
		return moment.Add(-r.span)
	}
	m := moment.In(r.loc)
	return time.Date(m.Year(), m.Month(), m.Day(), 0, 0, 0, 0, r.loc)
}

// said reads a rule back as what was said of it.
func said(text string) (r slot.Recurrence, err error) {
	opt, err := rrule.StrToROption(text)
	if err != nil {
		return r, apperr.Wrap(err, apperr.InvalidArgs, "detail", text)
	}
	r = slot.Recurrence{Freq: opt.Freq.String(), Interval: max(opt.Interval, 1), Hours: opt.Byhour, Count: opt.Count}
	for _, d := range opt.Byweekday {
		r.Weekdays = append(r.Weekdays, time.Weekday((d.Day()+1)%7))
	}
	if n := len(opt.Bymonthday); n > 0 {
		r.Day = opt.Bymonthday[n-1]
	}
	if len(opt.Bymonth) > 0 {
		r.Month = time.Month(opt.Bymonth[0])
	}
	if len(opt.Byminute) > 0 {
		r.Minute = opt.Byminute[0]
	}
	if !opt.Until.IsZero() {
		r.Until = opt.Until.Format(time.DateOnly)
	}
	return r, nil
}

// endsRule is how a recurrence ends, as a rule without anything else; saidEnds reads it back.
func endsRule(r slot.Recurrence) string {
	var parts []string
	if r.Until != "" {
		parts = append(parts, "UNTIL="+strings.ReplaceAll(r.Until, "-", "")+"T235959")
	}
	if r.Count > 0 {
		parts = append(parts, fmt.Sprint("COUNT=", r.Count))
	}
	return strings.Join(parts, ";")
}

func saidEnds(rule string) (slot.Recurrence, error) {
	if rule == "" {
		return slot.Recurrence{}, nil
	}
	return said("FREQ=DAILY;" + rule)
}

// amended is a rule with what was said anew of it: how often, the time of day, or the end.
func amended(text string, anew slot.Recurrence) (r slot.Recurrence, err error) {
	if r, err = said(text); err != nil {
		return r, err
	}
	if anew.Repeats() {
		r.Freq, r.Interval, r.Weekdays, r.Day, r.Month = anew.Freq, anew.Interval, anew.Weekdays, anew.Day, anew.Month
	}
	if anew.Timed() {
		r.Hours, r.Minute = anew.Hours, anew.Minute
		if (r.Freq == "HOURLY" || r.Freq == "MINUTELY") && !anew.Repeats() {
			r.Freq, r.Interval = "DAILY", 1
		}
	}
	if anew.Ends() {
		r.Until, r.Count = anew.Until, anew.Count
	}
	return r, nil
}

// shifted is a rule whose moments come so much later. A rule of hours or minutes has no time of day, and one of certain days does not
// move to others.
func shifted(text string, by time.Duration) (slot.Recurrence, error) {
	r, err := said(text)
	if err != nil || by == 0 {
		return r, err
	}
	anew := r
	anew.Hours = nil
	for _, hour := range r.Hours {
		at := time.Duration(hour)*time.Hour + time.Duration(r.Minute)*time.Minute + by
		day := 24 * time.Hour
		if at < 0 || at >= day {
			if r.Freq != "DAILY" || r.Interval > 1 {
				return r, apperr.New(apperr.InvalidArgs, "detail", text)
			}
			at = (at%day + day) % day
		}
		anew.Hours, anew.Minute = append(anew.Hours, int(at/time.Hour)), int(at%time.Hour/time.Minute)
	}
	if len(anew.Hours) == 0 {
		return r, apperr.New(apperr.InvalidArgs, "detail", text)
	}
	slices.Sort(anew.Hours)
	return anew, nil
}
