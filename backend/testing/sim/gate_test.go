package sim

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// gates hold every goroutine of the shop at the moments that matter (before and after each write, each letter, each
// effect of a tool) until the scheduler lets it go on. So the seed alone decides who goes first.
type gates struct {
	mu     sync.Mutex
	held   []*held
	count  map[string]int
	opened bool
}

// held is one goroutine that stands at a gate.
type held struct {
	key  string
	free chan struct{}
}

func newGates() *gates { return &gates{count: map[string]int{}} }

// pass waits until the scheduler says so. name tells where; it need not be unique.
func (g *gates) pass(name string) {
	g.mu.Lock()
	if g.opened {
		g.mu.Unlock()
		return
	}
	g.count[name]++
	h := &held{key: fmt.Sprintf("%s/%d", name, g.count[name]), free: make(chan struct{})}
	g.held = append(g.held, h)
	g.mu.Unlock()
	<-h.free
}

// waiting lists who is held, in an order that does not depend on who came first.
func (g *gates) waiting() []*held {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortFunc(g.held, func(a, b *held) int { return cmp.Compare(a.key, b.key) })
	return slices.Clone(g.held)
}

// let sets one free.
func (g *gates) let(h *held) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = slices.DeleteFunc(g.held, func(o *held) bool { return o == h })
	close(h.free)
}

// open sets everybody free, now and from now on.
func (g *gates) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = true
	for _, h := range g.held {
		close(h.free)
	}
	g.held = nil
}
