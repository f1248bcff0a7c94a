package store_test

import (
	"fmt"
	"testing"
	"time"

	"agentchat/backend/outbound"
	"agentchat/backend/store"
)

// The ledger of what left keeps one row for each, brings it up to date, is narrowed and paged, and lets go of what is old or too much.
func TestOutbound(t *testing.T) {
	s := open(t, t.TempDir())
	now := time.Now()
	entry := func(n int, at time.Time, outcome outbound.Outcome) outbound.Entry {
		return outbound.Entry{
			ID: fmt.Sprint(n), At: at.UnixMilli(), Last: at.UnixMilli(), Times: 1, Room: outbound.RoomPage, Host: "example.org", Path: "/차", Net: outbound.NetInternet,
			Words: "녹차", Outcome: outcome,
		}
	}
	add := func(list ...outbound.Entry) {
		t.Helper()
		if err := s.AddOutbound(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	read := func(f outbound.Filter, before int64, limit int) []outbound.Entry {
		t.Helper()
		list, err := s.Outbound(t.Context(), f, before, limit)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if last, err := s.LeftLast(t.Context()); err != nil || !last.IsZero() {
		t.Fatal(last, err)
	}
	add(entry(1, now.Add(-time.Hour), outbound.OutcomeGoing))
	done := entry(1, now.Add(-time.Hour), outbound.OutcomeDone)
	done.Received, done.Status = 77, 200
	refused := entry(2, now, outbound.OutcomeRefused)
	refused.Room, refused.Words = outbound.RoomSearch, ""
	add(done, refused, entry(3, now.Add(-200*24*time.Hour), outbound.OutcomeGoing))
	if list := read(outbound.Filter{}, 0, 0); len(list) != 3 || list[0].ID != "3" || list[2].Received != 77 || list[2].Outcome != outbound.OutcomeDone || list[2].At != done.At {
		t.Errorf("%+v", list)
	}
	if list := read(outbound.Filter{}, 0, 1); len(read(outbound.Filter{}, list[0].N, 0)) != 2 {
		t.Error("the second page")
	}
	for what, f := range map[string]outbound.Filter{"2": {Room: outbound.RoomSearch}, "1": {Outcome: outbound.OutcomeDone}} {
		if list := read(f, 0, 0); len(list) != 1 || list[0].ID != what {
			t.Errorf("%+v: %+v", f, list)
		}
	}
	if a, b, c := read(outbound.Filter{Words: "녹차"}, 0, 0), read(outbound.Filter{Words: " EXAMPLE.org "}, 0, 0), read(outbound.Filter{Words: "%"}, 0, 0); len(a) != 2 || len(b) != 3 || len(c) != 0 {
		t.Error(len(a), len(b), len(c))
	}
	if last, err := s.LeftLast(t.Context()); err != nil || last.UnixMilli() != done.Last {
		t.Error(last, err)
	}
	if err := s.CutOutbound(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := read(outbound.Filter{Outcome: outbound.OutcomeCut}, 0, 0); len(list) != 1 || list[0].ID != "3" {
		t.Errorf("%+v", list)
	}
	for i := range 20 {
		add(entry(10+i, now, outbound.OutcomeDone))
	}
	if _, err := s.Prune(t.Context(), store.Keep{Jobs: 10, Records: time.Hour, Cleared: time.Hour, Batch: 4, Outbound: 90 * 24 * time.Hour, OutboundRows: 10}); err != nil {
		t.Fatal(err)
	}
	if list := read(outbound.Filter{}, 0, 0); len(list) != 10 || list[9].ID != "20" {
		t.Errorf("%d are left", len(list))
	}
}
