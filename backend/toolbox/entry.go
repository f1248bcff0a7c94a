package toolbox

import "slices"

// The groups the seeds name.
const (
	MonitorBox = "MonitorBox" // one screen
	SongPool   = "SongPool"   // two decks
)

// entry is one tool in the box: its manual and the units of it that are in use.
type entry struct {
	tool     Tool
	base     Spec // as registered
	spec     Spec // with overrides
	override Override
	params   *schema
	names    map[string]ParamName
	result   *schema
	group    *group // of spec.Group, nil for none
	holds    []*hold
	away     []*hold // units that others have where the tool is; they are nobody's lease here
}

// group is a set of tools that share one capacity.
type group struct {
	key      string
	base     int // Infinite, or how many at once
	override *int
	members  []*entry
}

func (g *group) capacity() int {
	if g.override != nil {
		return *g.override
	}
	return g.base
}

func (g *group) finite() bool { return g != nil && g.capacity() != Infinite }

// full reports whether no member can be taken, whatever its own capacity.
func (g *group) full() bool {
	if !g.finite() {
		return false
	}
	out := 0
	for _, s := range g.members {
		out += len(s.holds) + len(s.away)
	}
	return out >= g.capacity()
}

// holds lists what is out of the group, oldest first.
func (g *group) holds() []*hold {
	var holds []*hold
	for _, s := range g.members {
		holds = append(append(holds, s.holds...), s.away...)
	}
	sortHolds(holds)
	return holds
}

// full reports whether every unit of the tool is in use.
func (s *entry) full() bool {
	return s.spec.Capacity != Infinite && len(s.holds)+len(s.away) >= s.spec.Capacity
}

// lock says why the tool cannot be had now, "" if it can.
func (s *entry) lock() Reason {
	switch {
	case s.full():
		return ReasonCapacity
	case !s.group.full():
		return ""
	case slices.ContainsFunc(s.group.members, func(m *entry) bool { return m != s && len(m.holds)+len(m.away) > 0 }):
		return ReasonGroup
	default: // the tool itself fills its group
		return ReasonCapacity
	}
}

// inTheWay lists the holds of which one must come back before the tool is free, oldest first. If all units of the tool itself are in use,
// the return of another tool of the group would not help and is not listed.
func (s *entry) inTheWay() []*hold {
	switch {
	case s.full():
		return slices.Concat(s.holds, s.away)
	case s.group.full():
		return s.group.holds()
	default:
		return nil
	}
}

// lane is what jobs wait for: the group if it has a limit, else the tool. Places in the queue are counted within a lane.
func (s *entry) lane() any {
	if s.group.finite() {
		return s.group
	}
	return s
}

// join moves the tool into a group (nil: out of all groups). What is out moves with it.
func (s *entry) join(g *group) {
	if s.group != nil {
		s.group.members = slices.DeleteFunc(s.group.members, func(m *entry) bool { return m == s })
	}
	s.group, s.spec.Group = g, ""
	if g != nil {
		g.members = append(g.members, s)
		s.spec.Group = g.key
	}
	for _, h := range s.holds {
		h.Group = s.spec.Group
	}
}
