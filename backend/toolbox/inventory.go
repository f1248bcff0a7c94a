package toolbox

import (
	"maps"
	"slices"

	"agentchat/backend/event"
)

// Inventory shows the whole box at one moment: what is free, who holds what, who waits. Groups without a tool are left
// out.
func (b *Box) Inventory() Inventory {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inventory()
}

// changed publishes the whole inventory. Called with b.mu held, as the last step of a change.
func (b *Box) changed() { b.pub.Publish(event.Of("", "", b.inventory())) }

func (b *Box) inventory() Inventory {
	inv := Inventory{Tools: []Rack{}, Groups: []GroupRack{}}
	for _, key := range slices.Sorted(maps.Keys(b.tools)) {
		inv.Tools = append(inv.Tools, b.rack(b.tools[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(b.groups)) {
		if g := b.groups[key]; len(g.members) > 0 {
			inv.Groups = append(inv.Groups, g.rack())
		}
	}
	return inv
}

func (b *Box) rack(s *entry) Rack {
	r := Rack{
		Tool: s.spec.Key, Title: s.spec.Title, Group: s.spec.Group, Capacity: s.spec.Capacity, Confirm: s.spec.Confirm,
		Effect: s.spec.Effect, Long: s.spec.Long, Off: s.spec.Off, Params: s.names, Holders: holders(slices.Concat(s.holds, s.away)), Waiting: []Waiting{},
	}
	if s.group.full() {
		r.BlockedBy = holders(slices.DeleteFunc(s.group.holds(), func(h *hold) bool { return h.entry == s }))
	}
	for _, t := range b.line {
		if t.entry == s {
			r.Waiting = append(r.Waiting, Waiting{JobID: t.job, Place: t.place})
		}
	}
	return r
}

func (g *group) rack() GroupRack {
	r := GroupRack{Group: g.key, Capacity: g.capacity(), Tools: []string{}, Holders: holders(g.holds())}
	for _, s := range g.members {
		r.Tools = append(r.Tools, s.spec.Key)
	}
	slices.Sort(r.Tools)
	return r
}

// holders draws holds for people. It is never nil, so JSON shows an empty list.
func holders(holds []*hold) []event.Holder {
	drawn := make([]event.Holder, len(holds))
	for i, h := range holds {
		drawn[i] = event.Holder{
			JobID: h.JobID, Title: h.title, Tool: h.Tool, LeaseID: h.ID,
			Since: event.Stamp(h.Since), Reserved: h.reserved,
		}
	}
	return drawn
}
