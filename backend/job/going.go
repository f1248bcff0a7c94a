package job

import (
	"cmp"
	"slices"
)

// Going is a job that goes on by itself: a worker has it, or it stands in line or waits for a moment.
type Going struct{ ID, Chat, Title string }

// Going gives up to limit of the jobs that go on by themselves, those at work first and the oldest of them before the others, and how
// many there are in all. Jobs that wait for a person or a tool are not among them.
func (m *Manager) Going(limit int) (some []Going, all int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var atWork, others []*entry
	for _, e := range m.jobs {
		switch {
		case e.active:
			atWork = append(atWork, e)
		case e.queued || e.sleeper > 0:
			others = append(others, e)
		}
	}
	for _, list := range [][]*entry{atWork, others} {
		if room := limit - len(some); room > 0 {
			slices.SortFunc(list, func(a, b *entry) int { return cmp.Compare(a.id, b.id) })
			for _, e := range list[:min(room, len(list))] {
				some = append(some, Going{e.id, e.chat, e.title})
			}
		}
	}
	return some, len(atWork) + len(others)
}
