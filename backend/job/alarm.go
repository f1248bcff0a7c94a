package job

import (
	"container/heap"
	"time"
)

// pollInterval is the longest time between two looks at the clock. After the computer slept or its clock was set, nobody waits longer
// than this.
const pollInterval = 30 * time.Second

// alarm wakes the jobs that wait for a moment. Moments are wall-clock times, so they hold across restarts, sleep and changes of the
// clock. One timer serves all jobs; there is none while no job waits. Guarded by Manager.mu.
type alarm struct {
	timer    *time.Timer
	sleepers sleepers
}

// sleepUntil parks a job until a moment. Called with m.mu held.
func (m *Manager) sleepUntil(e *entry, at time.Time) {
	m.unsleep(e)
	e.wakeAt = at
	heap.Push(&m.alarm.sleepers, e)
	m.wind()
}

// unsleep removes a job from the alarm. Called with m.mu held.
func (m *Manager) unsleep(e *entry) {
	if e.sleeper > 0 {
		heap.Remove(&m.alarm.sleepers, e.sleeper-1)
	}
}

// wind sets the timer for the earliest moment. Called with m.mu held.
func (m *Manager) wind() {
	if len(m.alarm.sleepers) == 0 || m.closed {
		return
	}
	wait := min(max(m.alarm.sleepers[0].wakeAt.Sub(m.deps.Now()), 0), pollInterval)
	if m.alarm.timer == nil {
		m.alarm.timer = time.AfterFunc(wait, m.ring)
		return
	}
	m.alarm.timer.Reset(wait)
}

// ring puts every job whose moment has come back in the queue.
func (m *Manager) ring() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.deps.Now()
	for len(m.alarm.sleepers) > 0 && !m.alarm.sleepers[0].wakeAt.After(now) {
		e := m.alarm.sleepers[0]
		m.unsleep(e)
		m.wake(e)
	}
	m.wind()
}

// silence stops the alarm for good. Called with m.mu held.
func (m *Manager) silence() {
	if m.alarm.timer != nil {
		m.alarm.timer.Stop()
	}
}

// sleepers is a heap, the earliest moment first; every entry knows its place, counted from 1.
type sleepers []*entry

func (s sleepers) Len() int           { return len(s) }
func (s sleepers) Less(i, j int) bool { return s[i].wakeAt.Before(s[j].wakeAt) }

func (s sleepers) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].sleeper, s[j].sleeper = i+1, j+1
}

// Push implements heap.Interface.
func (s *sleepers) Push(x any) {
	e, _ := x.(*entry)
	*s = append(*s, e)
	e.sleeper = len(*s)
}

// Pop implements heap.Interface.
func (s *sleepers) Pop() any {
	last := len(*s) - 1
	e := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	e.sleeper = 0
	return e
}
