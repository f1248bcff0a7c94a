package job

import (
	"slices"

	"agentchat/backend/apperr"
)

// CalledOff says whether a job was called off. It is stored with the job, so it holds even if the program dies right after.
type CalledOff int

// How a job may be called off.
const (
	NotCalledOff CalledOff = iota
	Stopped                // a person stopped the work
	Disowned               // the message that asked for it was deleted or changed, and its end is not reported
	Away                   // it had ended when its chat was deleted, and comes back with it
)

// Alive tells whether a job has not ended and is not being stopped.
func (m *Manager) Alive(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.jobs[id]
	return e != nil && !e.canceled
}

// CancelChat stops every job of a chat and gives how many there were. A job whose end could not be saved is not counted.
func (m *Manager) CancelChat(chat string) int {
	m.mu.Lock()
	var ids []string
	for id, e := range m.jobs {
		if e.chat == chat && !e.canceled {
			ids = append(ids, id)
		}
	}
	m.mu.Unlock()
	slices.Sort(ids) // the oldest first
	n := 0
	for _, id := range ids {
		if m.CancelJob(id) == nil {
			n++
		}
	}
	return n
}

// Disown stops jobs that the ledger has as disowned. They end without a word to the chat they were asked for in. One whose
// end cannot be saved is ended at the next start.
func (m *Manager) Disown(ids []string) {
	m.mu.Lock()
	for _, id := range ids {
		if e := m.jobs[id]; e != nil {
			e.disowned = true
		}
	}
	m.mu.Unlock()
	m.callOff(ids)
}

// disowned tells whether the end of a job is not to be reported to anyone.
func (m *Manager) disowned(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.jobs[id]
	return e != nil && e.disowned
}

// finishCalledOff ends the jobs that were called off before the program stopped, and returns the others. It runs before any worker starts.
func (m *Manager) finishCalledOff(live []RecoveryState) (rest []RecoveryState) {
	var ids []string
	for _, s := range live {
		if s.Off == NotCalledOff {
			rest = append(rest, s)
		} else {
			ids = append(ids, s.ID)
		}
	}
	m.callOff(ids)
	return rest
}

func (m *Manager) callOff(ids []string) {
	for _, id := range ids {
		if err := m.CancelJob(id); err != nil && apperr.CodeOf(err) != apperr.JobEnded {
			m.deps.Log.Error().Err(err).Str("job", id).Msg("a job that was called off could not be ended")
		}
	}
}
