package shop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/calendarfile"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/service"
)

// agendaService is the service that keeps events and what there is to do, and agendaDue the values from which it is told.
const agendaService = "reminder"

var agendaDue = []string{"date", "time", "ahead"}

// mainChat is the conversation that is always there.
const mainChat = "main"

// mostEvents is how many entries a calendar file may hold, and how many are written into one.
const mostEvents = 1000

// EventsImported is what came of a calendar file, and that in words.
type EventsImported struct {
	Kept      int      `json:"kept"`
	Changed   int      `json:"changed"`
	Known     int      `json:"known"`     // was there already
	Past      int      `json:"past"`      // is over, and was left out
	Left      int      `json:"left"`      // has no name or no moment that can be told, and was left out
	Repeating []string `json:"repeating"` // is kept for the first time only, or left out because that is over
	Text      string   `json:"text"`
}

// agendaEntry is a record as a calendar file has it.
type agendaEntry struct {
	What  string `json:"what,omitempty"`
	Date  string `json:"date,omitempty"`
	Time  string `json:"time,omitempty"`
	Ahead int64  `json:"ahead,omitempty"`
}

// ExportEvents writes what is kept into a calendar file (.ics), whole or not at all, and gives how many entries it holds. Errors:
// invalid_args, storage errors.
func (s *Shop) ExportEvents(ctx context.Context, path string) (int, error) {
	if path == "" {
		return 0, apperr.New(apperr.InvalidArgs, "detail", "path")
	}
	list, err := s.store.ListRecords(ctx, agendaService, mostEvents)
	if err != nil {
		return 0, err
	}
	entries := make([]calendarfile.Entry, 0, len(list))
	for _, r := range list {
		var e agendaEntry
		if json.Unmarshal(r.Values, &e) == nil && e.What != "" {
			entries = append(entries, calendarfile.Entry{UID: r.ID, What: e.What, Date: e.Date, Time: e.Time, Ahead: e.Ahead})
		}
	}
	now := s.now()
	return len(entries), writeWhole(path, func(w io.Writer) error { return calendarfile.Write(w, entries, now.Location(), now) })
}

// ImportEvents keeps what a calendar file (.ics) holds. What came of the same file before is changed and not kept twice; what is over is left
// out. Errors: calendar_unreadable, calendar_too_big, storage errors.
func (s *Shop) ImportEvents(ctx context.Context, path string) (done EventsImported, err error) {
	file, err := os.Open(path)
	if err != nil {
		return done, apperr.Wrap(err, apperr.CalendarUnreadable)
	}
	defer func() { _ = file.Close() }()
	now := s.now()
	entries, left, err := calendarfile.Read(file, now.Location())
	switch {
	case err != nil:
		return done, err
	case len(entries) > mostEvents:
		return done, apperr.New(apperr.CalendarTooBig)
	}
	list, err := s.store.ListRecords(ctx, agendaService, 10*mostEvents)
	if err != nil {
		return done, err
	}
	there := map[string]service.Record{}
	for _, r := range list {
		there[r.ID] = r
	}
	done.Left, done.Repeating = left, []string{}
	for _, e := range entries {
		if e.Repeats {
			done.Repeating = append(done.Repeating, e.What)
		}
		if e.Date != "" && e.Date < now.Format(time.DateOnly) {
			if !e.Repeats {
				done.Past++
			}
			continue
		}
		if err := s.keepEvent(ctx, e, there, now, &done); err != nil {
			return done, err
		}
	}
	s.reminders.Wake()
	done.Text = done.text(s.Config.Get().Lang)
	return done, nil
}

// keepEvent writes one entry, or what has changed of it.
func (s *Shop) keepEvent(ctx context.Context, e calendarfile.Entry, there map[string]service.Record, now time.Time, done *EventsImported) error {
	id := e.UID
	if _, own := there[id]; !own || id == "" {
		sum := sha256.Sum256([]byte(e.Key()))
		id = "ics-" + hex.EncodeToString(sum[:12])
	}
	values := map[string]json.RawMessage{}
	old, known := there[id]
	if known {
		if err := json.Unmarshal(old.Values, &values); err != nil {
			return apperr.Wrap(err, apperr.StorageCorrupt)
		}
		for _, name := range agendaDue {
			delete(values, name)
		}
	}
	raw, err := json.Marshal(agendaEntry{e.What, e.Date, e.Time, e.Ahead})
	if err != nil {
		return apperr.Wrap(err, apperr.Internal)
	}
	var said map[string]json.RawMessage
	if err := json.Unmarshal(raw, &said); err != nil {
		return apperr.Wrap(err, apperr.Internal)
	}
	maps.Copy(values, said)
	r, err := service.NewRecord(id, agendaService, values, agendaDue, now)
	if err != nil {
		return err
	}
	switch {
	case known && string(r.Values) == string(old.Values):
		done.Known++
		return nil
	case known:
		done.Changed++
		return s.store.ChangeRecord(ctx, id, r.Values, r.Due)
	}
	r.Chat = mainChat
	done.Kept++
	there[id] = r
	return s.store.AddRecord(ctx, r)
}

// text says what came of it. What repeats is named: it is not kept as often as it happens.
func (e EventsImported) text(lang bilingual.Lang) string {
	parts := []string{bilingual.Say(lang, "할 일에 %d건을 적어 뒀어요.", "%d put on the list.", e.Kept)}
	for _, more := range []struct {
		n      int
		ko, en string
	}{
		{e.Changed, "%d건은 바뀐 대로 고쳤어요.", "%d changed."},
		{e.Known, "%d건은 이미 있었어요.", "%d were there already."},
		{e.Past, "지난 %d건은 뺐어요.", "%d are over and were left out."},
		{e.Left, "이름이나 때를 알 수 없는 %d건은 뺐어요.", "%d have no name or time that can be told and were left out."},
	} {
		if more.n > 0 {
			parts = append(parts, bilingual.Say(lang, more.ko, more.en, more.n))
		}
	}
	if len(e.Repeating) > 0 {
		parts = append(parts, bilingual.Say(lang, "되풀이되는 것은 아직 정할 수 없어서 처음 한 번만 적었어요(첫 번이 지난 것은 뺐어요): ", "What repeats cannot be set yet and is kept for its first time only (or left out when that is over): ")+
			strings.Join(e.Repeating[:min(len(e.Repeating), 5)], ", ")+".")
	}
	return strings.Join(parts, " ")
}
