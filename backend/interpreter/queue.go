package interpreter

import (
	"context"
	"sync"

	"agentchat/backend/provider"
)

// rank orders the calls that wait for the model: a lower one goes first.
type rank int

const (
	rankTurn       rank = iota // the customer is waiting
	rankJob                    // a worker is waiting
	rankBackground             // nobody is waiting
)

func rankOf(l provider.Request) rank {
	switch {
	case l.Role == provider.RoleSummarizer:
		return rankBackground
	case l.Job != "":
		return rankJob
	}
	return rankTurn
}

// queue is the one line for the model. As many calls run at once as the provider answers in parallel; the customer's
// own turn goes first, then jobs, each in turn (the one that was served longest ago), then background work. Safe for
// concurrent use.
type queue struct {
	limit func() int // how many calls may run at once, at least 1; recount is called when it has grown

	mu      sync.Mutex
	running int
	waiting []*waiter     // in order of arrival
	guest   *guest        // whoever has the model because nobody wanted it; nil: nobody has
	idle    chan struct{} // closed when nobody wants the model; nil: nobody waits for that
	served  map[string]uint64
	clock   uint64
}

type waiter struct {
	rank  rank
	job   string
	place int
	ready chan struct{} // closed when the call may run
	moved func(place int)
}

func newQueue(limit func() int) *queue { return &queue{limit: limit, served: map[string]uint64{}} }

// enter waits for the request's turn and gives the function that ends it, which must be called once. moved, which must be
// quick, is told the place in line, from 1, when the call has to wait and whenever the place changes. A canceled wait
// leaves the line; the error is ctx's.
func (q *queue) enter(ctx context.Context, l provider.Request, moved func(place int)) (leave func(), err error) {
	return q.wait(ctx, &waiter{rank: rankOf(l), job: l.Job, moved: moved})
}

// wait is enter for whoever is not a request of the shop's own work.
func (q *queue) wait(ctx context.Context, w *waiter) (leave func(), err error) {
	w.ready = make(chan struct{})
	q.mu.Lock()
	if q.guest != nil {
		q.guest.away()
		q.guest = nil
	}
	q.waiting = append(q.waiting, w)
	q.serve()
	q.mu.Unlock()
	select {
	case <-w.ready:
		return func() { q.leave(w) }, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.waiting {
		if other == w {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			q.serve()
			return nil, ctx.Err()
		}
	}
	q.release(w) // its turn came in the very moment it gave up
	return nil, ctx.Err()
}

// guest has the model as long as nobody wants it.
type guest struct{ away context.CancelFunc }

// unwanted returns when nobody wants the model and no other guest has it, with a context that ends as soon as somebody does, and the
// function that gives it up. Whoever comes does not wait for the guest to be gone. The error is ctx's.
func (q *queue) unwanted(ctx context.Context) (stay context.Context, leave func(), err error) {
	for {
		q.mu.Lock()
		if q.running == 0 && len(q.waiting) == 0 && q.guest == nil {
			stay, away := context.WithCancel(ctx)
			g := &guest{away}
			q.guest = g
			q.mu.Unlock()
			return stay, func() { q.goes(g) }, nil
		}
		if q.idle == nil {
			q.idle = make(chan struct{})
		}
		idle := q.idle
		q.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// goes ends a guest's stay, and lets the next one in.
func (q *queue) goes(g *guest) {
	g.away()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.guest == g {
		q.guest = nil
		q.serve()
	}
}

func (q *queue) leave(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.release(w)
}

func (q *queue) release(*waiter) {
	q.running--
	q.serve()
}

// recount lets those go who may since more calls may run at once.
func (q *queue) recount() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.serve()
}

// serve lets as many calls run as may, and tells the others their places. Called with q.mu held.
func (q *queue) serve() {
	for len(q.waiting) > 0 && q.running < max(q.limit(), 1) {
		i := q.next(q.waiting)
		w := q.waiting[i]
		q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
		q.running++
		q.clock++
		if w.job != "" {
			q.served[w.job] = q.clock
		}
		close(w.ready)
	}
	if q.idle != nil && q.running == 0 && len(q.waiting) == 0 {
		close(q.idle)
		q.idle = nil
	}
	if len(q.waiting) == 0 {
		clear(q.served) // nobody left to be fair to
		return
	}
	rest := append([]*waiter(nil), q.waiting...)
	for place := 1; len(rest) > 0; place++ {
		i := q.next(rest)
		if w := rest[i]; w.place != place {
			w.place = place
			if w.moved != nil {
				w.moved(place)
			}
		}
		rest = append(rest[:i], rest[i+1:]...)
	}
}

// next is the index of the call to go first.
func (q *queue) next(list []*waiter) int {
	best := 0
	for i, w := range list[1:] {
		b := list[best]
		if w.rank < b.rank || w.rank == b.rank && q.served[w.job] < q.served[b.job] {
			best = i + 1
		}
	}
	return best
}
