package job

import (
	"agentchat/backend/ask"
	"agentchat/backend/event"
)

// migrate decides where a job goes on that another version of the program parked at a node which does not exist any more. The current
// todo starts over, but a result that is there is kept, and a call that may have happened is asked about: a changed graph never causes
// a second run of a tool.
func (r *Runner) migrate(rec *Record) {
	s := &rec.Run
	if s.AskID != "" { // nobody would read the answer any more
		s.out.Close = s.AskID
		s.emit(event.AskClosed{ID: s.AskID, JobID: s.Job.ID, Choice: ask.ChoiceNone, By: ask.BySystem, Reason: "updated"})
		s.AskID = ""
	}
	switch {
	case !s.hasTodo():
		rec.Next = nodePick
	case s.Outcome != nil:
		rec.Next = nodeSave
	case s.Exec != nil && s.Call != nil:
		rec.Next = nodeExec // where a use that was begun by another run of the program is settled
	default:
		rec.Next = nodePick
		s.InLine, s.Locked, s.Call = false, nil, nil
	}
}
