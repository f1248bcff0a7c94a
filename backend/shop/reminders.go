package shop

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/reminder"
	"agentchat/backend/service"
)

// clockOf is the clock of the options.
func clockOf(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}

// wakingRecords has the reminders look at their list again when something was written down.
type wakingRecords struct {
	service.Records
	wake func()
}

// AddRecord implements service.Records.
func (r wakingRecords) AddRecord(ctx context.Context, list ...service.Record) error {
	err := r.Records.AddRecord(ctx, list...)
	if err == nil && slices.ContainsFunc(list, func(rec service.Record) bool { return !rec.Due.IsZero() }) {
		r.wake()
	}
	return err
}

// ChangeRecord implements service.Records.
func (r wakingRecords) ChangeRecord(ctx context.Context, id string, values json.RawMessage, due time.Time) error {
	err := r.Records.ChangeRecord(ctx, id, values, due)
	if err == nil {
		r.wake()
	}
	return err
}

// openReminders makes the watch over what comes due; start begins it.
func (s *Shop) openReminders(now func() time.Time) {
	s.now = now
	s.reminders = reminder.New(reminder.Deps{
		Store: s.store, Publisher: s.Bus, Now: now, NewID: newID, Log: s.Log.Component("reminder"),
		Words: func(r reminder.Reminder, late bool) string {
			lang := s.Config.Get().Lang
			text := s.services.Due(r.Service, r.Values, lang)
			if !late {
				return text
			}
			at := r.Due.In(now().Location())
			return text + bilingual.Say(lang, " (%s에 알려 드릴 것이었는데, 그때 꺼져 있었어요.)", " (It was due on %s, while the app was not running.)",
				at.Format(bilingual.Say(lang, "1월 2일 ", "January 2 at "))+bilingual.Clock(at, lang))
		},
	})
}
