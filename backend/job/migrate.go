package job

import (
	"agentchat/backend/ask"
	"agentchat/backend/event"
)

// migrate settles where a job goes on that another version of the program parked at a node this one does not have. The todo
// at hand starts over, except that what has happened is kept and what may have happened is looked into: nothing is done
// twice because a graph was drawn anew.
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
