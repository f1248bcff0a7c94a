package calendarfile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/calendarfile"
)

var seoul = time.FixedZone("KST", 9*3600)

// lines are a calendar as programs write it.
func lines(of ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + strings.Join(of, "\r\n") + "\r\nEND:VCALENDAR\r\n"
}

func TestRead(t *testing.T) {
	got, left, err := calendarfile.Read(strings.NewReader(lines(
		"BEGIN:VTIMEZONE", "TZID:America/New_York", "BEGIN:STANDARD", "DTSTART:19701101T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500", "END:STANDARD", "END:VTIMEZONE",
		"BEGIN:VEVENT", "UID:1", "DTSTART:20261124T060000Z", `SUMMARY:치과\, 검진`, "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H30M", "END:VALARM", "END:VEVENT",
		"BEGIN:VEVENT", "UID:2", "DTSTART;TZID=America/New_York:20261124T090000", "SUMMARY:call", "END:VEVENT",
		"BEGIN:VEVENT", "UID:3", "DTSTART:20261124T090000", "SUMMARY:floating", "RRULE:FREQ=WEEKLY;BYDAY=MO", "END:VEVENT",
		"BEGIN:VEVENT", "UID:4", "DTSTART;VALUE=DATE:20261225", "SUMMARY:Christ", " mas", "END:VEVENT",
		"BEGIN:VEVENT", "UID:5", "DTSTART;TZID=Nowhere/Land:20261124T090000", "SUMMARY:where", "END:VEVENT",
		"BEGIN:VEVENT", "UID:6", "DTSTART:20261124T090000Z", "END:VEVENT",
		"BEGIN:VEVENT", "UID:7", "SUMMARY:never", "END:VEVENT",
		"BEGIN:VTODO", "UID:8", "SUMMARY:우유", "END:VTODO",
		"BEGIN:VTODO", "UID:9", "SUMMARY:done", "COMPLETED:20261101T090000Z", "END:VTODO",
	)), seoul)
	want := []calendarfile.Entry{
		{What: "치과, 검진", Date: "2026-11-24", Time: "15:00", Ahead: 90},
		{What: "call", Date: "2026-11-24", Time: "23:00"},
		{What: "floating", Date: "2026-11-24", Time: "09:00", Repeats: true},
		{What: "Christmas", Date: "2026-12-25"},
		{What: "우유"},
	}
	for i := range got {
		got[i].UID = ""
	}
	if err != nil || left != 3 || !slices.Equal(got, want) {
		t.Errorf("%+v, %d left, %v", got, left, err)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for text, want := range map[string]apperr.Code{
		"":                                   apperr.CalendarUnreadable,
		"hello":                              apperr.CalendarUnreadable,
		"%PDF-1.7":                           apperr.CalendarUnreadable,
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n": apperr.CalendarUnreadable,
		"BEGIN:VEVENT\r\nEND:VEVENT\r\n":     apperr.CalendarUnreadable,
		lines() + lines():                    apperr.CalendarUnreadable,
		lines("no property here"):            apperr.CalendarUnreadable,
		"BEGIN:VCALENDAR\r\n" + strings.Repeat("BEGIN:X\r\n", 5000) + strings.Repeat("END:X\r\n", 5000) + "END:VCALENDAR\r\n": apperr.CalendarUnreadable,
		strings.Repeat("x", 3<<20): apperr.CalendarTooBig,
	} {
		if _, _, err := calendarfile.Read(strings.NewReader(text), seoul); apperr.CodeOf(err) != want {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if got, left, err := calendarfile.Read(strings.NewReader(lines()), seoul); err != nil || len(got)+left != 0 {
		t.Errorf("an empty calendar: %v %d %v", got, left, err)
	}
}

// What is written is read as it was.
func TestWhatIsWrittenIsRead(t *testing.T) {
	list := []calendarfile.Entry{
		{UID: "a", What: "치과; 검진, \\ \"둘\"", Date: "2026-11-24", Time: "15:00", Ahead: 30},
		{UID: "b", What: strings.Repeat("긴 이름 ", 15) + "끝", Date: "2026-12-25"},
		{UID: "c", What: "우유"},
	}
	var b bytes.Buffer
	if err := calendarfile.Write(&b, list, seoul, time.Date(2026, 11, 23, 0, 0, 0, 0, seoul)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 77 || !strings.HasSuffix(line, "\r\n") || !utf8.ValidString(line) {
			t.Errorf("%q", line)
		}
	}
	got, left, err := calendarfile.Read(&b, seoul)
	if err != nil || left != 0 || !slices.Equal(got, list) {
		t.Errorf("%+v, %d, %v", got, left, err)
	}
}

// Whatever a file holds, it is read or refused with a sentence, and what was read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(lines("BEGIN:VEVENT", "UID:1", "DTSTART:20261124T060000Z", "SUMMARY:x", "BEGIN:VALARM", "TRIGGER:-PT30M", "END:VALARM", "END:VEVENT"))
	f.Add(lines("BEGIN:VTODO", "SUMMARY:x", "DUE;VALUE=DATE:20261124", "END:VTODO"))
	f.Add(lines("BEGIN:VEVENT", "DTSTART;TZID=:2026", "SUMMARY;=x:y", ";", "END:VEVENT"))
	f.Add("BEGIN:VCALENDAR\nBEGIN:\nEND:\nEND:VCALENDAR")
	f.Fuzz(func(t *testing.T, text string) {
		list, _, err := calendarfile.Read(strings.NewReader(text), seoul)
		if err != nil {
			if code := apperr.CodeOf(err); code != apperr.CalendarUnreadable && code != apperr.CalendarTooBig {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		for _, e := range list {
			if e.What == "" || !utf8.ValidString(e.What) || e.Ahead < 0 || e.Time != "" && e.Date == "" {
				t.Errorf("%q: %+v", text, e)
			}
		}
		var b bytes.Buffer
		if err := calendarfile.Write(&b, list, seoul, time.Unix(0, 0)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, left, err := calendarfile.Read(&b, seoul)
		if err != nil || left != 0 || len(again) != len(list) {
			t.Errorf("%q: %d of %d, %d left, %v: %q", text, len(again), len(list), left, err, b.String())
		}
	})
}
