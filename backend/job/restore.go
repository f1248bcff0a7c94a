package job

import (
	"slices"

	"agentchat/backend/graph"
)

// restoreLeases restores the toolbox, which keeps nothing on disk: first every unfinished job gets its leases back, then the jobs that
// waited for a tool are queued in their old order. It runs before the workers start, so no waiting job overtakes a running one.
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
			m.Wake(s.ID) // at its next step it finds that the tool is gone
		}
	}
}
