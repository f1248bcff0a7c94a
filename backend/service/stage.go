package service

import (
	"fmt"
	"slices"
)

// Stage is the stage of a session.
type Stage string

// The stages of seed 002. Each task of a batch goes through them.
const (
	Init        Stage = "INIT"
	Filling     Stage = "FILLING"
	Ready       Stage = "READY"
	Confirmed   Stage = "CONFIRMED"
	Executed    Stage = "EXECUTED"
	Failed      Stage = "FAILED"
	Cancelled   Stage = "CANCELLED"
	Unsupported Stage = "UNSUPPORTED"
)

// follows is the state machine: which stage may follow which. Every change goes through to. The last four stages end a task; the next task
// of the queue begins at INIT.
var follows = map[Stage][]Stage{
	Init:        {Filling, Ready, Cancelled},
	Filling:     {Filling, Ready, Cancelled, Unsupported},
	Ready:       {Ready, Filling, Confirmed, Cancelled},
	Confirmed:   {Executed, Failed},
	Executed:    {Init},
	Failed:      {Init},
	Cancelled:   {Init},
	Unsupported: {Init},
}

// May tells whether to may follow s.
func (s Stage) May(to Stage) bool {
	return slices.Contains(follows[s], to)
}

// to changes the stage through the table. A change that is not in it is a bug in the engine.
func (s *Session) to(next Stage) error {
	if !s.Stage.May(next) {
		return fmt.Errorf("service: no way from %s to %s", s.Stage, next)
	}
	s.Stage = next
	return nil
}
