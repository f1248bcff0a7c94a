package toolbox_test

import (
	"testing"

	"agentchat/backend/toolbox"
)

func TestStopOtherOvertakesWhoWaits(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("nav", "nav")
	s.waits("third", "movie", 1)
	s.told()
	s.stops("movie", "movie", "nav", true)
	same(t, "the asker goes to the head", s.told(), "movie queued movie 1", "third queued movie 2")
	s.stops("movie", "movie", "nav", true) // asking again changes nothing
	s.waits("movie", "movie", 1)
	s.ReleaseJob("nav")
	same(t, "woken", s.woken(), "movie")
	s.takes("movie", "movie")
	s.ReleaseJob("movie")
	same(t, "woken after the asker", s.woken(), "third")
}

func TestStopOtherOfAReservation(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.waits("b", "nav", 1)
	s.ReleaseJob("a")
	s.stops("c", "nav", "b", true)
	s.ReleaseJob("b")
	same(t, "woken", s.woken(), "b", "c")
}

func TestStopOtherOfNobodyInTheWay(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.stops("a", "nav", "ghost", false) // it is free
	same(t, "woken", s.woken(), "a")
	s.takes("a", "nav")
	s.stops("a", "nav", "a", false) // it has it
	same(t, "woken", s.woken(), "a")
	s.takes("b", "song")
	s.stops("c", "movie", "b", false) // b holds something else
	s.stops("c", "movie", "c", false) // nobody stops itself
	if w := s.rack("movie").Waiting; len(w) != 1 || w[0] != (toolbox.Waiting{JobID: "c", Place: 1}) {
		t.Errorf("c waits: %+v", w)
	}
}

func TestALeaseIsPromisedOnce(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.stops("x", "nav", "a", true)
	s.stops("y", "movie", "a", false) // stopping a would only serve x
	s.ReleaseJob("a")
	same(t, "woken", s.woken(), "x")
	s.stops("y", "movie", "x", true)
	s.ReleaseJob("x")
	same(t, "woken", s.woken(), "y")
}

func TestEachPromiseIsKeptWithItsOwnLease(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "song")
	s.takes("b", "song")
	s.waits("w", "song", 1)
	s.stops("x", "song", "a", true)
	s.stops("y", "song", "b", true)
	s.ReleaseJob("b") // promised to y, who stands behind x
	same(t, "woken", s.woken(), "y")
	s.ReleaseJob("a")
	same(t, "woken", s.woken(), "x")
	s.ReleaseJob("x")
	same(t, "woken", s.woken(), "w")
}

func TestAnotherLeaseMayServeThePromisedFirst(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "song")
	s.takes("b", "song")
	s.waits("w", "song", 1)
	s.stops("x", "song", "a", true)
	s.ReleaseJob("b")
	same(t, "the head of the line is served", s.woken(), "x")
	s.ReleaseJob("a")
	same(t, "then the next", s.woken(), "w")
}

func TestAnAskerThatLeavesPassesThePromiseOn(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "nav")
	s.waits("w", "movie", 1)
	s.stops("x", "movie", "a", true)
	s.told()
	s.ReleaseJob("x")
	same(t, "w moves up", s.told(), "w queued movie 1")
	s.ReleaseJob("a")
	same(t, "woken", s.woken(), "w")
}

func TestAPromiseSurvivesLoweredCapacity(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "song")
	s.takes("b", "song")
	s.waits("w", "song", 1)
	s.stops("x", "song", "a", true)
	if err := s.Override("song", toolbox.Override{Capacity: ptr(1)}); err != nil {
		t.Fatal(err)
	}
	s.ReleaseJob("a")
	same(t, "nothing fits yet", s.woken())
	s.waits("x", "song", 1)
	s.ReleaseJob("b")
	same(t, "woken", s.woken(), "x")
}

func TestChangingOnesMindFreesTheFirstPromise(t *testing.T) {
	s := openShop(t, seedTools()...)
	s.takes("a", "song")
	s.takes("b", "song")
	s.stops("x", "song", "a", true)
	s.stops("x", "song", "b", true)
	s.stops("y", "song", "a", true)
	s.ReleaseJob("a")
	same(t, "woken", s.woken(), "y")
}
