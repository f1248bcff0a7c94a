package toolbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
)

// Options are what a Box needs from its caller. Every field may be nil.
type Options struct {
	// Now is the clock; time.Now by default.
	Now func() time.Time
	// NewID makes lease ids; random by default. It is called under the box's mutex.
	NewID func() string
	// Title gives a job's title, for Holder.Title. It is called outside the box's mutex.
	Title func(jobID string) string
	// OnReady is called for every job for which a tool was reserved. It is called after the box's mutex was released, on the goroutine
	// whose call freed the tool, so it must be quick; it may call the box. It may be called twice for one job.
	OnReady func(jobID string)
}

// Box is the toolbox: it gives out leases within the capacity of each tool and of its group, and keeps one queue of the jobs that wait.
// Every change happens under one mutex, and its events are published under it, so they arrive in the order of the changes. It starts no
// goroutines and stores nothing: after a restart it is empty, and the jobs ask again. Safe for concurrent use.
type Box struct {
	pub event.Publisher
	opt Options

	mu     sync.Mutex
	tools  map[string]*entry // by key
	groups map[string]*group // by key
	out    map[string]*hold  // by lease id
	used   map[use]*hold     // by who has what
	line   []*ticket         // promised tickets first, then first come, first served
	made   uint64            // holds made so far

	edition uint64 // rises when tools come or go, on or off
}

// use is one job's use of one tool. A job has each tool at most once.
type use struct{ job, tool string }

// hold is one unit of a tool that is in use: taken as a lease, or reserved for a job that waited.
type hold struct {
	Lease
	entry      *entry
	number     uint64 // rises with every hold; the order holders are listed in
	title      string
	reserved   bool
	promisedTo *ticket // who was promised it, or nil
}

// New makes an empty box with the seeds' groups.
func New(pub event.Publisher, opt Options) (*Box, error) {
	if pub == nil {
		return nil, errors.New("toolbox: a publisher is needed")
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.NewID == nil {
		opt.NewID = rand.Text
	}
	if opt.Title == nil {
		opt.Title = func(string) string { return "" }
	}
	if opt.OnReady == nil {
		opt.OnReady = func(string) {}
	}
	b := &Box{
		pub: pub, opt: opt,
		tools: map[string]*entry{}, groups: map[string]*group{}, out: map[string]*hold{}, used: map[use]*hold{},
	}
	b.SetGroup(MonitorBox, 1)
	b.SetGroup(SongPool, 2)
	return b, nil
}

// change runs one change under the mutex and afterwards, outside it, tells the jobs whose turn came.
func (b *Box) change(f func() (ready []string)) {
	ready := func() []string {
		b.mu.Lock()
		defer b.mu.Unlock()
		return f()
	}()
	for _, job := range ready {
		b.opt.OnReady(job)
	}
}

// Acquire takes a tool for a job, or says why it cannot. When err is nil, locked == nil means that the lease was given. A reservation of
// the job becomes its lease; a tool that the job holds already is given as the same lease. Acquire never queues the job. Errors:
// unknown_tool, tool_off.
func (b *Box) Acquire(jobID, tool string) (lease Lease, locked *Locked, err error) {
	title := b.opt.Title(jobID)
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.tools[tool]
	if !ok {
		return Lease{}, nil, unknown(tool)
	}
	if h, ok := b.used[use{jobID, tool}]; ok {
		if h.reserved {
			b.acquireReserved(h)
		}
		return h.Lease, nil, nil
	}
	if s.spec.Off {
		return Lease{}, nil, off(s)
	}
	// The queue is served after every change, so nobody waits for a tool that is free, and taking it overtakes nobody.
	if s.lock() == "" {
		h := b.reserve(s, jobID, title)
		b.acquireReserved(h)
		return h.Lease, nil, nil
	}
	locked = b.locked(s, jobID)
	b.pub.Publish(event.Of("", jobID, event.ToolLocked{
		Tool: tool, Group: locked.Group, JobID: jobID, Reason: string(locked.Reason), Holders: locked.Holders, Place: locked.Place,
	}))
	return Lease{}, locked, nil
}

// ReleaseJob gives back everything a job has: leases, reservations and its places in the queue. It returns how many leases and
// reservations came back. Calling it again, or for a job that has nothing, does nothing.
func (b *Box) ReleaseJob(jobID string) (freed int) {
	b.change(func() []string {
		b.leave(jobID)
		var heirs []*ticket
		for _, h := range b.heldBy(jobID) {
			heirs = append(heirs, b.free(h)...)
			freed++
		}
		return b.serve(heirs)
	})
	return freed
}

// Holds tells whether a job has taken a tool, and its lease. A reservation is not taken yet.
func (b *Box) Holds(jobID, tool string) (Lease, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.used[use{jobID, tool}]
	if !ok || h.reserved {
		return Lease{}, false
	}
	return h.Lease, true
}

// SetElsewhere says who has units of a tool where it really is, in another shop, besides what this box gave out: each is one unit, by its title.
// They count as out until it says otherwise. A key that is unknown is ignored.
func (b *Box) SetElsewhere(tool string, titles []string) {
	b.change(func() []string {
		s := b.tools[tool]
		if s == nil || slices.EqualFunc(s.away, titles, func(h *hold, title string) bool { return h.title == title }) {
			return nil
		}
		s.away = nil
		for _, title := range titles {
			b.made++
			s.away = append(s.away, &hold{Lease: Lease{ID: b.opt.NewID(), Tool: tool, Group: s.spec.Group, Since: b.opt.Now()}, entry: s, number: b.made, title: title})
		}
		ready := b.serve(nil)
		b.changed()
		return ready
	})
}

// reserve reserves one unit for a job.
func (b *Box) reserve(s *entry, jobID, title string) *hold {
	b.made++
	h := &hold{
		Lease:    Lease{ID: b.opt.NewID(), Tool: s.spec.Key, Group: s.spec.Group, JobID: jobID, Since: b.opt.Now()},
		entry:    s,
		number:   b.made,
		title:    title,
		reserved: true,
	}
	s.holds = append(s.holds, h)
	b.out[h.ID] = h
	b.used[use{jobID, s.spec.Key}] = h
	return h
}

// acquireReserved turns a reservation into a lease.
func (b *Box) acquireReserved(h *hold) {
	h.reserved = false
	h.Since = b.opt.Now()
	b.pub.Publish(event.Of("", h.JobID, event.ToolAcquired{Tool: h.Tool, Group: h.Group, LeaseID: h.ID, JobID: h.JobID}))
}

// free returns one unit and gives the ticket it was promised to, if any, which is served first. Only a lease is published as released, not
// a reservation, so every tool.released has its tool.acquired.
func (b *Box) free(h *hold) (heirs []*ticket) {
	delete(b.out, h.ID)
	delete(b.used, use{h.JobID, h.Tool})
	h.entry.holds = slices.DeleteFunc(h.entry.holds, func(other *hold) bool { return other == h })
	if !h.reserved {
		b.pub.Publish(event.Of("", h.JobID, event.ToolReleased{Tool: h.Tool, Group: h.Group, LeaseID: h.ID, JobID: h.JobID}))
	}
	if t := h.promisedTo; t != nil {
		t.cancelReservation()
		return []*ticket{t}
	}
	return nil
}

// heldBy lists what a job holds, oldest first.
func (b *Box) heldBy(jobID string) []*hold {
	var holds []*hold
	for _, h := range b.out {
		if h.JobID == jobID {
			holds = append(holds, h)
		}
	}
	sortHolds(holds)
	return holds
}

func sortHolds(holds []*hold) {
	slices.SortFunc(holds, func(a, b *hold) int { return cmp.Compare(a.number, b.number) })
}

func unknown(tool string) error { return apperr.New(apperr.UnknownTool, "tool", tool) }

func off(s *entry) error { return apperr.New(apperr.ToolOff, "tool", s.spec.Title) }
