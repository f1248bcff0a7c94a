package job

import "slices"

// holdingNodes are where a job has its tool.
var holdingNodes = map[string]bool{
	nodeConfirm: true, nodeAskApproval: true, nodeReadApproval: true, nodeExec: true,
}

// restock brings the toolbox, which forgets everything when the program ends, back to where the unfinished jobs had it:
// first whoever had a tool has it again, then the line is made again in the order in which people came. It runs before
// the workers do, so nobody in line overtakes a job that was under way.
func (m *Manager) restock(live []Standing) {
	var line []Standing
	for _, s := range live {
		switch {
		case s.standsInLine():
			line = append(line, s)
		case holdingNodes[s.Next] && s.Tool != "":
			// Locked or unknown by now: the job finds out at its next step.
			_, _, _ = m.deps.Box.Acquire(s.ID, s.Tool)
		}
	}
	slices.SortStableFunc(line, func(a, b Standing) int { return a.Stood.Compare(b.Stood) })
	for _, s := range line {
		if _, _, err := m.deps.Box.Wait(s.ID, s.Tool); err != nil {
			m.Wake(s.ID) // it learns at its next step that the tool is gone
		}
	}
}
