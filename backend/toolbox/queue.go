package toolbox

import (
	"slices"

	"agentchat/backend/event"
)

// ticket is a job's place in line for a tool.
type ticket struct {
	job     string
	title   string
	entry   *entry
	urgent  bool  // stands at the head of the line: it was promised a hold once
	promise *hold // what it was promised and has not come back yet, or nil
	place   int   // as last announced; 0 before the first time
}

// cancelReservation takes back the promise to the ticket, if there is one. The ticket keeps its place.
func (t *ticket) cancelReservation() {
	if t.promise != nil {
		t.promise.promisedTo = nil
		t.promise = nil
	}
}

// Wait queues a job for a tool. place counts from 1 among the jobs that wait for the same tool or its group. If the tool is free it is
// reserved at once: place is 0 and ready is true, as also when the job has the tool already. For every reservation, now or later, OnReady
// is called; the job then calls Acquire. Calling Wait again changes nothing. Errors: unknown_tool, tool_off.
func (b *Box) Wait(jobID, tool string) (place int, ready bool, err error) {
	title := b.opt.Title(jobID)
	b.change(func() []string {
		var t *ticket
		if t, err = b.enter(tool, jobID, title); err != nil {
			return nil
		}
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

// StopOther promises a job the lease that another job (the holder) has and that blocks it. The job goes to the head of the queue, behind
// earlier promises, and gets the tool when the lease comes back, whoever else waits. The caller then cancels the holder's job.
//
// If ok is false, nothing was promised and nothing should be canceled: the holder does not block the job (any more), is the job itself, or
// its lease is promised to another job already. The job then waits as with Wait. Errors: unknown_tool, tool_off.
func (b *Box) StopOther(jobID, tool, holderJobID string) (ok bool, err error) {
	title := b.opt.Title(jobID)
	b.change(func() []string {
		var t *ticket
		if t, err = b.enter(tool, jobID, title); err != nil {
			return nil
		}
		if t == nil {
			return []string{jobID}
		}
		for _, h := range t.entry.inTheWay() {
			if h.JobID == holderJobID && holderJobID != "" && holderJobID != jobID && (h.promisedTo == nil || h.promisedTo == t) {
				b.promise(h, t)
				ok = true
				break
			}
		}
		return b.serve(nil)
	})
	return ok, err
}

// enter finds the job's ticket or puts a new one at the end of the line; nil if the job has the tool already. Errors:
// unknown_tool, tool_off.
func (b *Box) enter(tool, jobID, title string) (*ticket, error) {
	s, ok := b.tools[tool]
	if !ok {
		return nil, unknown(tool)
	}
	if b.used[use{jobID, tool}] != nil {
		return nil, nil
	}
	if s.spec.Off {
		return nil, off(s)
	}
	for _, t := range b.line {
		if t.job == jobID && t.entry == s {
			return t, nil
		}
	}
	t := &ticket{job: jobID, title: title, entry: s}
	b.line = append(b.line, t)
	return t, nil
}

// promise binds a hold to a ticket and moves the ticket to the head of the line.
func (b *Box) promise(h *hold, t *ticket) {
	t.cancelReservation()
	t.promise, h.promisedTo = h, t
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

// serve reserves what is free for the jobs in the queue: promised tickets first, then in queue order, skipping those whose tool is still
// locked. It returns the jobs served and publishes the place of every ticket that is new or moved. It runs after every change, so no job
// waits for a tool that is free.
func (b *Box) serve(heirs []*ticket) (served []string) {
	done := map[*ticket]bool{}
	for _, t := range slices.Concat(heirs, b.line) {
		if done[t] || t.entry.lock() != "" {
			continue
		}
		t.cancelReservation()
		t.place = 0
		b.reserve(t.entry, t.job, t.title)
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
		lane := t.entry.lane()
		ahead[lane]++
		if t.place == ahead[lane] {
			continue
		}
		t.place = ahead[lane]
		moved = append(moved, event.Of("", t.job, event.ToolQueued{
			Tool: t.entry.spec.Key, Group: t.entry.spec.Group, JobID: t.job, Reason: string(t.entry.lock()), Place: t.place,
		}))
	}
	if len(moved) > 0 {
		b.pub.Publish(moved...)
	}
}

// leave removes every ticket of a job from the queue. A lease it was promised goes to the next in the queue when it comes back.
func (b *Box) leave(jobID string) {
	b.line = slices.DeleteFunc(b.line, func(t *ticket) bool {
		if t.job == jobID {
			t.cancelReservation()
			return true
		}
		return false
	})
}

// drain takes everyone who waits for a tool out of the line and names them.
func (b *Box) drain(s *entry) (jobs []string) {
	b.line = slices.DeleteFunc(b.line, func(t *ticket) bool {
		if t.entry != s {
			return false
		}
		t.cancelReservation()
		jobs = append(jobs, t.job)
		return true
	})
	return jobs
}

// locked describes to a job why a tool cannot be had and which place it has or would have.
func (b *Box) locked(s *entry, jobID string) *Locked {
	l := &Locked{Tool: s.spec.Key, Group: s.spec.Group, Reason: s.lock(), Holders: holders(s.inTheWay()), Place: 1}
	for _, t := range b.line {
		if t.entry == s && t.job == jobID {
			break
		}
		if t.entry.lane() == s.lane() {
			l.Place++
		}
	}
	return l
}
