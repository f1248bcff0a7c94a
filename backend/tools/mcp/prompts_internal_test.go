package mcp

import (
	"testing"
	"testing/synctest"
	"time"
)

// What a server says of its prompts again and again is passed on once, and once more after a rest; nothing of it is lost.
func TestPromptsThatChangeAllTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rest = time.Second
		x, heard := newSession(), 0
		x.calls.Go(func() { x.hearPrompts(func() { heard++ }, rest) })
		for range 20 {
			poke(x.reread)
			synctest.Wait()
		}
		if heard != 1 {
			t.Errorf("heard %d times at once", heard)
		}
		<-time.After(rest)
		synctest.Wait()
		if heard != 2 {
			t.Errorf("heard %d times after a rest", heard)
		}
		x.abandon(errEnded)
		x.calls.Wait()
	})
}
