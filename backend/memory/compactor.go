package memory

import (
	"context"
	"slices"
	"sync"
)

// patientTurns is how many turns of a chat the compactor lets go by. Where one follows the other without a pause it would never come
// to it, and each request would be longer than the last: after so many it looks after the chat whatever is under way.
const patientTurns = 2 * mostTurns

// compactor does what nobody waits for, one chat after the other, and stops whenever a turn begins.
type compactor struct {
	do func(ctx context.Context, chat string)

	mu      sync.Mutex
	turns   int            // under way
	due     []string       // chats to look after, each once
	passed  map[string]int // by chat, the turns since it was looked after
	busy    bool
	drop    context.CancelFunc // ends the work at hand
	firm    bool               // no turn ends it
	changed chan struct{}      // closed and replaced when anything above changes
	closed  bool
	done    chan struct{}
}

func (c *compactor) open(do func(ctx context.Context, chat string)) {
	c.do, c.passed, c.changed, c.done = do, map[string]int{}, make(chan struct{}), make(chan struct{})
	go c.run()
}

// signal wakes everybody who waits for a change. Called with c.mu held.
func (c *compactor) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// turnBegins says that a turn begins.
func (c *compactor) turnBegins() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turns++; c.drop != nil && !c.firm {
		c.drop()
	}
	c.signal()
}

// turnEnds says that a turn of a chat is over, so that the chat is due.
func (c *compactor) turnEnds(chat string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns--
	c.passed[chat]++
	c.put(chat)
	c.signal()
}

// remind says that a chat is due though no turn of it has ended.
func (c *compactor) remind(chat string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(chat)
	c.signal()
}

// put adds a chat to those that are due. Called with c.mu held.
func (c *compactor) put(chat string) {
	if slices.Contains(c.due, chat) {
		return
	}
	c.due = append(c.due, chat)
}

func (c *compactor) run() {
	defer close(c.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed {
		at := slices.IndexFunc(c.due, c.pressing)
		if at < 0 && (c.turns > 0 || len(c.due) == 0) {
			changed := c.changed
			c.mu.Unlock()
			<-changed
			c.mu.Lock()
			continue
		}
		chat := c.due[max(at, 0)]
		c.due = slices.Delete(c.due, max(at, 0), max(at, 0)+1)
		ctx, cancel := context.WithCancel(context.Background())
		c.busy, c.drop, c.firm = true, cancel, at >= 0
		c.mu.Unlock()
		c.do(ctx, chat)
		c.mu.Lock()
		if ctx.Err() != nil {
			c.put(chat) // a turn came in between
		} else {
			delete(c.passed, chat)
		}
		cancel()
		c.busy, c.drop = false, nil
		c.signal()
	}
}

// pressing tells whether a chat was put off for long enough. Called with c.mu held.
func (c *compactor) pressing(chat string) bool { return c.passed[chat] > patientTurns }

// wait returns when nothing is due, or with the context's error.
func (c *compactor) wait(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.busy || len(c.due) > 0 && !c.closed {
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			c.mu.Lock()
			return ctx.Err()
		}
		c.mu.Lock()
	}
	return nil
}

func (c *compactor) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		if c.drop != nil {
			c.drop()
		}
		c.signal()
	}
	c.mu.Unlock()
	<-c.done
}
