package service

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"agentchat/backend/apperr"
)

// shelf are records that never change.
type shelf []Record

func (shelf) AddRecord(context.Context, ...Record) error                             { return nil }
func (shelf) CancelRecord(context.Context, string, string, ...json.RawMessage) error { return nil }
func (shelf) ChangeRecord(context.Context, string, json.RawMessage, time.Time) error { return nil }
func (shelf) CanceledBy(context.Context, string) (bool, error)                       { return false, nil }

func (s shelf) ListRecords(_ context.Context, _ string, limit int) (list []Record, err error) {
	return s[:min(len(s), limit)], nil
}

func keep(list ...[3]string) (s shelf) {
	for i, r := range list {
		values, _ := json.Marshal(map[string]string{"what": r[0], "date": r[1], "time": r[2]})
		s = append(s, Record{ID: r[0] + " " + r[1], Values: values, Created: time.Unix(int64(i), 0)})
	}
	return s
}

// A record is meant by its name, by words of it, or by words around it; of the same names by the day, or else the next to come.
func TestWhichRecordIsMeant(t *testing.T) {
	s := keep([3]string{"치과", "2026-03-01", ""}, [3]string{"치과", "2026-03-09", "10:00"}, [3]string{"치과", "2026-03-06", "15:00"},
		[3]string{"팀 회의", "2026-03-05", ""}, [3]string{"임원 회의", "2026-03-05", ""}, [3]string{"우유", "", ""}, [3]string{"dentist", "2026-03-06", ""}, [3]string{"call mom", "", ""})
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, date, want string
		code             apperr.Code
	}{
		{name: "치과", want: "치과 2026-03-06"},
		{name: "치과", date: "2026-03-09", want: "치과 2026-03-09"},
		{name: "치과", date: "2026-03-10", code: apperr.RecordMissing},
		{name: "치과 예약", want: "치과 2026-03-06"},
		{name: "팀회의", want: "팀 회의 2026-03-05"},
		{name: "회의", code: apperr.RecordUnclear},
		{name: "우유는", want: "우유 "},
		{name: "dentist appointment", want: "dentist 2026-03-06"},
		{name: "Call", want: "call mom "},
		{name: "안경원", code: apperr.RecordMissing},
		{name: "den", code: apperr.RecordMissing},
		{name: "?", code: apperr.RecordMissing},
	} {
		r, err := theOne(t.Context(), s, "reminder", "what", c.name, c.date, now)
		if r.ID != c.want || apperr.CodeOf(err) != c.code {
			t.Errorf("%q %s: %q, %v", c.name, c.date, r.ID, err)
		}
	}
	if _, err := theOne(t.Context(), shelf{}, "reminder", "what", "치과", "", now); apperr.CodeOf(err) != apperr.NothingKept {
		t.Error(err)
	}
}
