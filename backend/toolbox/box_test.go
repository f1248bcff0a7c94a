package toolbox_test

import (
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

func TestNavigationLeavesTheDecksFree(t *testing.T) {
	s := openShop(t, seedTools()...)
	nav := s.takes("j1", "nav")
	s.takes("j2", "song")

	if nav.ID != "L1" || nav.Group != toolbox.MonitorBox || nav.JobID != "j1" || !nav.Since.Equal(opening) {
		t.Errorf("lease %+v", nav)
	}
	want := event.Holder{JobID: "j1", Title: "title of j1", Tool: "nav", LeaseID: "L1", Since: "2025-03-01T09:00:00Z"}
	same(t, "nav is held", s.rack("nav").Holders, want)
	same(t, "movie is blocked", s.rack("movie").BlockedBy, want)
	same(t, "song is held", jobs(s.rack("song").Holders), "j2")
	if blocked := s.rack("song").BlockedBy; len(blocked) != 0 {
		t.Errorf("song is blocked by %v", blocked)
	}
	groups := s.Inventory().Groups
	if len(groups) != 2 || groups[0].Group != toolbox.MonitorBox || groups[0].Capacity != 1 || groups[1].Capacity != 2 {
		t.Errorf("groups %+v", groups)
	}
	same(t, "tools of the monitor", groups[0].Tools, "movie", "nav")
	same(t, "told", s.told(), "j1 acquired nav", "j2 acquired song")
}

func TestAGroupLocksItsOtherTools(t *testing.T) {
	s := openShop(t, seedTools()...)
	nav := s.takes("j1", "nav")
	locked := s.refused("j2", "movie")
	if locked.Reason != toolbox.ReasonGroup || locked.Place != 1 || locked.Group != toolbox.MonitorBox {
		t.Errorf("locked %+v", locked)
	}
	same(t, "in the way", jobs(locked.Holders), "j1")
	if again := s.refused("j3", "nav"); again.Reason != toolbox.ReasonCapacity {
		t.Errorf("the same tool is locked by %s", again.Reason)
	}

	s.waits("j2", "movie", 1)
	s.waits("j2", "movie", 1)
	if place := s.refused("j3", "nav").Place; place != 2 {
		t.Errorf("a newcomer would have place %d", place)
	}
	if place := s.refused("j2", "movie").Place; place != 1 {
		t.Errorf("who waits has place %d", place)
	}
	if !s.Release(nav.ID) {
		t.Error("the lease was not known")
	}
	same(t, "woken", s.woken(), "j2")
	if h := s.rack("movie").Holders; len(h) != 1 || h[0].JobID != "j2" || !h[0].Reserved {
		t.Errorf("movie is put aside: %+v", h)
	}
	if _, taken := s.Holds("j2", "movie"); taken {
		t.Error("a reservation is not a lease yet")
	}
	same(t, "a newcomer meets the reservation", jobs(s.refused("j3", "nav").Holders), "j2")
	s.takes("j2", "movie")
	same(t, "told", s.told(), "j1 acquired nav", "j2 locked movie group 1", "j3 locked nav capacity 1", "j2 queued movie 1",
		"j3 locked nav capacity 2", "j2 locked movie group 1", "j1 released nav", "j3 locked nav group 1", "j2 acquired movie")
}

func TestTwoSongsThenALine(t *testing.T) {
	s := openShop(t, seedTools()...)
	first := s.takes("j1", "song")
	s.takes("j2", "song")
	locked := s.refused("j3", "song")
	if locked.Reason != toolbox.ReasonCapacity {
		t.Errorf("locked by %s", locked.Reason)
	}
	same(t, "in the way", jobs(locked.Holders), "j1", "j2")
	s.waits("j3", "song", 1)
	s.waits("j4", "song", 2)
	s.waits("j5", "song", 3)
	s.told()
	s.Release(first.ID)
	same(t, "places move up", s.told(), "j1 released song", "j4 queued song 1", "j5 queued song 2")
	s.refused("j6", "song")
	s.ReleaseJob("j2")
	same(t, "first come, first served", s.woken(), "j3", "j4")
}

func TestAnInfiniteToolNeverLocks(t *testing.T) {
	s := openShop(t, seedTools()...)
	for _, job := range []string{"j1", "j2", "j3"} {
		s.takes(job, "weather")
	}
	place, ready, err := s.Wait("j4", "weather")
	if place != 0 || !ready || err != nil {
		t.Errorf("waiting for a free tool: place %d, ready %v, error %v", place, ready, err)
	}
	same(t, "woken", s.woken(), "j4")
}

func TestAnInfiniteToolIsLockedByItsGroup(t *testing.T) {
	s := openShop(t, plain("mirror", "Wall", toolbox.Infinite), plain("poster", "Wall", 1))
	s.takes("j1", "mirror")
	if locked := s.refused("j2", "mirror"); locked.Reason != toolbox.ReasonCapacity {
		t.Errorf("locked by %s", locked.Reason)
	}
	if locked := s.refused("j2", "poster"); locked.Reason != toolbox.ReasonGroup {
		t.Errorf("locked by %s", locked.Reason)
	}
}

func TestAcquiringAgainGivesTheSameLease(t *testing.T) {
	s := openShop(t, seedTools()...)
	first := s.takes("j1", "nav")
	if again := s.takes("j1", "nav"); again != first {
		t.Errorf("have %+v, want %+v", again, first)
	}
	if held, ok := s.Holds("j1", "nav"); !ok || held != first {
		t.Errorf("holds %+v, %v", held, ok)
	}
	_, ready, err := s.Wait("j1", "nav")
	if !ready || err != nil {
		t.Errorf("waiting for what it has: ready %v, error %v", ready, err)
	}
	same(t, "told", s.told(), "j1 acquired nav")
}

func TestReleasing(t *testing.T) {
	s := openShop(t, seedTools()...)
	lease := s.takes("j1", "nav")
	if s.Release("nothing") || !s.Release(lease.ID) || s.Release(lease.ID) {
		t.Error("a lease comes back once")
	}
	s.takes("j2", "nav")
	s.takes("j2", "song")
	s.takes("j3", "song")
	s.waits("j2", "movie", 1)
	if n := s.ReleaseJob("j2"); n != 2 {
		t.Errorf("%d came back", n)
	}
	if n := s.ReleaseJob("j2"); n != 0 {
		t.Errorf("%d came back twice", n)
	}
	if len(s.woken()) != 0 || len(s.rack("movie").Waiting) != 0 {
		t.Error("a job that left still stands in line")
	}
}

func TestGivingUpAReservation(t *testing.T) {
	s := openShop(t, seedTools()...)
	nav := s.takes("j1", "nav")
	s.waits("j2", "nav", 1)
	s.waits("j3", "movie", 2)
	s.Release(nav.ID)
	s.told()
	if n := s.ReleaseJob("j2"); n != 1 {
		t.Errorf("%d came back", n)
	}
	same(t, "woken", s.woken(), "j2", "j3")
	same(t, "a reservation comes and goes in silence", s.told())
}

func TestUnknownTools(t *testing.T) {
	s := openShop(t, seedTools()...)
	_, _, err := s.Acquire("j1", "hammer")
	wantCode(t, err, apperr.UnknownTool)
	_, _, err = s.Wait("j1", "hammer")
	wantCode(t, err, apperr.UnknownTool)
	_, err = s.StopOther("j1", "hammer", "j2")
	wantCode(t, err, apperr.UnknownTool)
	if len(s.told()) != 0 {
		t.Error("something was published")
	}
}

func TestOnReadyMayCallTheBox(t *testing.T) {
	var box *toolbox.Box
	got := make(chan toolbox.Lease, 1)
	box, err := toolbox.New(&recorder{}, toolbox.Options{OnReady: func(job string) {
		lease, _, _ := box.Acquire(job, "nav")
		got <- lease
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := box.Register(seedTools()...); err != nil {
		t.Fatal(err)
	}
	lease, _, _ := box.Acquire("j1", "nav")
	if _, ready, _ := box.Wait("j2", "nav"); ready {
		t.Fatal("nav is taken")
	}
	box.Release(lease.ID)
	if next := <-got; next.JobID != "j2" || next.ID == lease.ID || next.ID == "" {
		t.Errorf("lease %+v", next)
	}
}

func TestABoxNeedsAPublisher(t *testing.T) {
	if _, err := toolbox.New(nil, toolbox.Options{}); err == nil {
		t.Error("no error")
	}
}
