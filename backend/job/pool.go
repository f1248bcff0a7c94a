package job

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"agentchat/backend/event"
)

// settleAfter is how long a worker's tile keeps showing how its last job ended, or that it is parked on a question. The
// worker itself is free at once.
const settleAfter = 5 * time.Second

// WorkerPool holds the workers (seed: WorkerPool, servers). Each takes one job at a time from the queue and runs it until it ends or
// parks.
type WorkerPool struct {
	m  *Manager
	wg sync.WaitGroup

	serving atomic.Int32 // workers that run a job right now

	mu     sync.Mutex
	target int
	tiles  []event.WorkerState // by worker number - 1
	alive  map[int]context.CancelFunc
	closed bool
}

func newPool(m *Manager) *WorkerPool { return &WorkerPool{m: m, alive: map[int]context.CancelFunc{}} }

// Run sets the number of workers. New ones start at once; those too many leave when their job is done.
func (p *WorkerPool) Run(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.target = n
	for len(p.tiles) < n {
		p.tiles = append(p.tiles, event.WorkerState{Worker: len(p.tiles) + 1, State: "idle", Blink: event.BlinkNone})
	}
	for w := 1; w <= n; w++ {
		if p.alive[w] == nil {
			p.start(w)
		}
	}
	for w, leave := range p.alive {
		if w > n {
			leave()
		}
	}
	p.trim()
}

func (p *WorkerPool) start(w int) {
	ctx, leave := context.WithCancel(p.m.base)
	p.alive[w] = leave
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		p.work(ctx, w)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.alive, w)
		if !p.closed && w <= p.target { // wanted again while it was leaving
			p.start(w)
			return
		}
		p.trim()
	}()
}

// trim drops the tiles of workers that have left. Called with p.mu held.
func (p *WorkerPool) trim() {
	for len(p.tiles) > p.target && p.alive[len(p.tiles)] == nil {
		p.tiles = p.tiles[:len(p.tiles)-1]
	}
}

func (p *WorkerPool) work(ctx context.Context, w int) {
	settle := time.NewTimer(time.Hour)
	settle.Stop()
	defer settle.Stop()
	for {
		if ctx.Err() != nil {
			p.m.line.signal() // the wake-up that it may have taken goes to another worker
			return
		}
		if id := p.next(); id != "" {
			settle.Stop()
			if p.serve(w, id) {
				settle.Reset(settleAfter)
			}
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-p.m.line.wake:
		case <-settle.C:
			p.show(event.WorkerState{Worker: w, State: "idle", Blink: event.BlinkNone})
		}
	}
}

// next takes a job from the line; "" when there is none, or the workers rest.
func (p *WorkerPool) next() string {
	if p.m.held.Load() {
		return ""
	}
	return p.m.line.pop()
}

// serve runs one job and tells whether the tile should settle later.
func (p *WorkerPool) serve(w int, id string) bool {
	e, ctx, ok := p.m.claim(id, true)
	if !ok {
		p.m.mu.Lock()
		p.m.signalIdle()
		p.m.mu.Unlock()
		return false
	}
	p.serving.Add(1)
	defer func() {
		p.serving.Add(-1)
		p.m.mu.Lock()
		p.m.signalIdle()
		p.m.mu.Unlock()
	}()
	p.settleTile(id)
	p.show(event.WorkerState{Worker: w, State: "running", JobID: id, Blink: event.BlinkNone})
	done := p.m.advance(ctx, e, false)
	tile := event.WorkerState{Worker: w, State: "idle", Blink: event.BlinkNone}
	switch done.state {
	case Succeeded:
		tile = event.WorkerState{Worker: w, State: "succeeded", JobID: id, Blink: event.BlinkGreen}
	case Failed:
		tile = event.WorkerState{Worker: w, State: "failed", JobID: id, Blink: event.BlinkRed}
	case Canceled:
		tile = event.WorkerState{Worker: w, State: "canceled", JobID: id, Blink: event.BlinkNone}
	case Waiting:
		if done.parked && done.asks {
			tile = event.WorkerState{Worker: w, State: "waiting", JobID: id, Blink: event.BlinkYellow}
		}
	case Queued, Running:
	}
	p.show(tile)
	return tile.State != "idle"
}

// free is how many workers have nothing to do.
func (p *WorkerPool) free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.target-int(p.serving.Load()), 0)
}

// show puts a tile on the dashboard.
func (p *WorkerPool) show(tile event.WorkerState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tile.Worker > len(p.tiles) || p.tiles[tile.Worker-1] == tile {
		return
	}
	p.tiles[tile.Worker-1] = tile
	p.m.deps.Publisher.Publish(event.Of("", tile.JobID, tile))
}

// settleTile ends the yellow blink of a job whose question is out of the way. The worker itself has long been free.
func (p *WorkerPool) settleTile(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, tile := range p.tiles {
		if tile.JobID == id && tile.State == "waiting" {
			p.tiles[i] = event.WorkerState{Worker: tile.Worker, State: "idle", Blink: event.BlinkNone}
			p.m.deps.Publisher.Publish(event.Of("", "", p.tiles[i]))
		}
	}
}

// Tiles is the dashboard's row of workers.
func (p *WorkerPool) Tiles() []event.WorkerState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]event.WorkerState{}, p.tiles...)
}

func (p *WorkerPool) stop() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.wg.Wait()
}
