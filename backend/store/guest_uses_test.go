package store_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/job"
	"agentchat/backend/store"
)

// A fence is above all before it, a call under an older one makes no ticket, a use has one ticket at most, and what was called off has none ever.
func TestANamedUseHasOneTicket(t *testing.T) {
	s := open(t, t.TempDir())
	ctx := t.Context()
	kim := guest.Guest{ID: "kim", Name: "Kim", Tools: []string{"stamp"}, Calls: 10, Created: time.Now()}
	if err := s.AddGuest(ctx, kim, []byte("key")); err != nil {
		t.Fatal(err)
	}
	promise := func(use, id string) guest.NamedUse {
		t.Helper()
		u, err := s.PromiseUse(ctx, kim.ID, use, "stamp", id)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	first, other, second := promise("u", "job-1"), promise("v", "job-2"), promise("u", "job-9")
	if first.Fence >= other.Fence || other.Fence >= second.Fence || second.Job != "job-1" {
		t.Errorf("%+v %+v %+v", first, other, second)
	}
	admit := func(use, id string, fence int64) error {
		_, err := s.AdmitCall(ctx, job.Job{ID: id, Chat: kim.Chat(), Guest: &job.Guest{ID: kim.ID, Use: use}, State: job.Queued, Todos: []job.Todo{{ID: "t-" + id, Tool: "stamp"}}, Created: time.Now()},
			false, time.Now().Add(-time.Hour), &guest.Claim{Use: use, Fence: fence, Digest: []byte("d")}, func(guest.Guest, guest.Use, int) error { return nil })
		return err
	}
	if err := admit("u", "job-1", first.Fence); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("under an old fence: %v", err)
	}
	if err := admit("u", "job-1", second.Fence); err != nil {
		t.Error(err)
	}
	if err := admit("u", "job-1", second.Fence); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("twice: %v", err)
	}
	if u := promise("u", "job-1"); u.State != guest.UseAdmitted || u.Fence != second.Fence {
		t.Errorf("%+v", u)
	}
	if u, err := s.TakeBackUse(ctx, kim.ID, "v"); err != nil || u.State != guest.UseTakenBack {
		t.Errorf("%+v, %v", u, err)
	}
	if u := promise("v", "job-2"); u.State != guest.UseTakenBack {
		t.Errorf("%+v", u)
	}
	if err := admit("v", "job-2", other.Fence); apperr.CodeOf(err) != apperr.Changed {
		t.Errorf("after it was called off: %v", err)
	}
	if u, err := s.TakeBackUse(ctx, kim.ID, "new"); err != nil || u.State != guest.UseTakenBack {
		t.Errorf("a name that was never heard: %+v, %v", u, err)
	}
}

// Names are kept for as long as somebody may ask for them again, those of tickets that go on and the highest fence for longer.
func TestNamesOfUsesAreForgotten(t *testing.T) {
	p := newSpender(t)
	ctx := t.Context()
	promise := func(use string) guest.NamedUse {
		t.Helper()
		u, err := p.s.PromiseUse(ctx, "g", use, "write", "job-"+use)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	admit := func(use string) {
		t.Helper()
		u := promise(use)
		p.n++
		j := job.Job{ID: u.Job, Number: p.n, Chat: p.from.Chat(), State: job.Queued, Guest: &job.Guest{ID: "g", Use: use}, Todos: []job.Todo{{ID: "t-" + use, Tool: "write"}}}
		if _, err := p.s.AdmitCall(ctx, j, false, *p.now.Load(), &guest.Claim{Use: use, Fence: u.Fence, Digest: []byte("d")}, func(guest.Guest, guest.Use, int) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	promise("old")
	admit("open")
	if _, err := p.s.TakeBackUse(ctx, "g", "off"); err != nil {
		t.Fatal(err)
	}
	last := promise("last")
	for _, c := range []struct {
		days int
		kept []string
	}{{99, []string{"old", "open", "off", "last"}}, {101, []string{"open", "last"}}} {
		later := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC).AddDate(0, 0, c.days)
		p.now.Store(&later)
		if _, err := p.s.Prune(ctx, store.Keep{Uses: 100 * 24 * time.Hour, Batch: 1}); err != nil {
			t.Fatal(err)
		}
		for _, use := range []string{"old", "open", "off", "last"} {
			if u, err := p.s.NamedUse(ctx, "g", use); err != nil || u.State != 0 != slices.Contains(c.kept, use) {
				t.Errorf("after %d days %s: %+v, %v", c.days, use, u, err)
			}
		}
	}
	if next := promise("next"); next.Fence <= last.Fence {
		t.Errorf("fence %d after %d", next.Fence, last.Fence)
	}
}
