package job

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/graph"
)

// enqueue puts a job in line for a worker. Called with m.mu held.
func (m *Manager) enqueue(e *entry) {
	if e.queued || m.closed {
		return
	}
	e.queued = true
	m.queued++
	m.line.push(e.id, e.begun)
}

// outOfLine records that a job has left the queue. Called with m.mu held.
func (m *Manager) outOfLine(e *entry) {
	if e.queued {
		e.queued = false
		m.queued--
	}
}

// claim marks a job as run by the caller; false when someone else runs it or it has ended.
func (m *Manager) claim(id string, fromLine bool) (*entry, context.Context, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.jobs[id]
	if e == nil || m.closed {
		return nil, nil, false
	}
	if fromLine {
		m.outOfLine(e)
	}
	if e.active || (!fromLine && e.queued) {
		e.again = e.again || e.active
		return nil, nil, false
	}
	e.active, e.again = true, false
	m.unsleep(e)
	m.active++
	ctx, cancel := context.WithCancel(m.base)
	e.cancel = cancel
	return e, ctx, true
}

// settled is the result of running a job for a while.
type settled struct {
	state  State
	parked bool
	asks   bool
	err    error // its end could not be saved
	end    *Run  // that end
}

// place is where a job goes after it was run for a while.
type place int

const (
	stays  place = iota // nowhere: it was stopped or the program closes, and the journal has its state
	parked              // on a question or for a tool; whoever ends the wait wakes it
	asleep              // until a moment
	inLine              // for a worker
	over                // out of memory: it has ended
	broken              // it cannot go on and is to be ended
)

// leg is one run of a job through its graph: the state it reached and where the job goes now.
type leg struct {
	settled
	rec   *Record // nil when it could not be read
	to    place
	until time.Time // for asleep
	err   error
}

// advance runs a claimed job as far as it goes (only inline nodes if so told) and puts it where it belongs.
func (m *Manager) advance(ctx context.Context, e *entry, inline bool) settled {
	l := m.walk(ctx, e.id, inline)
	for {
		switch m.put(e, &l, inline) {
		case placed:
			return l.settled
		case lookAgain:
			l = m.walk(ctx, e.id, inline)
		case toCancel:
			l = leg{settled: m.finishCanceled(e, l.rec, l.err), to: over}
			m.writeLater(l.end)
		case toFail:
			l = leg{settled: m.finishBroken(e, l.rec, l.err), to: over}
			m.writeLater(l.end)
		}
	}
}

// verdict says what must be done with a job before it can be put in its place.
type verdict int

const (
	placed    verdict = iota
	lookAgain         // it was woken while it ran, and what woke it needs no worker; or the ledger moved on under it
	toCancel
	toFail
)

// put moves a job to its place while the lock is held once, or says what must be done with it first.
func (m *Manager) put(e *entry, l *leg, inline bool) verdict {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case l.to == over:
	case e.canceled:
		return toCancel
	case l.to == broken && apperr.CodeOf(l.err) == apperr.Canceled: // the ledger had it as called off before anybody said so
		return toCancel
	case l.to == broken && apperr.CodeOf(l.err) == apperr.GuestLimit: // another ticket took what was left: it is looked at anew, and told
		return lookAgain
	case l.to == broken:
		return toFail
	case inline && l.to == parked && e.again:
		e.again = false
		return lookAgain
	}
	e.begun = e.begun || !inline || l.to == inLine
	switch {
	case l.to == over:
		m.forget(e)
	case l.to == stays:
	case l.to == inLine, e.again:
		m.enqueue(e)
	case l.to == asleep:
		m.sleepUntil(e, l.until)
	}
	e.active, e.again = false, false
	e.cancel()
	m.active--
	m.signalIdle()
	return placed
}

// walk loads a job, runs its graph and says where it belongs.
func (m *Manager) walk(ctx context.Context, id string, inline bool) leg {
	rec, outcome, err := m.run(ctx, id, inline)
	l := leg{rec: rec, to: parked, err: err}
	if rec != nil {
		l.settled = settled{state: rec.Run.Job.State, parked: outcome == graph.Parked, asks: rec.Run.AskID != ""}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		l.to = stays
	case err != nil:
		l.to = broken
	case outcome == graph.Ended:
		l.to = over
	case outcome == graph.Yielded:
		l.to = inLine
	case m.runner.graph.Facts(rec.Next).Waits == graph.ForMoment:
		l.to, l.until = asleep, rec.Run.Exec.WakeAt
	}
	return l
}

// run loads a job and runs its graph.
func (m *Manager) run(ctx context.Context, id string, inline bool) (*Record, graph.Outcome, error) {
	rec, err := m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
	if apperr.CodeOf(err) == apperr.RecordUnreadable {
		return &rec, "", err
	}
	if err != nil {
		return nil, "", err
	}
	s := &rec.Run
	s.begin()
	before := func(node string) bool { return m.runner.graph.Facts(node).Inline || !inline && !m.held.Load() }
	if !inline {
		if s.Job.Started.IsZero() {
			s.Job.Started = m.deps.Now()
		}
		if s.Job.State == Queued {
			if err := s.move(Running, ""); err != nil {
				return &rec, "", err
			}
		}
	}
	if !m.runner.graph.Has(rec.Next) && rec.Next != "" {
		m.runner.migrate(&rec)
	}
	outcome, next, err := m.runner.graph.Run(ctx, s, rec.Next, m.runner, before)
	rec.Next = next
	return &rec, outcome, err
}

// forget takes an ended job out of memory. Called with m.mu held.
func (m *Manager) forget(e *entry) {
	m.unsleep(e)
	delete(m.jobs, e.id)
}

// Wake puts a parked job back in line: its tool is reserved for it, or its moment has come. Waking a job that need not
// be woken does no harm.
func (m *Manager) Wake(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.jobs[id]; e != nil {
		m.wake(e)
	}
}

// wake is Wake. Called with m.mu held.
func (m *Manager) wake(e *entry) {
	switch {
	case m.closed:
	case e.active:
		e.again = true
	default:
		e.begun = true
		m.enqueue(e)
	}
}

// Answered continues a job whose question was answered. As long as only questions follow, no worker is needed, so answers take effect
// even while every worker is busy.
func (m *Manager) Answered(a ask.Ask) {
	if a.JobID == "" {
		return
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.answering.Add(1)
	m.mu.Unlock()
	m.pool.settleTile(a.JobID)
	e, ctx, ok := m.claim(a.JobID, false) // at once: from now on the shop is not idle
	if !ok {
		m.answering.Done()
		return
	}
	go func() {
		defer m.answering.Done()
		m.advance(ctx, e, true)
	}()
}
