package shop_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// calendarOf is a calendar file with an event on a day, one that is over and one that repeats.
func calendarOf(t *testing.T, day time.Time, clock string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.ics")
	text := strings.Join([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN",
		"BEGIN:VEVENT", "UID:1", "DTSTART:" + day.Format("20060102") + "T" + clock + "00", "SUMMARY:치과", "BEGIN:VALARM", "TRIGGER:-PT30M", "END:VALARM", "END:VEVENT",
		"BEGIN:VEVENT", "UID:2", "DTSTART;VALUE=DATE:20200101", "SUMMARY:지난 일", "END:VEVENT",
		"BEGIN:VEVENT", "UID:3", "DTSTART:" + day.Format("20060102") + "T090000", "RRULE:FREQ=WEEKLY", "SUMMARY:주간 회의", "END:VEVENT",
		"END:VCALENDAR", "",
	}, "\r\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What another calendar holds is kept, changed when it comes again, and written out for others; what repeats is said to.
func TestCalendarFiles(t *testing.T) {
	c := enter(t, t.TempDir())
	day := time.Now().AddDate(0, 0, 1)
	done, err := c.ImportEvents(t.Context(), calendarOf(t, day, "1500"))
	if err != nil || done.Kept != 2 || done.Past != 1 || !slices.Equal(done.Repeating, []string{"주간 회의"}) {
		t.Fatalf("%+v, %v", done, err)
	}
	if !strings.Contains(done.Text, "2건을 적어 뒀어요") || !strings.Contains(done.Text, "처음 한 번만") {
		t.Error(done.Text)
	}
	list := func() string {
		msg, err := c.speak("내일 일정 뭐 있어?", "")
		if err != nil {
			t.Fatal(err)
		}
		return until(c, "the list", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID }).Message
	}
	if got := list(); !strings.Contains(got, "오후 3시, 30분 전에 알림") || !strings.Contains(got, "주간 회의") || strings.Contains(got, "지난") {
		t.Error(got)
	}

	done, err = c.ImportEvents(t.Context(), calendarOf(t, day, "1630"))
	if err != nil || done.Kept != 0 || done.Changed != 1 || done.Known != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if got := list(); !strings.Contains(got, "오후 4시 30분") || strings.Contains(got, "오후 3시") {
		t.Error(got)
	}

	path := filepath.Join(t.TempDir(), "out.ics")
	if n, err := c.ExportEvents(t.Context(), path); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "SUMMARY:치과") || !strings.Contains(string(text), "TRIGGER:-PT30M") {
		t.Errorf("%s, %v", text, err)
	}
	if done, err = c.ImportEvents(t.Context(), path); err != nil || done.Kept+done.Changed != 0 || done.Known != 2 {
		t.Errorf("its own file: %+v, %v", done, err)
	}
}

// A file that is no calendar is refused with a sentence, and nothing of it is kept.
func TestBadCalendarFiles(t *testing.T) {
	c := enter(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "bad.ics")
	if err := os.WriteFile(path, []byte("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, filepath.Join(t.TempDir(), "none.ics"), t.TempDir()} {
		if _, err := c.ImportEvents(t.Context(), p); apperr.CodeOf(err) != apperr.CalendarUnreadable {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := c.ExportEvents(t.Context(), ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Error(err)
	}
}
