package sim

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/store"
)

var (
	seeds = flag.Uint64("sim.seeds", 200, "how many seeds to simulate")
	first = flag.Uint64("sim.first", 1, "the first seed")
	steps = flag.Int("sim.steps", 60, "decisions of the scheduler in each")
)

// Whatever happens in whatever order, with kills at any moment: no message, job, question or effect is lost, doubled,
// stuck or unapproved. A seed that fails says what happened; -sim.first=N -sim.seeds=1 runs it again.
func TestSimulation(t *testing.T) {
	template := emptyLedger(t)
	percent := debug.SetGCPercent(400) // thousands of short lives
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	began := time.Now()
	var next atomic.Uint64
	for range runtime.GOMAXPROCS(0) {
		t.Run("lane", func(t *testing.T) {
			t.Parallel()
			for !t.Failed() {
				n := next.Add(1) - 1
				if n >= *seeds {
					return
				}
				t.Run(fmt.Sprint("seed", *first+n), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { newWorld(t, *first+n, template).run(*steps) })
				})
			}
		})
	}
	t.Cleanup(func() {
		took := time.Since(began)
		t.Logf("%d seeds in %.1f s: %.0f a minute", *seeds, took.Seconds(), float64(*seeds)/took.Minutes())
	})
}

// emptyLedger is a ledger of today's schema to begin with.
func emptyLedger(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(context.Background(), dir, time.Now)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, store.FileName)
}
