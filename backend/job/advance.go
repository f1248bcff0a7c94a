package job

import (
	"context"

	"agentchat/backend/ask"
	"agentchat/backend/graph"
)

// enqueue puts a job in line for a worker. Called with m.mu held.
func (m *Manager) enqueue(e *entry) {
	if e.queued || m.closed {
		return
	}
	e.queued = true
	m.standing++
	m.line.push(e.id, e.begun)
}

// outOfLine notes that a job stands in line no more. Called with m.mu held.
func (m *Manager) outOfLine(e *entry) {
	if e.queued {
		e.queued = false
		m.standing--
	}
}

// claim gives a job to the caller to run, or false when another has it or it ended.
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

// settled is what became of a job after it was run for a while.
type settled struct {
	state  State
	parked bool
	asks   bool
	err    error // its end could not be saved
}

// advance runs a claimed job as far as it goes (only desk nodes if onlyDesk) and puts it where it belongs: in line, on
// a timer, parked, or out of the books.
func (m *Manager) advance(ctx context.Context, e *entry, onlyDesk bool) settled {
	var before func(string) bool
	if onlyDesk {
		before = func(node string) bool { return deskNodes[node] }
	}
	rec, outcome, err := m.walk(ctx, e.id, before)
	m.mu.Lock()
	defer m.mu.Unlock()
	for onlyDesk && err == nil && outcome == graph.Parked && e.again && !e.canceled {
		e.again = false // the next answer came in while this one was worked in: it needs no worker either
		m.mu.Unlock()
		rec, outcome, err = m.walk(ctx, e.id, before)
		m.mu.Lock()
	}
	done := settled{}
	if rec != nil {
		done = settled{state: rec.Run.Job.State, parked: outcome == graph.Parked, asks: rec.Run.AskID != ""}
	}
	if !onlyDesk {
		e.begun = true
	}
	switch {
	case err == nil && outcome == graph.Ended:
		m.forget(e)
	case e.canceled:
		m.mu.Unlock()
		done = m.finishCanceled(e, rec)
		m.mu.Lock()
		m.forget(e)
	case err != nil && ctx.Err() != nil:
		// The shop closes: the job stays as the journal has it.
	case err != nil:
		m.deps.Log.Error().Err(err).Str("job", e.id).Msg("job stopped by an error of the shop itself")
		m.mu.Unlock()
		done = m.finishBroken(e, rec, err)
		m.mu.Lock()
		m.forget(e)
	case outcome == graph.Yielded:
		e.begun = true
		m.enqueue(e)
	case e.again:
		m.enqueue(e)
	case outcome == graph.Parked && rec.Run.Exec != nil && !rec.Run.Exec.WakeAt.IsZero() && rec.Next == nodeExec:
		m.sleepUntil(e, rec.Run.Exec.WakeAt)
	}
	e.active, e.again = false, false
	e.cancel()
	m.active--
	m.signalIdle()
	return done
}

// walk loads a job and runs its graph.
func (m *Manager) walk(ctx context.Context, id string, before func(string) bool) (*Record, graph.Outcome, error) {
	rec, err := m.deps.Store.LoadRun(context.WithoutCancel(ctx), id)
	if err != nil {
		return nil, "", err
	}
	s := &rec.Run
	s.begin()
	if before == nil {
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
		m.runner.adopt(&rec)
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

// Answered works an answer in. It needs no worker as long as only questions are concerned, so people are heard even
// while every worker is busy.
func (m *Manager) Answered(a ask.Ask) {
	if a.JobID == "" {
		return
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.desk.Add(1)
	m.mu.Unlock()
	m.pool.settleTile(a.JobID)
	e, ctx, ok := m.claim(a.JobID, false) // at once: from now on the shop is not idle
	if !ok {
		m.desk.Done()
		return
	}
	go func() {
		defer m.desk.Done()
		m.advance(ctx, e, true)
	}()
}
