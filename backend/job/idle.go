package job

import (
	"context"
	"errors"
)

// ErrNotIdle is returned by WaitIdle when its context ends first.
var ErrNotIdle = errors.New("job: still busy")

// WaitIdle returns when no job runs and none stands in line. Jobs that wait for a person, a tool or a moment do not count, nor does
// the line while the workers rest.
func (m *Manager) WaitIdle(ctx context.Context) error {
	for {
		m.mu.Lock()
		busy, ch := m.busy(), m.idle
		m.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ErrNotIdle
		}
	}
}

// Busy tells whether a job runs or stands in line.
func (m *Manager) Busy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.busy()
}

// busy is Busy; a worker whose tile still shows work counts. Called with m.mu held.
func (m *Manager) busy() bool {
	return m.active > 0 || m.queued > 0 && !m.held.Load() || m.pool.serving.Load() > 0
}

func (m *Manager) signalIdle() {
	if !m.busy() {
		close(m.idle)
		m.idle = make(chan struct{})
	}
}
