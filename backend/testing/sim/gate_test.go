package sim

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"testing/synctest"
)

// gates hold every goroutine of the shop at the moments that matter (before and after each write, each request, each
// effect of a tool) until the scheduler lets it go on. And whoever was woken (by another goroutine, or by the clock together
// with others) stands in the queue before it touches anything that is shared. So one goes at a time, and the seed alone
// decides who goes first, whatever the machine does.
type gates struct {
	mu     sync.Mutex
	held   []*held
	queued []*held
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
func (g *gates) pass(name string) { g.stand(name, &g.held) }

// queue waits until all the others stand still. Unlike a gate it is no moment of the story: whoever is in it goes on, one
// after the other, before the scheduler decides anything.
func (g *gates) queue(name string) { g.stand(name, &g.queued) }

func (g *gates) stand(name string, where *[]*held) {
	g.mu.Lock()
	if g.opened {
		g.mu.Unlock()
		return
	}
	g.count[name]++
	h := &held{key: fmt.Sprintf("%s/%d", name, g.count[name]), free: make(chan struct{})}
	*where = append(*where, h)
	g.mu.Unlock()
	<-h.free
}

// waiting lists who is held, in an order that does not depend on who came first.
func (g *gates) waiting() []*held { return g.list(&g.held) }

func (g *gates) list(where *[]*held) []*held {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortFunc(*where, func(a, b *held) int { return cmp.Compare(a.key, b.key) })
	return slices.Clone(*where)
}

// settle returns when nobody goes on by themselves and nobody stands in the queue. Who goes first is drawn by the seed and by who
// stands there: how often somebody had to wait at all is the machine's to say, and must not change what is drawn afterwards.
func (g *gates) settle(seed uint64) {
	for synctest.Wait(); ; synctest.Wait() {
		queued := g.list(&g.queued)
		if len(queued) == 0 {
			return
		}
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, seed)
		for _, q := range queued {
			_, _ = fmt.Fprint(h, " ", q.key)
		}
		g.let(queued[h.Sum64()%uint64(len(queued))])
	}
}

// let sets one free.
func (g *gates) let(h *held) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, where := range []*[]*held{&g.held, &g.queued} {
		*where = slices.DeleteFunc(*where, func(o *held) bool { return o == h })
	}
	close(h.free)
}

// open sets everybody free, now and from now on.
func (g *gates) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened = true
	for _, h := range slices.Concat(g.held, g.queued) {
		close(h.free)
	}
	g.held, g.queued = nil, nil
}
