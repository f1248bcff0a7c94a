package job

import (
	"fmt"
	"time"

	"agentchat/backend/toolbox"
)

// Standing is where an unfinished job stands: all that has to be known of it to open the shop. The rest of it stays in the
// ledger until it moves.
type Standing struct {
	ID       string
	Number   int64
	Title    string
	State    State
	Next     string // the node it goes on at
	WakeAt   time.Time
	AskID    string // the question it is parked on
	Answered bool   // a person has answered it, and the job has not read that yet
	Tool     string // the tool of the call at hand
	InLine   bool   // it holds a ticket for the tool
	Stood    time.Time
	Resumes  bool // its tool was put aside and goes on from where it was
}

func (s Standing) label() string { return label(s.Title, s.Number) }

func label(title string, number int64) string { return fmt.Sprintf("%s #%d", title, number) }

// standsInLine tells whether the job is parked in line for a tool.
func (s Standing) standsInLine() bool {
	return s.Next == nodeAcquire && s.State == Waiting && s.InLine && s.Tool != ""
}

// inDoubt tells whether nobody but a person can say if the tool at hand did what it was to do.
func (s Standing) inDoubt(box *toolbox.Box) bool {
	switch s.Next {
	case nodeAskRecovery, nodeReadRecovery:
		return true
	case nodeExec:
		spec, err := box.Spec(s.Tool)
		return err == nil && spec.Effect == toolbox.EffectOnce && !s.Resumes
	}
	return false
}

// Recovered is what was unfinished when the shop opened. InDoubt jobs are among Running or Waiting.
type Recovered struct {
	Queued  int // had not begun
	Running int // were interrupted and run again
	Waiting int // are parked again: on a question, a tool or a moment
	InDoubt int // a person is asked what happened
}

// Recovered is what Start found. The zero value before.
func (m *Manager) Recovered() Recovered {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.recovered
}

func (r *Recovered) count(s Standing, box *toolbox.Box) {
	switch s.State {
	case Queued:
		r.Queued++
	case Running:
		r.Running++
	case Waiting:
		r.Waiting++
	case Succeeded, Failed, Canceled:
	}
	if s.inDoubt(box) {
		r.InDoubt++
	}
}
