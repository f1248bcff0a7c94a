package job

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/graph"
	"agentchat/backend/toolbox"
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
	switch {
	case apperr.CodeOf(err) == apperr.RecordUnreadable:
		err = m.finishBroken(e, &rec, err).err
	case err == nil:
		rec.Run.begin()
		err = m.finishCanceled(e, &rec, nil).err
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

// finishCanceled gives a stopped job its final state. Work that was done counts: if the tool had already finished, its todo is done, and
// a job that only lacked its report is reported as done.
func (m *Manager) finishCanceled(e *entry, rec *Record, cause error) settled {
	m.deps.Box.ReleaseJob(e.id)
	rec = m.committed(rec, cause)
	if rec == nil {
		return settled{state: Canceled}
	}
	s := &rec.Run
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	m.runner.keepOutcome(s)
	m.runner.recall(s)
	to := Canceled
	switch {
	case s.doubtful():
		// It may have happened, so "canceled" could be wrong.
		problem := apperr.New(apperr.InDoubt, "tool", s.todo().Tool)
		to, s.Job.Code, s.Job.Report = Failed, problem.Code, doubtReport(s.Job.Lang, s.todo().Title)
		s.todo().Text = s.Job.Report
		s.mark(TodoFailed, nodeDone)
		if s.Exec != nil {
			s.out.Settled = &Effect{ID: s.Exec.ID, Outcome: EffectUnknown}
		}
	case s.Job.allDone():
		to, s.Job.Report = Succeeded, plainReport(s.Job.results())
	case s.Job.Code != "" && s.Job.Code != apperr.Canceled:
		to, s.Job.Report = Failed, plainReport(s.Job.results())
	default:
		s.Job.Code, s.Job.Report = apperr.Canceled, canceledReport(s)
	}
	return m.finish(rec, to)
}

// recall tells a tool whose call goes on elsewhere that nobody waits for it any more: the use ends without its own word.
func (r *Runner) recall(s *Run) {
	if s.Exec == nil || s.Call == nil || s.Outcome != nil && s.Outcome.Ran {
		return
	}
	if tool, err := r.box.Tool(s.Call.Tool); err == nil {
		if elsewhere, ok := tool.(toolbox.Recaller); ok {
			elsewhere.Recall(s.Exec.ID)
		}
	}
}

// finishBroken ends a job that cannot go on for internal reasons: storage failed, or a node returned an error.
func (m *Manager) finishBroken(e *entry, rec *Record, cause error) settled {
	m.deps.Log.Error().Err(cause).Str("job", e.id).Msg("job stopped by an error of the shop itself")
	m.deps.Box.ReleaseJob(e.id)
	if rec == nil {
		return settled{state: Failed}
	}
	if apperr.CodeOf(cause) == apperr.RecordUnreadable {
		return m.putAside(rec, cause)
	}
	rec = m.committed(rec, cause)
	s := &rec.Run
	m.deps.Screens.Clear(s.Job.Chat, e.id)
	m.runner.keepOutcome(s)
	m.runner.recall(s)
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

// committed reloads a job from the journal after a node failed; the node's changes are dropped. Only the outcome of the tool call is
// kept, because the tool has run whether or not that could be stored.
func (m *Manager) committed(half *Record, cause error) *Record {
	if half == nil || cause == nil {
		return half
	}
	rec, err := m.deps.Store.LoadRun(context.WithoutCancel(m.base), half.Run.Job.ID)
	if err != nil { // not even that can be read: then what is in memory has to do, without what was to be written with it
		rec = *half
	}
	was, now := &half.Run, &rec.Run
	effect := was.out.Settled
	now.begin()
	if was.Exec != nil && now.Exec != nil && was.Exec.ID == now.Exec.ID {
		now.Exec.Left, now.Outcome, now.out.Settled = was.Exec.Left, was.Outcome, effect
	}
	return &rec
}

// doubtful tells whether the current tool was stopped in the middle of a call with an effect.
func (s *Run) doubtful() bool {
	return s.hasTodo() && s.Outcome == nil && s.Exec != nil && s.Exec.Intent && s.Exec.Left
}

// keepOutcome makes the todo at hand done when its tool has finished but the todo does not say so yet.
func (r *Runner) keepOutcome(s *Run) {
	if s.inLoop() && s.Call != nil { // one request of a loop has its result; the todo is not done for that
		if s.Outcome != nil && s.Outcome.Ran && (s.Exec == nil || s.Exec.ID != s.Loop.Kept) {
			r.did(s, true)
			if s.Outcome.Undo != nil {
				s.todo().Undos = append(s.todo().Undos, *s.Outcome.Undo)
			}
			s.Loop.recordResult(*s.Outcome, true)
		}
		return
	}
	if s.hasTodo() && s.Outcome != nil && s.Outcome.OK && s.Outcome.Ran && s.todo().State != TodoDone {
		t := s.todo()
		t.Text, t.Data, t.Ran, t.Undo = s.Outcome.Text, s.Outcome.Data, true, s.Outcome.Undo
		s.mark(TodoDone, nodeSave)
	}
}

// putAside ends a job whose record, or the record of its question, cannot be read. The record is kept for inspection, and the customer
// is told.
func (m *Manager) putAside(rec *Record, cause error) settled {
	s := &rec.Run
	s.begin()
	m.deps.Screens.Clear(s.Job.Chat, s.Job.ID)
	problem := apperr.From(cause)
	s.Job.Code, s.Job.Report = problem.Code, problem.Text(s.Job.Lang)
	err := m.runner.end(s, Failed)
	if err == nil {
		err = m.commitEnd(s, func(ctx context.Context, step Step) error { return m.deps.Store.PutAside(ctx, step, cause) })
	}
	if err != nil {
		m.deps.Log.Error().Err(err).Str("job", s.Job.ID).Msg("a record that cannot be read could not be put aside; the next start tries again")
	}
	return settled{state: s.Job.State, err: err}
}

func (m *Manager) finish(rec *Record, to State) settled {
	s := &rec.Run
	if s.Job.State.Ended() {
		return settled{state: s.Job.State}
	}
	err := m.runner.end(s, to)
	if err == nil {
		err = m.commitEnd(s, m.deps.Store.SaveStep)
	}
	if err != nil && m.deps.Store.Distrust() == nil { // there may be room now
		if again := m.commitEnd(s, m.deps.Store.SaveStep); again == nil {
			return settled{state: s.Job.State}
		}
	}
	if err != nil {
		// The ledger has it as unfinished, and the next start knows that it must not simply go on with it (leave).
		m.deps.Log.Error().Err(err).Str("job", s.Job.ID).Msg("the end of a job could not be saved")
		problem := apperr.From(err)
		m.deps.Publisher.Publish(event.Of(s.Job.Chat, s.Job.ID, event.Error{
			Code: string(problem.Code), Message: problem.Text(s.Job.Lang), Fields: problem.Fields,
		}))
	}
	return settled{state: s.Job.State, err: err, end: s}
}

// commitEnd keeps the last step of a job.
func (m *Manager) commitEnd(s *Run, save func(context.Context, Step) error) error {
	step := *s.out
	step.Run, step.Node, step.Next, step.Sync = s, nodeDone, graph.End, true
	return m.runner.commit(context.WithoutCancel(m.base), step, save)
}
