package interpreter

import (
	"context"
	"slices"
	"sync"
	"time"

	"agentchat/backend/provider"
)

// rank orders the calls that wait for a model: a lower one goes first.
type rank int

const (
	rankTurn       rank = iota // the customer is waiting
	rankJob                    // a worker is waiting
	rankBackground             // nobody is waiting
)

func rankOf(l provider.Request) rank {
	switch {
	case l.Role == provider.RoleSummarizer, l.Role == provider.RoleOutside:
		return rankBackground
	case l.Job != "":
		return rankJob
	}
	return rankTurn
}

// queue is the one line for the models. As many calls run at once as each server answers in parallel; the customer's
// own turn goes first, then jobs, each in turn (the one that was served longest ago), then background work. A call that several servers
// may take goes where it is expected to be over first. Safe for concurrent use.
type queue struct {
	lanes func() []lane // the servers for calls that name none, at least one; recount is called when there are more of them

	mu      sync.Mutex
	running map[string][]*waiter // by lane
	waiting []*waiter            // in order of arrival
	guest   *guest               // whoever has the model because nobody wanted it; nil: nobody has
	idle    chan struct{}        // closed when nobody wants a model; nil: nobody waits for that
	served  map[string]uint64
	clock   uint64
	stands  time.Time   // since when there has always been somebody in line; zero: there is nobody
	again   *time.Timer // looks again when a call is not over when it was expected to be, or a place has been free for long; nil: nobody waits for that
	due     time.Time   // when it does
}

// lane is a server that takes calls. Lanes of a lower tier are preferred however long they take.
type lane struct {
	name  string
	limit int // how many calls may run at once, at least 1
	tier  int
	takes time.Duration // how long the call of whoever asks is expected to take here
}

type waiter struct {
	rank  rank
	job   string
	lanes func() []lane // that may take it, the preferred first; nil: the queue's own
	place int
	ready chan struct{} // closed when the call may run
	moved func(place int)

	at    lane // where it runs, once it does
	began time.Time
}

// left is how much longer a call is expected to run. One that is late is taken to need as long again as it has taken.
func (w *waiter) left(now time.Time) time.Duration {
	took := now.Sub(w.began)
	if took < w.at.takes {
		return w.at.takes - took
	}
	return max(took, time.Millisecond)
}

// newQueues makes the line for several servers.
func newQueues(lanes func() []lane) *queue {
	return &queue{lanes: lanes, running: map[string][]*waiter{}, served: map[string]uint64{}}
}

// wait waits for the request's turn and gives the function that ends it, which must be called once. The waiter's moved,
// which must be quick, is told the place in line, from 1, when the call has to wait and whenever the place changes. A
// canceled wait leaves the line; the error is ctx's. A waiter with lanes of its own says where it may run.
func (q *queue) wait(ctx context.Context, w *waiter) (leave func(), err error) {
	w.ready = make(chan struct{})
	if w.lanes == nil {
		w.lanes = q.lanes
	}
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

// unwanted returns when nobody wants a model and no other guest has it, with a context that ends as soon as somebody does, and the
// function that gives it up. Whoever comes does not wait for the guest to be gone. The error is ctx's.
func (q *queue) unwanted(ctx context.Context) (stay context.Context, leave func(), err error) {
	for {
		q.mu.Lock()
		if q.free() && q.guest == nil {
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

// free tells whether nobody runs and nobody waits. Called with q.mu held.
func (q *queue) free() bool { return len(q.running) == 0 && len(q.waiting) == 0 }

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

func (q *queue) release(w *waiter) {
	rest := slices.DeleteFunc(q.running[w.at.name], func(other *waiter) bool { return other == w })
	if q.running[w.at.name] = rest; len(rest) == 0 {
		delete(q.running, w.at.name)
	}
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
	if q.again != nil {
		q.again.Stop()
		q.again = nil
	}
	for q.serveOne() {
	}
	if q.idle != nil && q.free() {
		close(q.idle)
		q.idle = nil
	}
	if len(q.waiting) == 0 {
		clear(q.served) // nobody left to be fair to
		q.stands = time.Time{}
		return
	}
	for i, w := range q.inOrder() {
		if w.place != i+1 {
			w.place = i + 1
			if w.moved != nil {
				w.moved(w.place)
			}
		}
	}
}

// serveOne lets the first call run that has a place where it is over first; those before it that rather wait for another server count there.
func (q *queue) serveOne() bool {
	now, order := time.Now(), q.inOrder()
	if q.stands.IsZero() {
		q.stands = now
	}
	slots := q.slots(now)
	for _, w := range order {
		lanes := w.lanes()
		to, free := slots.choose(lanes, 1)
		if free {
			q.run(w, to, now)
			return true
		}
		if wait := slots.take(to); len(lanes) > 1 {
			q.lookAgain(now, wait)
		}
	}
	return q.serveIdle(now, order)
}

// serveIdle gives a place that nobody chose, and that would be lost to all, to the call that loses least there: never to work that a customer waits for,
// and not where that would be over far sooner elsewhere. A call goes there if it would choose so with its waiting counted many times; or once there has
// been somebody in line for as long as it takes there, for such a line is no passing one, and those behind it gain what this one loses.
func (q *queue) serveIdle(now time.Time, order []*waiter) bool {
	var best *waiter
	var to lane
	var least time.Duration
	slots := q.slots(now)
	for _, w := range order {
		lanes := w.lanes()
		rather, _ := slots.choose(lanes, 1)
		impatient, free := slots.choose(lanes, idles)
		over := slots.take(rather) + rather.takes
		if w.rank == rankTurn || best != nil && w.rank > best.rank {
			continue
		}
		for _, l := range lanes {
			loss, rest := l.takes-over, l.takes-now.Sub(q.stands)
			switch {
			case l.tier != rather.tier, len(q.running[l.name]) >= max(l.limit, 1):
			case best != nil && loss >= least:
			case free && l.name == impatient.name, rest <= 0 && l.takes <= idles*over:
				best, to, least = w, l, loss
			case rest > 0:
				q.lookAgain(now, rest)
			}
		}
	}
	if best != nil {
		q.run(best, to, now)
	}
	return best != nil
}

// lookAgain looks at the line again after a while, if not sooner.
func (q *queue) lookAgain(now time.Time, wait time.Duration) {
	due := now.Add(wait)
	if q.again != nil && !due.Before(q.due) {
		return
	}
	if q.again != nil {
		q.again.Stop()
	}
	q.again, q.due = time.AfterFunc(wait, q.recount), due
}

func (q *queue) run(w *waiter, to lane, now time.Time) {
	q.waiting = slices.DeleteFunc(q.waiting, func(other *waiter) bool { return other == w })
	q.clock++
	if w.job != "" {
		q.served[w.job] = q.clock
	}
	w.at, w.began = to, now
	q.running[to.name] = append(q.running[to.name], w)
	close(w.ready)
}

// inOrder are the calls that wait, whoever goes first in front.
func (q *queue) inOrder() []*waiter {
	list := slices.Clone(q.waiting)
	slices.SortStableFunc(list, func(a, b *waiter) int {
		if a.rank != b.rank {
			return int(a.rank) - int(b.rank)
		}
		switch sa, sb := q.served[a.job], q.served[b.job]; {
		case sa < sb:
			return -1
		case sa > sb:
			return 1
		}
		return 0
	})
	return list
}

// slots are, for each lane, when its places are expected to be free, the first in front. Those of calls that were reckoned with before
// but do not run yet count, too.
type slots struct {
	now     time.Time
	running map[string][]*waiter
	free    map[string][]time.Duration
}

func (q *queue) slots(now time.Time) *slots {
	return &slots{now, q.running, map[string][]time.Duration{}}
}

// of gives the places of a lane.
func (s *slots) of(l lane) []time.Duration {
	if list, ok := s.free[l.name]; ok {
		return list
	}
	limit := max(l.limit, 1)
	list := make([]time.Duration, 0, limit)
	for _, w := range s.running[l.name] {
		list = append(list, w.left(s.now))
	}
	for len(list) < limit {
		list = append(list, 0)
	}
	slices.Sort(list)
	list = list[len(list)-limit:] // where more run than may, those that end first free no place
	s.free[l.name] = list
	return list
}

// notably is how much sooner a call must be expected to be over elsewhere, in fifths of what it takes, so that it goes there and not where it is preferred.
const notably = 7

// idles is how many times as much it counts that a call waits while another server has a place that nobody would choose.
const idles = 8

// choose gives the lane where a call is to run, and whether it has a place now. Its waiting counts so many times.
func (s *slots) choose(lanes []lane, counts time.Duration) (best lane, free bool) {
	over := time.Duration(-1)
	for _, l := range lanes {
		if over >= 0 && l.tier > best.tier {
			continue
		}
		ends := counts*s.of(l)[0] + l.takes
		if over < 0 || l.tier < best.tier || ends*notably/5 < over {
			best, over = l, ends
		}
	}
	return best, s.of(best)[0] == 0
}

// take reckons with a call that waits for a lane, and says how long it is expected to.
func (s *slots) take(l lane) (wait time.Duration) {
	list := s.of(l)
	wait = list[0]
	list[0] += max(l.takes, time.Millisecond)
	slices.Sort(list)
	return wait
}
