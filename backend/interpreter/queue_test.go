package interpreter

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/provider"
)

func jobLetter(job string) provider.Request {
	return provider.Request{Role: provider.RoleSolver, Job: job}
}

// callOf is the waiter of a request, as a send makes it.
func callOf(req provider.Request, moved func(place int)) *waiter {
	return &waiter{rank: rankOf(req), job: req.Job, moved: moved}
}

// line starts calls one after the other while the queue is full and gives the order in which they were let in.
func line(t *testing.T, q *queue, reqs ...provider.Request) []int {
	t.Helper()
	hold, err := q.wait(t.Context(), callOf(provider.Request{}, nil))
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan int, len(reqs))
	for i, l := range reqs {
		go func() {
			leave, err := q.wait(t.Context(), callOf(l, nil))
			if err != nil {
				t.Error(err)
				return
			}
			order <- i
			leave()
		}()
		synctest.Wait() // it stands in line before the next one comes
	}
	hold()
	synctest.Wait()
	close(order)
	var got []int
	for i := range order {
		got = append(got, i)
	}
	return got
}

func TestTheCustomerGoesFirstThenJobsThenBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueues(func() []lane { return []lane{{limit: 1}} })
		got := line(t, q, provider.Request{Role: provider.RoleSummarizer}, jobLetter("a"), jobLetter("b"), provider.Request{Role: provider.RolePlanner})
		want := []int{3, 1, 2, 0}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("order %v, want %v", got, want)
			}
		}
	})
}

func TestJobsShareEvenly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueues(func() []lane { return []lane{{limit: 1}} })
		got := line(t, q, jobLetter("a"), jobLetter("a"), jobLetter("a"), jobLetter("b"))
		if got[0] != 0 || got[1] != 3 {
			t.Fatalf("order %v: job b, which had nothing yet, must come right after job a's first call", got)
		}
	})
}

// Who waits is served as soon as more calls may run at once, not only when one ends.
func TestMoreRoomServesThoseWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := 1
		q := newQueues(func() []lane { return []lane{{limit: room}} })
		hold, err := q.wait(t.Context(), callOf(provider.Request{}, nil))
		if err != nil {
			t.Fatal(err)
		}
		in := make(chan func(), 3)
		for range 3 {
			go func() {
				leave, err := q.wait(t.Context(), callOf(jobLetter("a"), nil))
				if err != nil {
					t.Error(err)
					return
				}
				in <- leave
			}()
		}
		synctest.Wait()
		room = 3
		q.recount()
		synctest.Wait()
		if len(in) != 2 {
			t.Errorf("%d calls run beside the first, two have room", len(in))
		}
		hold()
		for range 3 {
			(<-in)()
		}
	})
}

func TestPlacesAreToldAndACancelTakesTheCallOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueues(func() []lane { return []lane{{limit: 1}} })
		hold, err := q.wait(t.Context(), callOf(provider.Request{}, nil))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() { _, err := q.wait(ctx, callOf(jobLetter("a"), nil)); first <- err }()
		synctest.Wait()
		var places []int
		second := make(chan struct{})
		go func() {
			leave, err := q.wait(t.Context(), callOf(jobLetter("b"), func(p int) { places = append(places, p) }))
			if err == nil {
				leave()
			}
			close(second)
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if err := <-first; err == nil {
			t.Fatal("a canceled call was let in")
		}
		hold()
		<-second
		if len(places) != 2 || places[0] != 2 || places[1] != 1 {
			t.Fatalf("places %v, want [2 1]", places)
		}
		if len(q.running) != 0 || len(q.waiting) != 0 || len(q.served) != 0 {
			t.Fatalf("left behind: %d running, %d waiting, %d served", len(q.running), len(q.waiting), len(q.served))
		}
	})
}

func TestAsManyRunAsTheProviderAnswersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := 3
		q := newQueues(func() []lane { return []lane{{limit: limit}} })
		in := make(chan func(), 10)
		for range 10 {
			go func() {
				leave, err := q.wait(t.Context(), callOf(jobLetter("a"), nil))
				if err != nil {
					t.Error(err)
					return
				}
				in <- leave
			}()
		}
		synctest.Wait()
		if len(in) != 3 {
			t.Fatalf("%d calls run at once, want 3", len(in))
		}
		for range 10 {
			(<-in)()
			synctest.Wait()
			if len(q.running[""]) > limit {
				t.Fatalf("%d calls run at once, want at most %d", len(q.running[""]), limit)
			}
		}
	})
}

// A place that nobody chooses is given away once the line has stood for as long as a call takes there: not to who passes, not to what a customer waits
// for, and not at a server that is far slower.
func TestAStandingLineTakesTheIdlePlaces(t *testing.T) {
	for name, c := range map[string]struct {
		role   provider.Role
		takes  time.Duration // at the slow one; the quick one takes a second
		breaks bool          // nobody is in line for a moment, again and again
		want   time.Duration // when the slow one has its first call; -1: never
	}{
		"a line that stands":    {provider.RoleSolver, 13 * time.Second, false, 13 * time.Second},
		"one that passes":       {provider.RoleSolver, 13 * time.Second, true, -1},
		"customers":             {provider.RolePlanner, 13 * time.Second, false, -1},
		"a server far too slow": {provider.RoleSolver, 40 * time.Second, false, -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var first atomic.Int64
			first.Store(-1)
			lanes := func() []lane {
				return []lane{{name: "quick", limit: 1, takes: time.Second}, {name: "slow", limit: 1, takes: c.takes}}
			}
			q := newQueues(lanes)
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
			defer stop()
			next := make(chan struct{}, 2)
			var all sync.WaitGroup
			for n := range 3 { // one is answered, two wait
				all.Go(func() {
					for ctx.Err() == nil {
						if n > 0 && c.breaks {
							select {
							case <-next:
							case <-ctx.Done():
								return
							}
						}
						req := provider.Request{Role: c.role}
						if c.role == provider.RoleSolver {
							req.Job = string(rune('a' + n))
						}
						w := callOf(req, nil)
						leave, err := q.wait(ctx, w)
						if err != nil {
							return
						}
						if w.at.name == "slow" {
							first.CompareAndSwap(-1, int64(time.Since(began)))
						}
						<-time.After(w.at.takes)
						leave()
						if n == 0 && c.breaks { // the others come only now, and are gone before this one is
							for range 2 {
								select {
								case next <- struct{}{}:
								default:
								}
							}
							<-time.After(3 * time.Second)
						}
					}
				})
			}
			all.Wait()
			if got := time.Duration(first.Load()); got != c.want {
				t.Errorf("%s: the slow one was asked after %s, not %s", name, got, c.want)
			}
		})
	}
}
