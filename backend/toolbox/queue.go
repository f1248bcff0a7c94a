package toolbox

import (
	"slices"

	"agentchat/backend/event"
)

// ticket is a job's place in line for a tool.
type ticket struct {
	job     string
	title   string
	stock   *stock
	urgent  bool  // stands at the head of the line: it was promised a hold once
	promise *hold // what it was promised and has not come back yet, or nil
	place   int   // as last announced; 0 before the first time
}

// renounce takes back the promise to the ticket, if there is one. The ticket keeps its place.
func (t *ticket) renounce() {
	if t.promise != nil {
		t.promise.heir = nil
		t.promise = nil
	}
}

// Wait puts a job in line for a tool: place counts from 1 among the jobs that wait for the same tool or its group.
// If the tool is free it is put aside for the job at once: place is 0 and ready is true. So it is when the job has the
// tool already. Whenever a tool is put aside, by this call or later, OnReady hears of it; the job then calls Acquire.
// Asking again changes nothing. Errors: unknown_tool, tool_off.
func (b *Box) Wait(jobID, tool string) (place int, ready bool, err error) {
	title := b.opt.Title(jobID)
	b.change(func() []string {
		s, ok := b.tools[tool]
		if !ok {
			err = unknown(tool)
			return nil
		}
		if s.spec.Off && b.used[use{jobID, tool}] == nil {
			err = off(s)
			return nil
		}
		t := b.enter(s, jobID, title)
		if t == nil {
			ready = true
			return []string{jobID}
		}
		served := b.serve(nil)
		place, ready = t.place, t.place == 0
		return served
	})
	return place, ready, err
}

// StopOther promises to a job the lease that another job holds and that is in its way. The asker goes to the head of
// the line, behind earlier promises, and when the lease comes back the asker has the tool, whoever else waits. The caller
// then cancels the holder's job.
//
// Not ok: nothing was promised and nobody should be canceled, because the holder is not in the way (any more), is the
// asker itself, or its lease is promised to a job that asked before. The asker then waits as with Wait.
// Errors: unknown_tool, tool_off.
func (b *Box) StopOther(jobID, tool, holderJobID string) (ok bool, err error) {
	title := b.opt.Title(jobID)
	b.change(func() []string {
		s, known := b.tools[tool]
		if !known {
			err = unknown(tool)
			return nil
		}
		if s.spec.Off && b.used[use{jobID, tool}] == nil {
			err = off(s)
			return nil
		}
		t := b.enter(s, jobID, title)
		if t == nil {
			return []string{jobID}
		}
		for _, h := range s.inTheWay() {
			if h.JobID == holderJobID && holderJobID != jobID && (h.heir == nil || h.heir == t) {
				b.promise(h, t)
				ok = true
				break
			}
		}
		return b.serve(nil)
	})
	return ok, err
}

// enter finds the job's ticket or puts a new one at the end of the line; nil if the job has the tool already.
func (b *Box) enter(s *stock, jobID, title string) *ticket {
	if _, has := b.used[use{jobID, s.spec.Key}]; has {
		return nil
	}
	for _, t := range b.line {
		if t.job == jobID && t.stock == s {
			return t
		}
	}
	t := &ticket{job: jobID, title: title, stock: s}
	b.line = append(b.line, t)
	return t
}

// promise binds a hold to a ticket and moves the ticket to the head of the line.
func (b *Box) promise(h *hold, t *ticket) {
	t.renounce()
	t.promise, h.heir = h, t
	if t.urgent {
		return
	}
	t.urgent = true
	b.line = slices.DeleteFunc(b.line, func(other *ticket) bool { return other == t })
	head := slices.IndexFunc(b.line, func(other *ticket) bool { return !other.urgent })
	if head < 0 {
		head = len(b.line)
	}
	b.line = slices.Insert(b.line, head, t)
}

// serve gives what is free to the jobs in line, heirs first, then in the order of the line, passing by those whose tool
// is still locked. It returns the jobs served, and announces the place of every ticket that is new or moved.
// It runs after every change, so nobody in line could have what they wait for.
func (b *Box) serve(heirs []*ticket) (served []string) {
	done := map[*ticket]bool{}
	for _, t := range slices.Concat(heirs, b.line) {
		if done[t] || t.stock.lock() != "" {
			continue
		}
		t.renounce()
		t.place = 0
		b.hold(t.stock, t.job, t.title)
		done[t] = true
		served = append(served, t.job)
	}
	b.line = slices.DeleteFunc(b.line, func(t *ticket) bool { return done[t] })
	b.announce()
	return served
}

// announce publishes the place of every ticket that is new or moved.
func (b *Box) announce() {
	var moved []event.Event
	ahead := map[any]int{}
	for _, t := range b.line {
		lane := t.stock.lane()
		ahead[lane]++
		if t.place == ahead[lane] {
			continue
		}
		t.place = ahead[lane]
		moved = append(moved, event.Of("", t.job, event.ToolQueued{
			Tool: t.stock.spec.Key, Group: t.stock.spec.Group, JobID: t.job, Reason: string(t.stock.lock()), Place: t.place,
		}))
	}
	if len(moved) > 0 {
		b.pub.Publish(moved...)
	}
}

// leave takes every ticket of a job out of the line. What it was promised goes to the next in line when it comes back.
func (b *Box) leave(jobID string) {
	b.line = slices.DeleteFunc(b.line, func(t *ticket) bool {
		if t.job == jobID {
			t.renounce()
			return true
		}
		return false
	})
}

// dismiss takes everyone who waits for a tool out of the line and names them.
func (b *Box) dismiss(s *stock) (jobs []string) {
	b.line = slices.DeleteFunc(b.line, func(t *ticket) bool {
		if t.stock != s {
			return false
		}
		t.renounce()
		jobs = append(jobs, t.job)
		return true
	})
	return jobs
}

// locked describes to a job why a tool cannot be had and which place it has or would have.
func (b *Box) locked(s *stock, jobID string) *Locked {
	l := &Locked{Tool: s.spec.Key, Group: s.spec.Group, Reason: s.lock(), Holders: holders(s.inTheWay()), Place: 1}
	for _, t := range b.line {
		if t.stock == s && t.job == jobID {
			break
		}
		if t.stock.lane() == s.lane() {
			l.Place++
		}
	}
	return l
}
