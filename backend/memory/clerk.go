package memory

import (
	"context"
	"sync"
)

// clerk does what nobody waits for, one chat after the other, and lays his pen down whenever a turn begins.
type clerk struct {
	do func(ctx context.Context, chat string)

	mu      sync.Mutex
	turns   int      // under way
	due     []string // chats to look after, each once
	busy    bool
	drop    context.CancelFunc // ends the work at hand
	changed chan struct{}      // closed and replaced when anything above changes
	closed  bool
	done    chan struct{}
}

func (c *clerk) open(do func(ctx context.Context, chat string)) {
	c.do, c.changed, c.done = do, make(chan struct{}), make(chan struct{})
	go c.run()
}

// signal wakes everybody who waits for a change. Called with c.mu held.
func (c *clerk) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// hold says that a turn begins.
func (c *clerk) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turns++; c.drop != nil {
		c.drop()
	}
	c.signal()
}

// release says that a turn of a chat is over, so that the chat is due.
func (c *clerk) release(chat string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns--
	c.put(chat)
	c.signal()
}

// put adds a chat to those that are due. Called with c.mu held.
func (c *clerk) put(chat string) {
	for _, d := range c.due {
		if d == chat {
			return
		}
	}
	c.due = append(c.due, chat)
}

func (c *clerk) run() {
	defer close(c.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.closed {
		if c.turns > 0 || len(c.due) == 0 {
			changed := c.changed
			c.mu.Unlock()
			<-changed
			c.mu.Lock()
			continue
		}
		chat := c.due[0]
		c.due = c.due[1:]
		ctx, cancel := context.WithCancel(context.Background())
		c.busy, c.drop = true, cancel
		c.mu.Unlock()
		c.do(ctx, chat)
		c.mu.Lock()
		if ctx.Err() != nil {
			c.put(chat) // a turn came in between
		}
		cancel()
		c.busy, c.drop = false, nil
		c.signal()
	}
}

// wait returns when nothing is due, or with the context's error.
func (c *clerk) wait(ctx context.Context) error {
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

func (c *clerk) close() {
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
