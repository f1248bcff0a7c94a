package job

import "slices"

// holdingNodes are where a job has its tool.
var holdingNodes = map[string]bool{
	nodeConfirm: true, nodeAskApproval: true, nodeReadApproval: true, nodeExec: true,
}

// standsInLine tells whether the job is parked in line for a tool.
func (rec *Record) standsInLine() bool {
	return rec.Next == nodeAcquire && rec.Run.Job.State == Waiting && rec.Run.InLine && rec.Run.Call != nil
}

// restock brings the toolbox, which forgets everything when the program ends, back to where the unfinished jobs had it:
// first whoever had a tool has it again, then the line is made again in the order in which people came. It runs before
// the workers do, so nobody in line overtakes a job that was under way.
func (m *Manager) restock(live []Record) {
	var line []*Record
	for i := range live {
		rec := &live[i]
		switch {
		case rec.standsInLine():
			line = append(line, rec)
		case holdingNodes[rec.Next] && rec.Run.Call != nil:
			// Locked or unknown by now: the job finds out at its next step.
			_, _, _ = m.deps.Box.Acquire(rec.Run.Job.ID, rec.Run.Call.Tool)
		}
	}
	slices.SortStableFunc(line, func(a, b *Record) int { return a.Run.Stood.Compare(b.Run.Stood) })
	for _, rec := range line {
		if _, _, err := m.deps.Box.Wait(rec.Run.Job.ID, rec.Run.Call.Tool); err != nil {
			m.Wake(rec.Run.Job.ID) // it learns at its next step that the tool is gone
		}
	}
}
