package job

import (
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
)

// leave ends the jobs that the last run of the program may have reported as failed without being able to store it: they must not go on by
// themselves. A job that waits for a person goes on waiting, and a call that was started is asked about.
func (m *Manager) leave(live []RecoveryState) (rest []RecoveryState) {
	for _, s := range live {
		facts := m.runner.graph.Facts(s.Next)
		if s.State == Waiting && !s.Answered && facts.Waits != graph.ForNothing || facts.Effect {
			rest = append(rest, s)
			continue
		}
		m.mu.Lock()
		e := m.jobs[s.ID]
		m.outOfLine(e)
		m.line.remove(s.ID)
		m.mu.Unlock()
		rec, err := m.deps.Store.LoadRun(m.base, s.ID)
		switch {
		case err == nil:
			rec.Run.begin()
			m.writeLater(m.finishBroken(e, &rec, apperr.New(apperr.NotCarriedOut)).end)
		case apperr.CodeOf(err) == apperr.RecordUnreadable:
			m.finishBroken(e, &rec, err)
		default:
			m.deps.Log.Error().Err(err).Str("job", s.ID).Msg("a job could not be read; it is left alone")
		}
		m.mu.Lock()
		m.forget(e)
		m.mu.Unlock()
	}
	return rest
}

// writeLater stores the end of a job that was reported but could not be stored. It retries until that works, the last time when the
// program closes.
func (m *Manager) writeLater(end *Run) {
	if end == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unwritten++
	m.answering.Go(func() {
		for wait, open := time.Second, true; ; wait = min(2*wait, time.Minute) {
			again := time.NewTimer(wait)
			select {
			case <-again.C:
			case <-m.base.Done():
				again.Stop()
				open = false
			}
			err := m.commitEnd(end, m.deps.Store.SaveStep)
			if err == nil {
				m.mu.Lock()
				defer m.mu.Unlock()
				m.unwritten--
				return
			}
			if !open {
				m.deps.Log.Error().Err(err).Str("job", end.Job.ID).Msg("the end of a job is still not written down; the next start asks")
				return
			}
		}
	})
}

// Unwritten tells whether the end of some job was reported and is not stored yet.
func (m *Manager) Unwritten() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unwritten > 0
}
