package front

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestAMarkIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m mark
		over := make(chan error, 3)
		for _, seq := range []uint64{3, 5, 9} {
			go func() { over <- m.wait(t.Context(), seq) }()
		}
		synctest.Wait()
		m.reach(5)
		m.reach(2) // it never goes back
		synctest.Wait()
		if len(over) != 2 {
			t.Errorf("%d of 2 went on", len(over))
		}
		m.reach(end)
		synctest.Wait()
		if len(over) != 3 {
			t.Error("the end is not the end")
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := m.wait(gone, 1); err != nil {
			t.Errorf("what has been reached needs no waiting: %v", err)
		}
		var fresh mark
		if err := fresh.wait(gone, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
