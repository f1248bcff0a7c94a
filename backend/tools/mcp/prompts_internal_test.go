package mcp

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/backend/background"
)

// What a server says of its prompts again and again is passed on once, and once more after a rest; nothing of it is lost.
func TestPromptsThatChangeAllTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rest = time.Second
		var heard atomic.Int32
		x := newSession()
		x.calls.Go(func() { x.hearPrompts(func() { heard.Add(1) }, rest) })
		for range 20 {
			background.Wake(x.reread)
			synctest.Wait()
		}
		if n := heard.Load(); n != 1 {
			t.Errorf("heard %d times at once", n)
		}
		<-time.After(rest)
		synctest.Wait()
		if n := heard.Load(); n != 2 {
			t.Errorf("heard %d times after a rest", n)
		}
		x.abandon(errEnded)
		x.calls.Wait()
	})
}
