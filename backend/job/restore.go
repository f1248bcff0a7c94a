package job

import (
	"slices"

	"agentchat/backend/graph"
)

// restoreLeases brings the toolbox, which forgets everything when the program ends, back to where the unfinished jobs had it:
// first every lease is given back to the job that had it, then the line is made again in the order in which people came. It runs
// before the workers do, so nobody in line overtakes a job that was under way.
func (m *Manager) restoreLeases(live []RecoveryState) {
	var line []RecoveryState
	for _, s := range live {
		facts := m.runner.graph.Facts(s.Next)
		switch {
		case s.Tool == "":
		case s.InLine && facts.Waits == graph.ForLease:
			line = append(line, s)
		case facts.Lease:
			// Locked or unknown by now: the job finds out at its next step.
			_, _, _ = m.deps.Box.Acquire(s.ID, s.Tool)
		}
	}
	slices.SortStableFunc(line, func(a, b RecoveryState) int { return a.QueuedAt.Compare(b.QueuedAt) })
	for _, s := range line {
		if _, _, err := m.deps.Box.Wait(s.ID, s.Tool); err != nil {
			m.Wake(s.ID) // it learns at its next step that the tool is gone
		}
	}
}
