package toolbox_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// TestManyJobsShareTheBox lets many jobs take, wait for, fight over and return the tools at once. In the bubble a job
// that is never woken is a deadlock, which fails the test by itself.
func TestManyJobsShareTheBox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const jobs, rounds = 40, 60
		wake := map[string]chan struct{}{}
		for i := range jobs {
			wake[fmt.Sprint("j", i)] = make(chan struct{}, 1)
		}
		heard := &recorder{}
		box, err := toolbox.New(heard, toolbox.Options{OnReady: func(job string) {
			select {
			case wake[job] <- struct{}{}:
			default: // it knows already
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := box.Register(seedTools()...); err != nil {
			t.Fatal(err)
		}
		use := gauges{"monitor": {limit: 1}, "song": {limit: 2}, "weather": {limit: jobs}}
		var all sync.WaitGroup
		for job, woken := range wake {
			all.Go(func() {
				w := worker{t, box, job, woken, rand.New(rand.NewPCG(uint64(len(job)), uint64(job[len(job)-1])))}
				for range rounds {
					w.round(use)
				}
				box.ReleaseJob(job)
			})
		}
		all.Wait()
		for _, r := range box.Inventory().Tools {
			if len(r.Holders)+len(r.Waiting) > 0 {
				t.Errorf("left behind: %+v", r)
			}
		}
		out := map[string]bool{}
		for _, e := range heard.drain() {
			switch d := e.Data.(type) {
			case event.ToolAcquired:
				out[d.LeaseID] = true
			case event.ToolReleased:
				if !out[d.LeaseID] {
					t.Fatalf("released before it was acquired: %+v", d)
				}
				delete(out, d.LeaseID)
			}
		}
		if len(out) > 0 {
			t.Errorf("never released: %v", out)
		}
	})
}

// gauges count what is really in use, apart from the box.
type gauges map[string]*struct {
	now   atomic.Int32
	limit int32
}

type worker struct {
	t     *testing.T
	box   *toolbox.Box
	job   string
	woken <-chan struct{}
	dice  *rand.Rand
}

func (w worker) round(use gauges) {
	tool := []string{"nav", "movie", "song", "song", "weather"}[w.dice.IntN(5)]
	lease, ok := w.acquire(tool)
	if !ok {
		return
	}
	gauge := use[map[string]string{"nav": "monitor", "movie": "monitor", "song": "song", "weather": "weather"}[tool]]
	if n := gauge.now.Add(1); n > gauge.limit {
		w.t.Errorf("%d use %s at once", n, tool)
	}
	w.box.Inventory()
	gauge.now.Add(-1)
	if !w.box.Release(lease.ID) {
		w.t.Errorf("%s lost its lease", w.job)
	}
}

// acquire takes a tool whatever it takes, or, now and then, loses patience.
func (w worker) acquire(tool string) (toolbox.Lease, bool) {
	for {
		lease, locked, err := w.box.Acquire(w.job, tool)
		if err != nil {
			w.t.Error(err)
			return lease, false
		}
		if locked == nil {
			return lease, true
		}
		switch w.dice.IntN(8) {
		case 0:
			w.box.ReleaseJob(w.job)
			return lease, false
		case 1: // the holder gives its lease back soon, as if stopped
			_, err = w.box.StopOther(w.job, tool, locked.Holders[0].JobID)
		default:
			_, _, err = w.box.Wait(w.job, tool)
		}
		if err != nil {
			w.t.Error(err)
			return lease, false
		}
		<-w.woken
	}
}
