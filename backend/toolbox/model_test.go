package toolbox_test

import (
	"slices"

	"agentchat/backend/toolbox"
)

// model is the box as a plain list of rules, slow and obvious: nothing is cached, everything is counted when asked.
type model struct {
	capacity map[string]int    // by tool
	group    map[string]string // by tool
	room     map[string]int    // by group
	out      []*piece          // oldest first
	queue    []*waiter         // in order of arrival
	promises int
	woken    []string
}

type piece struct {
	job, tool string
	taken     bool
}

type waiter struct {
	job, tool string
	urgent    int // the order of first promises; 0 for none
	promise   *piece
}

func (m *model) held(keep func(*piece) bool) []*piece {
	var some []*piece
	for _, p := range m.out {
		if keep(p) {
			some = append(some, p)
		}
	}
	return some
}

// lock says why a tool cannot be had and what is in the way.
func (m *model) lock(tool string) (toolbox.Reason, []*piece) {
	own := m.held(func(p *piece) bool { return p.tool == tool })
	if n := m.capacity[tool]; n > 0 && len(own) >= n {
		return toolbox.ReasonCapacity, own
	}
	g := m.group[tool]
	if g == "" || m.room[g] == 0 {
		return "", nil
	}
	shared := m.held(func(p *piece) bool { return m.group[p.tool] == g })
	if len(shared) < m.room[g] {
		return "", nil
	}
	if len(shared) > len(own) {
		return toolbox.ReasonGroup, shared
	}
	return toolbox.ReasonCapacity, shared
}

// inLine is the queue in the order it is served: the promised in order of their promises, then by arrival.
func (m *model) inLine() []*waiter {
	var promised, others []*waiter
	for _, w := range m.queue {
		if w.urgent > 0 {
			promised = append(promised, w)
		} else {
			others = append(others, w)
		}
	}
	slices.SortFunc(promised, func(a, b *waiter) int { return a.urgent - b.urgent })
	return append(promised, others...)
}

func (m *model) sameLine(a, b string) bool {
	g := m.group[a]
	return a == b || g != "" && g == m.group[b] && m.room[g] > 0
}

// place is the job's place, or the one it would have.
func (m *model) place(job, tool string) int {
	n := 1
	for _, w := range m.inLine() {
		if w.job == job && w.tool == tool {
			return n
		}
		if m.sameLine(w.tool, tool) {
			n++
		}
	}
	return n
}

func (m *model) find(job, tool string) *piece {
	for _, p := range m.out {
		if p.job == job && p.tool == tool {
			return p
		}
	}
	return nil
}

func (m *model) waiting(job, tool string) *waiter {
	for _, w := range m.queue {
		if w.job == job && w.tool == tool {
			return w
		}
	}
	return nil
}

// settle serves one waiter after the other until nobody can be served; heirs come before the line.
func (m *model) settle(heirs ...*waiter) {
	for {
		line := append(slices.Clone(heirs), m.inLine()...)
		i := slices.IndexFunc(line, func(w *waiter) bool {
			reason, _ := m.lock(w.tool)
			return reason == "" && slices.Contains(m.queue, w)
		})
		if i < 0 {
			return
		}
		w := line[i]
		m.queue = slices.DeleteFunc(m.queue, func(other *waiter) bool { return other == w })
		m.out = append(m.out, &piece{job: w.job, tool: w.tool})
		m.woken = append(m.woken, w.job)
	}
}

func (m *model) acquire(job, tool string) (ok bool) {
	if p := m.find(job, tool); p != nil {
		p.taken = true
		return true
	}
	if reason, _ := m.lock(tool); reason != "" {
		return false
	}
	for _, w := range m.queue { // never overtake
		if w.tool == tool {
			return false
		}
	}
	m.out = append(m.out, &piece{job, tool, true})
	return true
}

func (m *model) wait(job, tool string) (place int) {
	if m.find(job, tool) != nil {
		m.woken = append(m.woken, job)
		return 0
	}
	if m.waiting(job, tool) == nil {
		m.queue = append(m.queue, &waiter{job: job, tool: tool})
	}
	m.settle()
	if m.find(job, tool) != nil {
		return 0
	}
	return m.place(job, tool)
}

func (m *model) stopOther(job, tool, holder string) bool {
	_, inTheWay := m.lock(tool)
	if m.wait(job, tool) == 0 || job == holder {
		return false
	}
	w := m.waiting(job, tool)
	for _, p := range inTheWay {
		taken := slices.ContainsFunc(m.queue, func(o *waiter) bool { return o != w && o.promise == p })
		if p.job != holder || taken {
			continue
		}
		w.promise = p
		if w.urgent == 0 {
			m.promises++
			w.urgent = m.promises
		}
		return true
	}
	return false
}

func (m *model) release(pieces ...*piece) {
	var heirs []*waiter
	for _, p := range pieces {
		m.out = slices.DeleteFunc(m.out, func(other *piece) bool { return other == p })
		for _, w := range m.queue {
			if w.promise == p {
				heirs = append(heirs, w)
			}
		}
	}
	m.settle(heirs...)
}

func (m *model) releaseJob(job string) int {
	m.queue = slices.DeleteFunc(m.queue, func(w *waiter) bool { return w.job == job })
	pieces := m.held(func(p *piece) bool { return p.job == job })
	m.release(pieces...)
	return len(pieces)
}
