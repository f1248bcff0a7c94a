package toolbox_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// TestTheBoxFollowsItsRules runs random sequences of everything a box can do against the model, and after each step
// compares all that can be seen: answers, inventory, who was woken, and the state a reader of the events would have.
func TestTheBoxFollowsItsRules(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPlay(t)
		job := rapid.SampledFrom([]string{"j1", "j2", "j3", "j4", "j5"})
		tool := rapid.SampledFrom([]string{"nav", "movie", "song", "weather", "mirror", "poster"})
		rt.Repeat(map[string]func(*rapid.T){
			"acquire": func(rt *rapid.T) { p.acquire(rt, job.Draw(rt, "job"), tool.Draw(rt, "tool")) },
			"wait":    func(rt *rapid.T) { p.wait(rt, job.Draw(rt, "job"), tool.Draw(rt, "tool")) },
			"stopOther": func(rt *rapid.T) {
				p.stopOther(rt, job.Draw(rt, "job"), tool.Draw(rt, "tool"), job.Draw(rt, "holder"))
			},
			"release":    func(rt *rapid.T) { p.release(rt, job.Draw(rt, "job"), tool.Draw(rt, "tool")) },
			"releaseJob": func(rt *rapid.T) { p.releaseJob(rt, job.Draw(rt, "job")) },
			"override": func(rt *rapid.T) {
				p.override(rt, tool.Draw(rt, "tool"), rapid.IntRange(0, 3).Draw(rt, "capacity"),
					rapid.SampledFrom([]string{"", toolbox.MonitorBox, "Wall"}).Draw(rt, "group"))
			},
			"overrideGroup": func(rt *rapid.T) {
				p.overrideGroup(rt, rapid.SampledFrom([]string{toolbox.MonitorBox, "Wall"}).Draw(rt, "group"),
					rapid.IntRange(0, 3).Draw(rt, "capacity"))
			},
			"": p.compare,
		})
		p.closeShop(rt)
	})
}

// play is a box and its model side by side, and what a reader of the events knows.
type play struct {
	*shop
	m      *model
	known  map[[2]string]bool // taken tools, by job and tool
	places map[[2]string]int  // places, by job and tool
	before map[string]bool    // lease ids at the last comparison
}

func newPlay(t *testing.T) *play {
	s := openShop(t, append(seedTools(), plain("mirror", "Wall", toolbox.Infinite), plain("poster", "Wall", 1))...)
	s.SetGroup("Wall", 2)
	return &play{
		shop: s, known: map[[2]string]bool{}, places: map[[2]string]int{}, before: map[string]bool{},
		m: &model{
			capacity: map[string]int{"nav": 1, "movie": 1, "song": 2, "poster": 1},
			group: map[string]string{
				"nav": toolbox.MonitorBox, "movie": toolbox.MonitorBox, "song": toolbox.SongPool, "mirror": "Wall", "poster": "Wall",
			},
			room: map[string]int{toolbox.MonitorBox: 1, toolbox.SongPool: 2, "Wall": 2},
		},
	}
}

func (p *play) acquire(rt *rapid.T, job, tool string) {
	lease, locked, err := p.Acquire(job, tool)
	ok := p.m.acquire(job, tool)
	if err != nil || ok != (locked == nil) {
		rt.Fatalf("locked %+v, error %v; model: %v", locked, err, ok)
	}
	if ok {
		if held, has := p.Holds(job, tool); !has || held != lease || lease.Group != p.m.group[tool] {
			rt.Fatalf("lease %+v, held %+v", lease, held)
		}
		return
	}
	reason, inTheWay := p.m.lock(tool)
	if locked.Reason != reason || locked.Place != p.m.place(job, tool) || fmt.Sprint(jobs(locked.Holders)) != fmt.Sprint(names(inTheWay)) {
		rt.Fatalf("locked %+v; model: %s, %v, place %d", locked, reason, names(inTheWay), p.m.place(job, tool))
	}
}

func (p *play) wait(rt *rapid.T, job, tool string) {
	place, ready, err := p.Wait(job, tool)
	if want := p.m.wait(job, tool); err != nil || place != want || ready != (want == 0) {
		rt.Fatalf("place %d, ready %v, error %v; model: %d", place, ready, err, want)
	}
}

func (p *play) stopOther(rt *rapid.T, job, tool, holder string) {
	ok, err := p.StopOther(job, tool, holder)
	if want := p.m.stopOther(job, tool, holder); err != nil || ok != want {
		rt.Fatalf("ok %v, error %v; model: %v", ok, err, want)
	}
}

func (p *play) release(rt *rapid.T, job, tool string) {
	id := "never"
	for _, h := range p.rack(tool).Holders {
		if h.JobID == job {
			id = h.LeaseID
		}
	}
	ours := p.m.find(job, tool)
	if ok := p.Release(id); ok != (ours != nil) {
		rt.Fatalf("released %v; model: %v", ok, ours)
	}
	if ours != nil {
		p.m.release(ours)
	}
}

func (p *play) releaseJob(rt *rapid.T, job string) {
	if n, want := p.ReleaseJob(job), p.m.releaseJob(job); n != want {
		rt.Fatalf("%d came back; model: %d", n, want)
	}
}

func (p *play) override(rt *rapid.T, tool string, capacity int, group string) {
	if err := p.Override(tool, toolbox.Override{Capacity: &capacity, Group: &group}); err != nil {
		rt.Fatal(err)
	}
	p.m.capacity[tool], p.m.group[tool] = capacity, group
	p.m.settle()
}

func (p *play) overrideGroup(rt *rapid.T, group string, capacity int) {
	if err := p.OverrideGroup(group, &capacity); err != nil {
		rt.Fatal(err)
	}
	p.m.room[group] = capacity
	p.m.settle()
}

// compare checks everything that can be seen after a step.
func (p *play) compare(rt *rapid.T) {
	p.read(rt)
	if have := p.woken(); !slices.Equal(have, p.m.woken) {
		rt.Fatalf("woken %v; model: %v", have, p.m.woken)
	}
	p.m.woken = nil
	now := map[string]bool{}
	for _, r := range p.Inventory().Tools {
		p.compareRack(rt, r)
		for _, h := range r.Holders {
			now[h.LeaseID] = true
			if !p.before[h.LeaseID] {
				p.checkGrant(rt, r)
			}
		}
	}
	p.before = now
	for _, w := range p.m.queue {
		if reason, _ := p.m.lock(w.tool); reason == "" {
			rt.Fatalf("%s waits for %s, which is free", w.job, w.tool)
		}
	}
}

func (p *play) compareRack(rt *rapid.T, r toolbox.Rack) {
	var have, want []string
	for _, h := range r.Holders {
		have = append(have, fmt.Sprint(h.JobID, !h.Reserved))
		if !h.Reserved != p.known[[2]string{h.JobID, r.Tool}] {
			rt.Fatalf("%s has %s (%+v), the events say otherwise", h.JobID, r.Tool, h)
		}
	}
	for _, q := range p.m.held(func(q *piece) bool { return q.tool == r.Tool }) {
		want = append(want, fmt.Sprint(q.job, q.taken))
	}
	for _, w := range r.Waiting {
		have = append(have, fmt.Sprint(w.JobID, w.Place))
		if said := p.places[[2]string{w.JobID, r.Tool}]; said != w.Place {
			rt.Fatalf("%s has place %d for %s, the events say %d", w.JobID, w.Place, r.Tool, said)
		}
	}
	for _, w := range p.m.inLine() {
		if w.tool == r.Tool {
			want = append(want, fmt.Sprint(w.job, p.m.place(w.job, w.tool)))
		}
	}
	g := p.m.group[r.Tool]
	for _, h := range r.BlockedBy {
		have = append(have, "blocked by "+h.JobID)
	}
	others := p.m.held(func(q *piece) bool { return g != "" && p.m.group[q.tool] == g && q.tool != r.Tool })
	if p.m.room[g] > 0 && len(others)+len(r.Holders) >= p.m.room[g] {
		for _, q := range others {
			want = append(want, "blocked by "+q.job)
		}
	}
	if !slices.Equal(have, want) {
		rt.Fatalf("%s: %v; model: %v", r.Tool, have, want)
	}
}

// checkGrant holds a rack on which something new is out against its capacity and its group's.
func (p *play) checkGrant(rt *rapid.T, r toolbox.Rack) {
	if r.Capacity != toolbox.Infinite && len(r.Holders) > r.Capacity {
		rt.Fatalf("%s given beyond its capacity: %+v", r.Tool, r)
	}
	for _, g := range p.Inventory().Groups {
		if g.Group == r.Group && g.Capacity != toolbox.Infinite && len(g.Holders) > g.Capacity {
			rt.Fatalf("%s given beyond its group's capacity: %+v", r.Tool, g)
		}
	}
}

// read folds the new events into what a reader knows.
func (p *play) read(rt *rapid.T) {
	taken := 0
	for _, e := range p.heard.drain() {
		switch d := e.Data.(type) {
		case event.ToolAcquired:
			key := [2]string{d.JobID, d.Tool}
			if p.known[key] || d.LeaseID == "" || e.Job != d.JobID {
				rt.Fatalf("acquired out of turn: %+v", d)
			}
			p.known[key] = true
			delete(p.places, key)
		case event.ToolReleased:
			key := [2]string{d.JobID, d.Tool}
			if !p.known[key] {
				rt.Fatalf("released out of turn: %+v", d)
			}
			delete(p.known, key)
		case event.ToolQueued:
			key := [2]string{d.JobID, d.Tool}
			if d.Place < 1 || d.Reason == "" {
				rt.Fatalf("queued without place or reason: %+v", d)
			}
			p.places[key] = d.Place
		case event.ToolLocked:
			taken++
			if taken > 1 || len(d.Holders) == 0 {
				rt.Fatalf("locked out of turn: %+v", d)
			}
		}
	}
}

// closeShop sends every job home: nothing may be left.
func (p *play) closeShop(rt *rapid.T) {
	for _, job := range []string{"j1", "j2", "j3", "j4", "j5"} {
		p.releaseJob(rt, job)
	}
	p.compare(rt)
	for _, r := range p.Inventory().Tools {
		if len(r.Holders)+len(r.Waiting)+len(r.BlockedBy) > 0 {
			rt.Fatalf("left behind: %+v", r)
		}
	}
	if len(p.known) > 0 {
		rt.Fatalf("never released: %v", p.known)
	}
}

func names(pieces []*piece) []string {
	var names []string
	for _, p := range pieces {
		names = append(names, p.job)
	}
	return names
}
