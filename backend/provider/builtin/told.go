package builtin

import (
	"slices"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/slot"
	"agentchat/backend/provider"
)

// choice is the parameter of a tool that must be given and has words of its own for each of its values; nil for tools without one.
// Such a tool is meant by these words, and never by what its examples sound like: they are about what other tools do. A stranger's
// schema takes no words for itself.
func (t *tool) choice() *slot.Property {
	if t.card.Outside {
		return nil
	}
	for i, p := range t.props {
		if p.Kind == slot.KindEnum && len(p.Words) > 0 && slices.Contains(t.required, p.Name) {
			return &t.props[i]
		}
	}
	return nil
}

// told finds the tool whose choice is told in a view, the longest words first. What may be left out and names nothing there is, is.
func (c *catalog) told(v *view, now time.Time) (best found, ok bool) {
	for _, t := range c.tools {
		p := t.choice()
		if p == nil {
			continue
		}
		value, whole := slot.Named(v.text, *p)
		if value == "" {
			continue
		}
		best = found{tool: t, score: sure, noun: true, args: t.fill(v.text, now)}
		best.exact = whole
		for _, p := range t.props {
			if value, said := best.args[p.Name]; said && !t.knows(p, value) {
				delete(best.args, p.Name)
			}
		}
		return best, true
	}
	return found{}, false
}

// asksFor tells whether a question means the tool: by a value that people ask for, or as a polite order.
func (t *tool) asksFor(v *view, args map[string]any) bool {
	p := t.choice()
	return p != nil && t.asked[args[p.Name]] || v.canI()
}

// over tells whether a tool does something with what another does: one of its choices has that one's key.
func (t *tool) over(key string) bool {
	return slices.ContainsFunc(t.props, func(p slot.Property) bool { return slices.Contains(p.Enum, key) })
}

// tell takes a clause for the tool whose choice is told in it, where that is as probable as anything else it may mean. An order to stop
// that says more than stopping (잠깐 멈춰, 반복 꺼줘) is one, unless it names other work.
func (p *part) tell(c *catalog, now time.Time) bool {
	told, ok := c.told(p.v, now)
	as := *p
	as.found, as.hit = told, true
	if !ok || p.found.exact || p.v.adjusts() && p.v.aboutDevice() || p.act == actQuestion && !told.tool.asksFor(p.v, told.args) {
		return false
	}
	if p.stop {
		if key, _, _ := p.stopTarget(c); key != "" && !told.tool.over(key) {
			return false
		}
		as.stop, as.halts, as.found.exact = false, true, true
		as.tags = as.evidence()
		*p = as
		return true
	}
	as.tags = as.evidence()
	if told.exact {
		*p = as
		return true
	}
	as.read = act.Read(p.said, as.tags...)
	if w := told.tool.wants(as.read); w < as.least() || p.hit && w < p.found.tool.wants(as.read) {
		return false
	}
	if top := act.Read(p.said)[0]; top.P >= answers && lacks[top.Act] != (bilingual.Text{}) {
		return false // lights can be turned down, too
	}
	*p = as
	return true
}

// halt makes orders to stop of what can only be done with work that goes on, where none of it does and other work could be stopped.
func (m *message) halt(req provider.Request) {
	m.wishes = slices.DeleteFunc(slices.Clone(m.wishes), func(w wish) bool {
		if w.halts == nil || len(req.State.Running) == 0 || slices.ContainsFunc(req.State.Running, func(j provider.RunningJob) bool { return w.tool.over(j.Tool) }) {
			return false
		}
		m.stops = append(m.stops, *w.halts)
		return true
	})
}
