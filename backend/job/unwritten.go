package job

import (
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/graph"
)

// leave ends the jobs that the last run may have told to have failed without being able to write that down: nothing goes on by
// itself after that. What waits for somebody goes on waiting, and a use that was begun is asked about.
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

// writeLater keeps the end of a job that was told and could not be kept then, as soon as that can be done, and at the latest
// when the shop closes.
func (m *Manager) writeLater(end *Run) {
	if end == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unwritten++
	m.desk.Go(func() {
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

// Unwritten tells whether the end of a job was told that is not written down yet.
func (m *Manager) Unwritten() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unwritten > 0
}
