package service

import (
	"encoding/json"
	"time"

	"agentchat/backend/language/bilingual"
)

// The hours at which something for a day without a time is told: in the morning, or when that is over, in the evening.
const (
	morning = 9 * time.Hour
	evening = 18 * time.Hour
)

// dueAt is the moment at which the person is reminded of a record. names are the values that hold the day, the time and the minutes before it,
// in that order. A time without a day means the next such time. If the reminder would already be late, it comes at the time itself. Without
// a day and a time, or when the time is past, there is none.
func dueAt(values map[string]json.RawMessage, names []string, now time.Time) (time.Time, bool) {
	at, ok := moment(values, names, now)
	var ahead int64
	if len(names) > 2 {
		_ = json.Unmarshal(values[names[2]], &ahead) // a value that is no number is no time before
	}
	if !ok {
		return time.Time{}, false
	}
	if early := at.Add(-time.Duration(ahead) * time.Minute); ahead > 0 && early.After(now) {
		return early, true
	}
	return at, true
}

// moment is when that is which a record speaks of.
func moment(values map[string]json.RawMessage, names []string, now time.Time) (time.Time, bool) {
	text := func(i int) (s string) {
		if i < len(names) {
			_ = json.Unmarshal(values[names[i]], &s) // a value that is no text names no moment
		}
		return s
	}
	date, hour := text(0), text(1)
	midnight := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, now.Location())
	}
	day := midnight(now)
	if date != "" {
		d, err := time.ParseInLocation(time.DateOnly, date, now.Location())
		if err != nil {
			return time.Time{}, false
		}
		day = d
	}
	at := func(day time.Time, since time.Duration) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day(), int(since.Hours()), int(since.Minutes())%60, 0, 0, now.Location())
	}
	if hour != "" {
		t, err := time.Parse("15:04", hour)
		if err != nil {
			return time.Time{}, false
		}
		since := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
		moment := at(day, since)
		if date == "" && !moment.After(now) {
			moment = at(day.AddDate(0, 0, 1), since)
		}
		return moment, moment.After(now)
	}
	if date == "" {
		return time.Time{}, false
	}
	for _, since := range []time.Duration{morning, evening} {
		if moment := at(day, since); moment.After(now) {
			return moment, true
		}
	}
	return time.Time{}, false
}

// msgDue is the message that tells that a record has come due.
const msgDue = "due"

// Due words what is told when a record of a service comes due; a service that is gone has only its values to show.
func (b *Book) Due(service string, values json.RawMessage, lang bilingual.Lang) string {
	m, ok := b.Get(service)
	var data Data
	if err := json.Unmarshal(values, &data); err != nil || !ok {
		return string(values)
	}
	for _, s := range m.Slots {
		if data[s.Name] == nil {
			data[s.Name] = ""
		}
	}
	data["service"] = m.Title.In(lang)
	return m.fill(lang, msgDue, data)
}

// Reminds tells whether what the service keeps comes due: it has moments of its own.
func (m *Manifest) Reminds() bool { return m.With["due"] != nil }
