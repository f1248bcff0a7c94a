package job

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
)

// CancelJob stops a job in any state. Its leases are free within 50 ms. Errors: not_found, job_ended; storage errors, after
// which a job that stood still stands as it was and can be stopped again.
func (m *Manager) CancelJob(id string) error {
	m.mu.Lock()
	e := m.jobs[id]
	if e == nil {
		m.mu.Unlock()
		if _, err := m.deps.Store.LoadRun(m.base, id); err != nil {
			return err
		}
		return apperr.New(apperr.JobEnded)
	}
	e.canceled = true
	if e.active {
		if e.cancel != nil { // nil: it never ran and another call is ending it right now
			e.cancel()
		}
		m.mu.Unlock()
		return nil
	}
	e.active = true
	m.outOfLine(e)
	m.active++
	m.line.remove(id)
	m.mu.Unlock()

	rec, err := m.deps.Store.LoadRun(m.base, id)
	if err == nil {
		rec.Run.begin()
		err = m.finishCanceled(e, &rec).err
	}
	if err == nil {
		m.pool.settleTile(id)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active--
	if err == nil {
		m.forget(e)
	} else {
		e.active, e.canceled = false, false
		m.enqueue(e) // its tools and its place in line are gone; it looks again where it stands
	}
	m.signalIdle()
	return err
}

// finishCanceled gives a stopped job its last state. What happened is not denied: a tool that had already finished makes
// its todo done, and a job with nothing left but its report is reported as what it is.
func (m *Manager) finishCanceled(e *entry, rec *Record) settled {
	m.deps.Box.ReleaseJob(e.id)
	if rec == nil {
		return settled{state: Canceled}
	}
	s := &rec.Run
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	s.keepOutcome()
	s.interrupted()
	to := Canceled
	switch {
	case s.doubtful():
		// It may have happened: then "canceled" would be a lie.
		problem := apperr.New(apperr.InDoubt, "tool", s.Call.Tool)
		to, s.Job.Code, s.Job.Report = Failed, problem.Code, doubtReport(s.Job.Lang, s.todo().Title)
		s.todo().Text = s.Job.Report
		s.mark(TodoFailed, nodeDone)
		s.out.Settled = &Effect{ID: s.Exec.ID, Fate: FateUnknown}
	case s.Job.allDone():
		to, s.Job.Report = Succeeded, plainReport(s.Job.results())
	case s.Job.Code != "" && s.Job.Code != apperr.Canceled:
		to, s.Job.Report = Failed, plainReport(s.Job.results())
	default:
		s.Job.Code, s.Job.Report = apperr.Canceled, canceledReport(s)
	}
	return m.finish(rec, to)
}

// finishBroken ends a job that the shop itself could not carry on with (storage failed, a node of its own broke).
func (m *Manager) finishBroken(e *entry, rec *Record, cause error) settled {
	m.deps.Box.ReleaseJob(e.id)
	if rec == nil {
		return settled{state: Failed}
	}
	s := &rec.Run
	effect := s.out.Settled
	s.begin()
	s.out.Settled = effect
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	s.keepOutcome()
	s.interrupted()
	if s.Job.allDone() {
		s.Job.Report = plainReport(s.Job.results())
		return m.finish(rec, Succeeded)
	}
	problem := apperr.From(cause)
	s.Job.Code, s.Job.Report = problem.Code, problem.Text(s.Job.Lang)
	if s.hasTodo() && s.todo().State != TodoDone {
		s.todo().Text = s.Job.Report
		s.mark(TodoFailed, nodeDone)
	}
	return m.finish(rec, Failed)
}

// doubtful tells whether the tool at hand was left behind in the middle of something that counts.
func (s *Run) doubtful() bool {
	return s.hasTodo() && s.Outcome == nil && s.Exec != nil && s.Exec.Intent && s.Exec.Left
}

// keepOutcome makes the todo at hand done when its tool has finished but the todo does not say so yet.
func (s *Run) keepOutcome() {
	if s.inLoop() && s.Call != nil { // one request of a loop has its result; the todo is not done for that
		if s.Outcome != nil && s.Outcome.Ran {
			s.Loop.settle(*s.Outcome, true)
		}
		return
	}
	if s.hasTodo() && s.Outcome != nil && s.Outcome.OK && s.Outcome.Ran && s.todo().State != TodoDone {
		t := s.todo()
		t.Text, t.Data, t.Ran = s.Outcome.Text, s.Outcome.Data, true
		s.mark(TodoDone, nodeSave)
	}
}

func (m *Manager) finish(rec *Record, to State) settled {
	s := &rec.Run
	if s.Job.State.Ended() {
		return settled{state: s.Job.State}
	}
	err := m.runner.end(s, to)
	if err == nil {
		step := *s.out
		step.Run, step.Node, step.Next, step.Sync = s, nodeDone, graph.End, true
		err = m.runner.commit(context.WithoutCancel(m.base), step)
	}
	if err != nil {
		// The ledger has it as unfinished, so the next start takes it up: nothing is run twice or lost meanwhile.
		m.deps.Log.Error().Err(err).Str("job", s.Job.ID).Msg("the end of a job could not be saved")
		problem := apperr.From(err)
		m.deps.Publisher.Publish(event.Of(s.Job.Chat, s.Job.ID, event.Error{
			Code: string(problem.Code), Message: problem.Text(s.Job.Lang), Fields: problem.Fields,
		}))
	}
	return settled{state: s.Job.State, err: err}
}
