package reminder_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/reminder"
	"agentchat/backend/service"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// house is a watch over a real ledger in a bubble of time.
type house struct {
	t     *testing.T
	store *store.Store
	watch *reminder.Reminders
	bus   *event.Bus
}

func open(t *testing.T, dir string) *house {
	t.Helper()
	s, err := store.Open(t.Context(), ledgertest.In(dir), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddChat(t.Context(), "main", ""); err != nil {
		t.Fatal(err)
	}
	bus, ids := event.NewBus(0, time.Now), 0
	h := &house{t: t, store: s, bus: bus}
	h.watch = reminder.New(reminder.Deps{
		Store: s, Publisher: bus, Now: time.Now, Log: zerolog.Nop(),
		NewID: func() string { ids++; return time.Now().Format(time.RFC3339Nano) + string(rune('a'+ids)) },
		Words: func(r reminder.Reminder, late bool) string {
			if late {
				return "late " + string(r.Values)
			}
			return string(r.Values)
		},
	})
	h.watch.Start(t.Context())
	return h
}

func (h *house) close() {
	h.t.Helper()
	h.watch.Stop()
	h.watch.Stop()
	h.bus.Close()
	if err := h.store.Close(); err != nil {
		h.t.Error(err)
	}
}

func (h *house) note(id, chat string, due time.Time) {
	h.t.Helper()
	r := service.Record{ID: id, Service: "reminder", Chat: chat, Values: json.RawMessage(`{"what":"` + id + `"}`), Due: due}
	if err := h.store.AddRecord(h.t.Context(), r); err != nil {
		h.t.Fatal(err)
	}
	h.watch.Wake()
}

func (h *house) told(want ...string) {
	h.t.Helper()
	synctest.Wait()
	list, err := h.store.History(context.Background(), "main", "", 100)
	if err != nil || len(list) != len(want) {
		h.t.Fatalf("%+v, %v, want %q", list, err, want)
	}
	for i, m := range list {
		if m.Text != want[i] {
			h.t.Errorf("%q, want %q", m.Text, want[i])
		}
	}
}

// What is moved is told at its new moment, also when it was told at the old one; what loses its moment is not told.
func TestWhatIsMovedIsToldThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, t.TempDir())
		begin := time.Now()
		move := func(id, values string, due time.Time) {
			if err := h.store.ChangeRecord(t.Context(), id, json.RawMessage(values), due); err != nil {
				t.Fatal(err)
			}
			h.watch.Wake()
		}
		h.note("a", "main", begin.Add(time.Minute))
		h.note("b", "main", begin.Add(10*time.Minute))
		time.Sleep(2 * time.Minute) //nolint:forbidigo // the bubble's own time
		h.told(`{"what":"a"}`)
		move("a", `{"what":"a","time":"10:00"}`, begin.Add(5*time.Minute))
		move("b", `{"what":"b"}`, time.Time{})
		time.Sleep(time.Hour) //nolint:forbidigo // the bubble's own time
		h.told(`{"what":"a"}`, `{"what":"a","time":"10:00"}`)
		move("a", `{"what":"a","list":"x"}`, begin.Add(5*time.Minute)) // the same moment: it was told
		h.told(`{"what":"a"}`, `{"what":"a","time":"10:00"}`)
		if err := h.store.CancelRecord(t.Context(), "reminder", "x", json.RawMessage(`{"what":"a"}`)); err != nil {
			t.Fatal(err)
		}
		if done, err := h.store.CanceledBy(t.Context(), "x"); err != nil || !done {
			t.Errorf("%v, %v", done, err)
		}
		if err := h.store.ChangeRecord(t.Context(), "a", json.RawMessage(`{}`), time.Time{}); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("what was canceled is changed: %v", err)
		}
		h.close()
	})
}

// Each is told at its moment and once, over restarts; what was missed is told at the start, and what was called off never.
func TestItIsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		h := open(t, dir)
		begin := time.Now()
		h.note("a", "main", begin.Add(90*time.Second))
		h.note("b", "a chat that is gone", begin.Add(10*time.Minute))
		h.note("c", "main", begin.Add(time.Hour))
		h.note("d", "main", begin.Add(2*time.Hour))
		h.note("never", "main", time.Time{})
		time.Sleep(89 * time.Second) //nolint:forbidigo // the bubble's own time
		h.told()
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's own time
		h.told(`{"what":"a"}`)
		if err := h.store.CancelRecord(t.Context(), "reminder", "x", json.RawMessage(`{"what":"c"}`)); err != nil {
			t.Fatal(err)
		}
		h.close()

		time.Sleep(90 * time.Minute) //nolint:forbidigo // the program is not running
		h = open(t, dir)
		h.told(`{"what":"a"}`, `late {"what":"b"}`)
		h.note("a", "main", time.Now().Add(time.Minute)) // the same step again
		time.Sleep(time.Hour)                            //nolint:forbidigo // the bubble's own time
		h.told(`{"what":"a"}`, `late {"what":"b"}`, `{"what":"d"}`)
		h.close()
	})
}
