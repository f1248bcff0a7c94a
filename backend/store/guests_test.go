package store_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/job"
	"agentchat/backend/store"
)

// spender is a guest in a ledger whose clock the test sets.
type spender struct {
	t    *testing.T
	s    *store.Store
	now  atomic.Pointer[time.Time]
	dir  string
	from guest.Guest
	n    int64
}

func newSpender(t *testing.T) *spender {
	t.Helper()
	p := &spender{t: t, dir: t.TempDir(), from: guest.Guest{ID: "g", Name: "Kim", Tools: []string{"write"}, Calls: 100, Changes: 100, Files: 3, Money: 1000}}
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("Seoul", 9*3600))
	p.now.Store(&noon)
	p.open()
	if err := p.s.AddGuest(t.Context(), p.from, []byte("key")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.s.Close() })
	return p
}

func (p *spender) open() {
	p.t.Helper()
	s, err := store.Open(p.t.Context(), p.dir, func() time.Time { return *p.now.Load() })
	if err != nil {
		p.t.Fatal(err)
	}
	p.s = s
}

// ticket admits a call of the guest's.
func (p *spender) ticket(id string) job.Job {
	p.t.Helper()
	p.n++
	j := job.Job{ID: id, Number: p.n, Chat: p.from.Chat(), Title: id, State: job.Running, Guest: &job.Guest{ID: "g", Name: "Kim"}, Todos: []job.Todo{{ID: "t" + id, Tool: "write"}}}
	if _, err := p.s.AdmitCall(p.t.Context(), j, true, guest.Day(*p.now.Load()), nil, func(guest.Guest, guest.Use, int) error { return nil }); err != nil {
		p.t.Fatal(err)
	}
	return j
}

// spend writes the intent of a ticket's use.
func (p *spender) spend(j job.Job, use string, files int, money int64) error {
	return p.s.SaveStep(p.t.Context(), job.Step{
		Run: &job.Run{Job: j}, Node: "confirm_check", Next: "exec", Sync: true,
		Intent: &job.Effect{ID: use, JobID: j.ID, Tool: "write", Args: json.RawMessage(`{}`), Guest: "g", Spend: job.Spend{Files: files, Money: money}},
	})
}

func (p *spender) used(files int, money int64) {
	p.t.Helper()
	u, err := p.s.GuestUse(p.t.Context(), "g", guest.Day(*p.now.Load()))
	if err != nil || u.Files != files || u.Money != money {
		p.t.Errorf("used %+v, %v; not %d files and %d won", u, err, files, money)
	}
}

// What a guest may change in a day is counted with the intent, whatever the ticket was admitted for.
func TestAGuestSpendsWithinItsLimits(t *testing.T) {
	p := newSpender(t)
	a, b := p.ticket("a"), p.ticket("b")
	if err := p.spend(a, "1", 2, 0); err != nil {
		t.Fatal(err)
	}
	p.used(2, 0)
	if err := p.spend(b, "2", 2, 0); apperr.CodeOf(err) != apperr.GuestLimit || apperr.From(err).Fields["kind"] != "files" {
		t.Errorf("two more files: %v", err)
	}
	if rec, err := p.s.LoadRun(t.Context(), "b"); err != nil || rec.Next == "exec" {
		t.Errorf("refused, and stored: %v, %v", rec.Next, err)
	}
	if err := p.s.Room(t.Context(), job.Effect{JobID: "b", Guest: "g", Spend: job.Spend{Files: 2}}); apperr.CodeOf(err) != apperr.GuestLimit {
		t.Errorf("room for two: %v", err)
	}
	p.used(2, 0)
	if err := p.spend(b, "3", 1, 1000); err != nil {
		t.Errorf("what was left: %v", err)
	}
	p.used(3, 1000)
	c := p.ticket("c")
	if err := p.spend(c, "4", 0, 1); apperr.CodeOf(err) != apperr.GuestLimit || apperr.From(err).Fields["kind"] != "money" {
		t.Errorf("one won more: %v", err)
	}
	if err := p.spend(c, "5", 0, 0); err != nil {
		t.Errorf("what spends nothing: %v", err)
	}

	// After a kill the same ticket runs again, and counts once; the count itself stands.
	if err := p.s.Close(); err != nil {
		t.Fatal(err)
	}
	p.open()
	p.used(3, 1000)
	if err := p.spend(b, "6", 1, 1000); err != nil {
		t.Errorf("the same again: %v", err)
	}
	p.used(3, 1000)
	if err := p.spend(b, "7", 2, 0); apperr.CodeOf(err) != apperr.GuestLimit {
		t.Errorf("the same ticket, more files: %v", err)
	}

	// A new day begins at midnight where the shop is; what was admitted before it and runs after it counts there.
	midnight := time.Date(2026, 3, 5, 0, 0, 0, 0, p.now.Load().Location())
	p.now.Store(&midnight)
	p.used(0, 0)
	if err := p.spend(c, "8", 3, 0); err != nil {
		t.Errorf("on a new day: %v", err)
	}
	p.used(3, 0)
	p.from.Files = 10
	if err := p.s.ChangeGuest(t.Context(), p.from); err != nil {
		t.Fatal(err)
	}
	if err := p.spend(p.ticket("d"), "9", 7, 0); err != nil {
		t.Errorf("a wider limit holds at once: %v", err)
	}
	if err := p.s.RemoveGuest(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if err := p.spend(a, "10", 1, 0); apperr.CodeOf(err) != apperr.GuestUnknown {
		t.Errorf("a guest that is gone: %v", err)
	}
}

// However many come at once, no more gets through than there is.
func TestGuestsTicketsAtOnceTakeNoMoreThanThereIs(t *testing.T) {
	p := newSpender(t)
	var jobs []job.Job
	for i := range 20 {
		jobs = append(jobs, p.ticket(fmt.Sprint("job", i)))
	}
	var through atomic.Int64
	var all sync.WaitGroup
	for i, j := range jobs {
		all.Go(func() {
			if p.spend(j, fmt.Sprint("use", i), 1, 0) == nil {
				through.Add(1)
			}
		})
	}
	all.Wait()
	if through.Load() != 3 {
		t.Errorf("%d got through", through.Load())
	}
	p.used(3, 0)
}
