package store_test

import (
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/guest"
	"agentchat/backend/job"
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
