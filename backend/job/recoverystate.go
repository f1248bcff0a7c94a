package job

import (
	"context"
	"fmt"
	"time"

	"agentchat/backend/graph"
	"agentchat/backend/toolbox"
)

// RecoveryState is what must be known of an unfinished job at the start. The rest of the job stays in the store until it runs.
type RecoveryState struct {
	ID       string
	Chat     string
	Number   int64
	Title    string
	State    State
	Next     string // the node it goes on at
	WakeAt   time.Time
	AskID    string // the question it is parked on
	Answered bool   // a person has answered it, and the job has not read that yet
	Tool     string // the tool of the call at hand
	InLine   bool   // it holds a ticket for the tool
	QueuedAt time.Time
	Off      CalledOff
	Resumes  bool // its tool was put aside and goes on from where it was
}

func (s RecoveryState) label() string { return label(s.Title, s.Number) }

func label(title string, number int64) string { return fmt.Sprintf("No.%d %s", number, title) }

// inDoubt tells whether nobody but a person can say if the tool at hand did what it was to do.
func (s RecoveryState) inDoubt(facts graph.Facts, box *toolbox.Box) bool {
	if !facts.Effect || s.Resumes {
		return facts.Doubt
	}
	spec, err := box.Spec(s.Tool)
	return err == nil && spec.Effect == toolbox.EffectOnce && !spec.Keyed
}

// Recovered is what was unfinished when the shop opened. InDoubt jobs are among Running or Waiting, Unreadable ones among no others.
type Recovered struct {
	Queued  int // had not begun
	Running int // were interrupted and run again
	Waiting int // are parked again: on a question, a tool or a moment
	InDoubt int // a person is asked what happened

	Unreadable int // are put aside, once CheckRecords has found them
}

// Recovered is what Start found. The zero value before.
func (m *Manager) Recovered() Recovered {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.recovered
}

// with is r and n more jobs that stand like s. One that was called off is over.
func (r Recovered) with(s RecoveryState, inDoubt bool, n int) Recovered {
	if s.Off != NotCalledOff {
		return r
	}
	switch s.State {
	case Queued:
		r.Queued += n
	case Running:
		r.Running += n
	case Waiting:
		r.Waiting += n
	case Succeeded, Failed, Canceled:
	}
	if inDoubt {
		r.InDoubt += n
	}
	return r
}

func (m *Manager) doubtful(s RecoveryState) bool {
	return s.inDoubt(m.runner.graph.Facts(s.Next), m.deps.Box)
}

// CheckRecords looks whether the record of every unfinished job can be read, which Start does not take the time for. Those that
// cannot are put in line, so that a worker puts them aside; Recovered counts them. It gives how many there are. Once, after Start.
func (m *Manager) CheckRecords(ctx context.Context) (torn int, err error) {
	list, err := m.deps.Store.TornRuns(ctx)
	if err != nil {
		return 0, err
	}
	for _, s := range list {
		inDoubt := m.doubtful(s)
		m.mu.Lock()
		if e := m.jobs[s.ID]; e != nil {
			m.recovered = m.recovered.with(s, inDoubt, -1)
			m.recovered.Unreadable++
			m.wake(e)
			torn++
		}
		m.mu.Unlock()
	}
	return torn, nil
}
