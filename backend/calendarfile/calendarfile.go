// Package calendarfile reads and writes calendars as other programs keep them (iCalendar, RFC 5545: .ics). It knows events and to-dos with
// their day, time and reminder, and says of what repeats that it does. It keeps nothing itself.
package calendarfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"agentchat/backend/apperr"
	"agentchat/backend/lazyregexp"
)

// What a file may hold.
const (
	maxBytes  = 2 << 20
	maxDepth  = 8
	maxText   = 100 // characters of a name
	clockForm = "15:04"
)

// Entry is one event, or one thing to do.
type Entry struct {
	UID     string // what the file calls it
	Series  string // which one of what repeats it is; "" for none
	What    string
	Date    string // 2006-01-02; "" for something to do some time
	Time    string // 15:04 where the customer is; "" for the whole day
	Ahead   int64  // how many minutes before it is told; 0 for none
	Repeats bool   // what is given is the first time
}

// Key is the same for an entry in every file that holds it.
func (e Entry) Key() string {
	if e.UID == "" {
		return strings.Join([]string{e.What, e.Date, e.Time}, "\n")
	}
	return e.UID + "\n" + e.Series
}

// Read reads a calendar; times are given in the zone. Left counts what has no name, or a moment that cannot be told. Errors:
// calendar_unreadable, calendar_too_big.
func Read(r io.Reader, zone *time.Location) (entries []Entry, left int, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, 0, unreadable(err)
	}
	if len(text) > maxBytes {
		return nil, 0, apperr.New(apperr.CalendarTooBig)
	}
	if err := whole(text); err != nil {
		return nil, 0, unreadable(err)
	}
	cal, err := parse(text)
	if err != nil {
		return nil, 0, unreadable(err)
	}
	for _, e := range cal.Events() {
		if one, ok := entry(&e.ComponentBase, ics.ComponentPropertyDtStart, e.Alarms(), zone); ok && one.Date != "" {
			entries = append(entries, one)
		} else {
			left++
		}
	}
	for _, t := range cal.Todos() {
		if t.GetProperty(ics.ComponentPropertyCompleted) != nil {
			continue
		}
		if one, ok := entry(&t.ComponentBase, ics.ComponentPropertyDue, t.Alarms(), zone); ok {
			entries = append(entries, one)
		} else {
			left++
		}
	}
	return entries, left, nil
}

func unreadable(cause error) error { return apperr.Wrap(cause, apperr.CalendarUnreadable) }

// whole tells whether a text is one calendar from its beginning to its end. The parser takes a file that breaks off, and would go as deep as a
// file does.
func whole(text []byte) error {
	depth, ended := 0, false
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))) {
		line = bytes.ToUpper(bytes.TrimSpace(line))
		switch {
		case len(line) == 0:
		case ended:
			return errors.New("more than one calendar")
		case bytes.HasPrefix(line, []byte("BEGIN:")):
			depth++
		case bytes.HasPrefix(line, []byte("END:")):
			depth--
			ended = depth == 0
		}
		if depth < 0 || depth > maxDepth {
			return errors.New("the parts of the calendar do not close")
		}
	}
	if !ended {
		return errors.New("the calendar breaks off")
	}
	return nil
}

// parse has the library read a calendar; a text that it stumbles over is an error.
func parse(text []byte) (cal *ics.Calendar, err error) {
	defer func() {
		if p := recover(); p != nil {
			cal, err = nil, fmt.Errorf("calendarfile: %v", p)
		}
	}()
	return ics.ParseCalendarWithOptions(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))),
		ics.WithUnknownPropertyHandler(ics.AcceptUnknownPropertyHandler))
}

// entry reads one component. ok is false when it has no name, or a moment that cannot be told.
func entry(c *ics.ComponentBase, moment ics.ComponentProperty, alarms []*ics.VAlarm, zone *time.Location) (e Entry, ok bool) {
	value := func(name ics.ComponentProperty) string {
		if p := c.GetProperty(name); p != nil {
			return p.Value
		}
		return ""
	}
	e.What = strings.Join(strings.Fields(strings.ToValidUTF8(value(ics.ComponentPropertySummary), "")), " ")
	if rs := []rune(e.What); len(rs) > maxText {
		e.What = strings.TrimSpace(string(rs[:maxText]))
	}
	if e.What == "" {
		return e, false
	}
	if p := c.GetProperty(moment); p != nil {
		zoneID := ""
		if ids := p.ICalParameters["TZID"]; len(ids) > 0 {
			zoneID = ids[0]
		}
		if e.Date, e.Time, ok = at(p.Value, zoneID, zone); !ok {
			return e, false
		}
	}
	e.Repeats = value(ics.ComponentPropertyRrule) != "" || value(ics.ComponentPropertyRdate) != ""
	for _, a := range alarms {
		if p := a.GetProperty(ics.ComponentPropertyTrigger); p != nil {
			if n := before(p.Value); n > 0 && n > e.Ahead {
				e.Ahead = n
			}
		}
	}
	e.UID, e.Series = value(ics.ComponentPropertyUniqueId), value(ics.ComponentPropertyRecurrenceId)
	return e, true
}

// at reads a day or a moment: 20261124, 20261124T060000Z, and 20261124T150000 in the named zone, or else in the customer's.
func at(value, zoneID string, zone *time.Location) (date, clock string, ok bool) {
	var t time.Time
	var err error
	switch {
	case len(value) == len("20060102"):
		if t, err = time.ParseInLocation("20060102", value, zone); err == nil {
			return t.Format(time.DateOnly), "", inRange(t)
		}
	case strings.HasSuffix(value, "Z"):
		t, err = time.Parse("20060102T150405Z", value)
	default:
		from := zone
		if zoneID != "" {
			if from, err = time.LoadLocation(zoneID); err != nil {
				return "", "", false
			}
		}
		t, err = time.ParseInLocation("20060102T150405", value, from)
	}
	if err != nil {
		return "", "", false
	}
	t = t.In(zone)
	return t.Format(time.DateOnly), t.Format(clockForm), inRange(t)
}

func inRange(t time.Time) bool { return t.Year() >= 1900 && t.Year() < 3000 }

var trigger = lazyregexp.New(`^-P(?:(\d{1,2})W)?(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:\d{1,5}S)?)?$`)

// before is how many minutes before something its alarm rings: -PT30M. An alarm at a moment of its own, or afterwards, is none.
func before(value string) (minutes int64) {
	m := trigger.FindStringSubmatch(value)
	if m == nil {
		return 0
	}
	for i, each := range []int64{7 * 24 * 60, 24 * 60, 60, 1} {
		n, _ := strconv.ParseInt(m[i+1], 10, 64) // nothing stands there: 0
		minutes += n * each
	}
	if minutes > 366*24*60 {
		return 0
	}
	return minutes
}

// Write writes entries as a calendar, their times taken in the zone, as of now.
func Write(w io.Writer, entries []Entry, zone *time.Location, now time.Time) error {
	cal := ics.NewCalendarFor("Agent Chat")
	cal.SetProductId("-//Agent Chat//Agent Chat//KO")
	for _, e := range entries {
		day, err := time.ParseInLocation(time.DateOnly, e.Date, zone)
		if err != nil { // something to do some time
			todo := cal.AddTodo(e.UID)
			todo.SetDtStampTime(now)
			todo.SetSummary(e.What)
			continue
		}
		event := cal.AddEvent(e.UID)
		event.SetDtStampTime(now)
		event.SetSummary(e.What)
		if clock, err := time.Parse(clockForm, e.Time); err == nil {
			event.SetStartAt(time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, zone))
		} else {
			event.SetAllDayStartAt(day)
		}
		if e.Ahead > 0 {
			alarm := event.AddAlarm()
			alarm.SetAction(ics.ActionDisplay)
			alarm.SetDescription(e.What)
			alarm.SetTrigger(fmt.Sprintf("-PT%dM", e.Ahead))
		}
	}
	return cal.SerializeTo(w, ics.WithNewLineWindows)
}
