// Package job runs the shop's work: job tickets, the line of jobs, the workers, and the graph each job walks todo by
// todo. A job that waits holds no worker and no goroutine.
package job

import (
	"fmt"
	"slices"
)

// State is where a job is.
type State string

// The states of a job.
const (
	Queued    State = "queued"
	Running   State = "running"
	Waiting   State = "waiting"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Canceled  State = "canceled"
)

// next is the state machine: which state may follow which. Every change goes through Move.
var next = map[State][]State{
	Queued:    {Running, Canceled, Failed},
	Running:   {Waiting, Succeeded, Failed, Canceled},
	Waiting:   {Running, Canceled, Failed},
	Succeeded: nil,
	Failed:    nil,
	Canceled:  nil,
}

// Ended tells whether nothing may follow.
func (s State) Ended() bool { return len(next[s]) == 0 }

// May tells whether to may follow s.
func (s State) May(to State) bool {
	return slices.Contains(next[s], to)
}

// Move checks one change of state. A change that is not in the table is a bug in the caller.
func Move(from, to State) error {
	if !from.May(to) {
		return fmt.Errorf("job: no way from %s to %s", from, to)
	}
	return nil
}

// TodoState is where a todo is.
type TodoState string

// The states of a todo.
const (
	TodoPending TodoState = "pending"
	TodoRunning TodoState = "running"
	TodoWaiting TodoState = "waiting"
	TodoDone    TodoState = "done"
	TodoFailed  TodoState = "failed"
	TodoSkipped TodoState = "skipped"
)
