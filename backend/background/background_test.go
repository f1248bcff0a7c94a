package background_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/background"
)

// Work is done at the start, at the moments it names, when it is woken, and never after Stop.
func TestALoopWorksAtItsMoments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		loop := background.New(time.Now, time.Minute, func(context.Context) time.Time {
			at = append(at, time.Since(began))
			switch len(at) {
			case 1:
				return began.Add(90 * time.Second) // farther than the clock is trusted for
			case 2:
				return began // could not be done: it is tried again
			}
			return time.Time{}
		})
		loop.Stop() // before Start: fine
		ctx, cancel := context.WithCancel(t.Context())
		loop.Start(ctx)
		cancel()              // whoever starts it may leave
		time.Sleep(time.Hour) //nolint:forbidigo // the bubble's own time
		loop.Wake()
		synctest.Wait()
		loop.Stop()
		loop.Stop()
		loop.Wake()
		synctest.Wait()
		want := []time.Duration{0, 90 * time.Second, 150 * time.Second, time.Hour}
		if !slices.Equal(at, want) {
			t.Errorf("worked at %v, want %v", at, want)
		}
	})
}

// A clock that is set counts at the next look at it.
func TestALoopFollowsAClockThatIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		began, worked := time.Now(), 0
		loop := background.New(now, time.Minute, func(context.Context) time.Time {
			if worked++; worked == 1 {
				return began.Add(24 * time.Hour)
			}
			return time.Time{}
		})
		loop.Start(t.Context())
		synctest.Wait()
		ahead.Store(int64(25 * time.Hour))
		time.Sleep(time.Minute) //nolint:forbidigo // the bubble's own time
		synctest.Wait()
		loop.Stop()
		if worked != 2 {
			t.Errorf("worked %d times a minute after the clock was set to the day", worked)
		}
	})
}

// Stop ends the work at hand and waits for it.
func TestStopWaitsForTheWorkAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := false
		loop := background.New(time.Now, time.Minute, func(ctx context.Context) time.Time {
			<-ctx.Done()
			over = true
			return time.Time{}
		})
		loop.Start(t.Context())
		synctest.Wait()
		loop.Stop()
		if !over {
			t.Error("stopped before the work was over")
		}
	})
}

// A clock that is set back counts, too: what comes next is asked for anew.
func TestALoopFollowsAClockThatIsSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		ahead.Store(int64(24 * time.Hour))
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		began, worked := time.Now(), 0
		loop := background.New(now, time.Minute, func(context.Context) time.Time {
			worked++
			return began.Add(48 * time.Hour)
		})
		loop.Start(t.Context())
		time.Sleep(10 * time.Minute) //nolint:forbidigo // the bubble's own time
		ahead.Store(0)
		time.Sleep(10 * time.Minute) //nolint:forbidigo // the bubble's own time
		synctest.Wait()
		loop.Stop()
		if worked != 2 {
			t.Errorf("worked %d times, with the clock set back once", worked)
		}
	})
}
