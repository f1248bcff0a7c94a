package sim

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/testing/breadth"
)

var (
	seeds = flag.Uint64("sim.seeds", 200, "how many seeds to simulate")
	first = flag.Uint64("sim.first", 1, "the first seed")
	steps = flag.Int("sim.steps", 50, "decisions of the scheduler in each")
)

// TestMain keeps the simulation to one thread: then the seed alone decides who goes first.
func TestMain(m *testing.M) {
	flag.Parse()
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400) // thousands of short lives
	os.Exit(m.Run())
}

// Whatever happens in whatever order, with kills at any moment: no message, job, question or effect is lost, doubled,
// stuck or unapproved. A seed that fails says what happened; make sim SEEDS=1 FIRST=n runs it again.
func TestSimulation(t *testing.T) {
	shelf := newShelf(t)
	began := time.Now()
	seeds := uint64(breadth.Count(int(*seeds), 40))
	for seed := *first; seed < *first+seeds && !t.Failed(); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			shelf.clear(t)
			synctest.Test(t, func(t *testing.T) { newWorld(t, seed, shelf).run(*steps) })
		})
	}
	if moved.Load() == 0 && seeds >= 100 {
		t.Error("no money was moved in any seed: the simulation leaves the counter out")
	}
	if refused.Load() == 0 && seeds >= 100 {
		t.Error("no write was refused in any seed: the simulation leaves the full disk out")
	}
	took := time.Since(began)
	t.Logf("%d seeds in %.1f s: %.0f a minute", seeds, took.Seconds(), float64(seeds)/took.Minutes())
}

// A failing seed is worth something only if it fails again.
func TestASeedIsRepeatable(t *testing.T) {
	shelf := newShelf(t)
	for seed := range uint64(breadth.Count(60, 12)) {
		var trails [2][]string
		for i := range trails {
			shelf.clear(t)
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, seed, shelf)
				w.run(*steps)
				trails[i] = w.trail
			})
		}
		if !slices.Equal(trails[0], trails[1]) {
			n := same(trails[0], trails[1])
			t.Errorf("seed %d went two ways after %d of %d decisions:\n%q\n%q", seed, n, len(trails[0]), trails[0][max(n-4, 0):min(n+4, len(trails[0]))], trails[1][max(n-4, 0):min(n+4, len(trails[1]))])
		}
	}
}

// same is how many entries two trails have in common from the start.
func same(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
