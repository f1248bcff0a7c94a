package standing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/manager"
	"agentchat/backend/standing"
	"agentchat/backend/store"
	"agentchat/backend/testing/ledgertest"
)

// diary is a book of orders on a ledger of its own, with a clock that is set by hand.
type diary struct {
	*standing.Book

	t      *testing.T
	ledger *store.Store
	now    time.Time
	id     int
	ran    []standing.Claim
}

func keeps(t *testing.T, now time.Time) *diary {
	t.Helper()
	ledger, err := store.Open(t.Context(), ledgertest.In(t.TempDir()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ledger.Close() })
	d := &diary{t: t, ledger: ledger, now: now}
	d.restart()
	return d
}

func (d *diary) restart() {
	d.Book = standing.New(standing.Deps{
		Store: d.ledger, Publisher: nobody{}, Follow: func([]string) {}, Now: func() time.Time { return d.now },
		NewID: func() string { d.id++; return fmt.Sprint("m", d.id) },
		Run: func(ctx context.Context, c standing.Claim) (bool, error) {
			turn := manager.Turn{ID: c.Turn, Chat: c.Order.Chat, Text: c.Order.What}
			claimed, err := d.ledger.AddRun(ctx, c, &turn, event.ChatMessage{ID: c.Turn, Role: event.RoleCustomer, Text: turn.Text})
			if claimed && err == nil {
				d.ran = append(d.ran, c)
				err = d.ledger.SaveTurn(ctx, manager.TurnStep{Turn: &turn, Done: true})
			}
			return claimed, err
		},
	})
}

// order says and keeps one.
func (d *diary) order(text string) string {
	d.t.Helper()
	o, err := d.Propose(d.t.Context(), standing.Order{ID: text, Chat: "main", Text: text, What: text, Lang: "ko"}, d.Read(text))
	if err == nil {
		_, err = d.Do(d.t.Context(), standing.Command{Order: o.ID, Verb: standing.Keep})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return o.ID
}

// next is what an order waits for.
func (d *diary) next(id string) string {
	d.t.Helper()
	o, err := d.Get(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	if o.Next.IsZero() {
		return string(o.State)
	}
	return o.Next.In(d.now.Location()).Format("2006-01-02 15:04")
}

func (d *diary) at(now time.Time) {
	d.now = now
	d.RunDue(d.t.Context())
}

func (d *diary) wants(id, next string, ran int) {
	d.t.Helper()
	if got := d.next(id); got != next || len(d.ran) != ran {
		d.t.Errorf("at %s %q waits for %s after %d runs, want %s after %d", d.now, id, got, len(d.ran), next, ran)
	}
}

// A clock that was a year ahead for a while has nobody wait for a year.
func TestAClockThatWasFarAhead(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		seoul, err := time.LoadLocation("Asia/Seoul")
		if err != nil {
			t.Fatal(err)
		}
		morning := time.Date(2026, 11, 24, 7, 0, 0, 0, seoul)
		d := keeps(t, morning)
		id := d.order("매일 8시에")
		d.at(morning)
		d.at(morning.AddDate(1, 0, 0).Add(3 * time.Hour))
		d.wants(id, "2027-11-25 08:00", 1)
		late := d.order("매일 9시에")
		if restarted {
			d.restart()
		}
		d.at(morning.Add(10 * time.Minute))
		d.wants(id, "2026-11-24 08:00", 1)
		d.wants(late, "2026-11-24 09:00", 1)
		d.at(morning.Add(time.Hour))
		d.wants(id, "2026-11-25 08:00", 2)
		if restarted { // what passes while it is ended is not forgotten because the ledger knows of a day to come
			d.restart()
		}
		d.at(morning.Add(30 * time.Hour))
		d.wants(id, "2026-11-26 08:00", 4)
		if c := d.ran[len(d.ran)-1]; c.Missed+d.ran[len(d.ran)-2].Missed > 1 || !c.Late() {
			t.Errorf("made up for as %+v", c)
		}
	}
}

// Who comes home to another zone is served at eight there, and what was skipped stays so.
func TestAnotherZone(t *testing.T) {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	york, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 11, 24, 9, 0, 0, 0, seoul)
	d := keeps(t, start)
	id, hours := d.order("매일 8시에"), d.order("두 시간마다")
	d.at(start)
	d.wants(id, "2026-11-25 08:00", 0)
	before := d.next(hours)
	d.restart()
	d.at(start.Add(time.Minute))
	if d.wants(id, "2026-11-25 08:00", 0); d.next(hours) != before {
		t.Errorf("every two hours moved from %s to %s", before, d.next(hours))
	}
	d.restart()
	d.at(start.Add(time.Hour).In(york)) // 23 November, 20:00
	d.wants(id, "2026-11-24 08:00", 0)
	if _, err := d.Do(t.Context(), standing.Command{Order: id, Verb: standing.Skip}); err != nil {
		t.Fatal(err)
	}
	d.wants(id, "2026-11-25 08:00", 0)
	d.restart()
	d.at(start.Add(65 * time.Minute).In(seoul))
	d.wants(id, "2026-11-25 08:00", 0)
}

// What is skipped stays so over a pause.
func TestASkipOutlivesAPause(t *testing.T) {
	now := time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC)
	d := keeps(t, now)
	id := d.order("매일 8시에")
	for _, verb := range []standing.Verb{standing.Skip, standing.Pause, standing.Resume} {
		if _, err := d.Do(t.Context(), standing.Command{Order: id, Verb: verb}); err != nil {
			t.Fatal(err)
		}
	}
	d.wants(id, "2026-11-24 08:00", 0)
}

// Another time of day leaves which weeks they are and how many times are left.
func TestAnAmendedOrderGoesOn(t *testing.T) {
	monday := time.Date(2026, 11, 23, 7, 0, 0, 0, time.UTC)
	d := keeps(t, monday)
	weeks, thrice, days := d.order("격주 월요일 8시에"), d.order("매일 8시에 세 번만"), d.order("사흘마다 8시에")
	amend := func(id, words, next string) {
		t.Helper()
		if _, err := d.AmendSaid(t.Context(), id, words); err != nil {
			t.Fatal(words, err)
		}
		if got := d.next(id); got != next {
			t.Errorf("%s, %s: waits for %s, want %s", id, words, got, next)
		}
	}
	d.at(monday.Add(time.Hour)) // 23 November, 8:00
	d.at(monday.AddDate(0, 0, 1))
	amend(weeks, "10시로", "2026-12-07 10:00")
	amend(thrice, "7시 30분으로", "2026-11-24 07:30")
	d.at(monday.AddDate(0, 0, 1).Add(time.Hour))
	amend(thrice, "저녁 6시로", "2026-11-24 18:00")
	d.at(monday.AddDate(0, 0, 2))
	amend(days, "20시로", "2026-11-26 20:00")
	d.at(monday.AddDate(0, 0, 7)) // 30 November: a week in between
	amend(weeks, "9시로", "2026-12-07 09:00")
	if got := d.next(thrice); got != "ended" {
		t.Errorf("three times, and then it waits for %s", got)
	}
	amend(thrice, "두 번만", "2026-11-30 18:00")
	amend(days, "이틀마다", "2026-11-30 20:00")
}

// An order that runs whenever something happens ends after as many times as were said, however many that are.
func TestManyTimesAreCounted(t *testing.T) {
	w := watches(t)
	w.keep("often", "tell me", standing.Trigger{Arrives: true})
	if _, err := w.AmendSaid(t.Context(), "often", "205번만"); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for i := range 210 {
		w.now = w.now.Add(2 * time.Minute)
		w.put(fmt.Sprintf("f%03d.txt", i), 1, w.now)
		runs += len(w.look(false))
		w.end()
	}
	o, err := w.Get(t.Context(), "often")
	if err != nil || o.State != standing.Ended || runs != 205 {
		t.Errorf("%d runs, %s, %v", runs, o.State, err)
	}
}

// Of many orders that wait for the wrong moment all are put right, and one whose moment has come is not kept waiting by them.
func TestManyAreAlignedWhileOneIsDue(t *testing.T) {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	morning := time.Date(2026, 11, 24, 7, 0, 0, 0, seoul)
	d := keeps(t, morning)
	for i := range 30 {
		d.order(fmt.Sprintf("매일 10시 %d분에", i))
	}
	due := d.order("두 시간마다")
	d.restart()
	d.now = morning.Add(2 * time.Hour).In(time.UTC)
	next := d.RunDue(t.Context())
	if len(d.ran) != 1 || d.ran[0].Order.ID != due {
		t.Errorf("after the first look %d have run", len(d.ran))
	}
	for !next.After(d.now) {
		next = d.RunDue(t.Context())
	}
	for i := range 30 {
		d.wants(fmt.Sprintf("매일 10시 %d분에", i), fmt.Sprintf("2026-11-24 10:%02d", i), 1)
	}
}
