package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/provider"
)

// maxJobs bounds what one message may start.
const maxJobs = 8

// plan decides the route of a message and, when it holds wishes, the jobs.
func (c *catalog) plan(req provider.Request) provider.Plan {
	say := speaker{req.Lang, req.Now}
	if t := c.byKey[req.State.Meant]; t != nil {
		return c.planMeant(t, req)
	}
	if m, ok := c.tableAsked(req); ok {
		stop, stopping := c.stopPlan(m, req)
		jobs := m.jobs(say)
		plan := provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs, Left: m.left(req.Message)}
		if stopping {
			plan.Stop = &stop
		}
		return plan
	}
	if ch, ok := c.chained(req.Message, req.Now); ok && ch.first != nil {
		return ch.plan(say, req.Message)
	}
	if w, ok := c.verbatim(req.Message, req.Now); ok {
		jobs := (&message{wishes: []wish{w}}).jobs(say)
		return provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs}
	}
	m := c.read(req.Message, req.Now)
	if object, known := c.saves(m, req); !known {
		return provider.Plan{Route: provider.RouteAnswer, Reply: say.unsaved(object), Asks: true}
	}
	m.heed(req)
	m.halt(req)
	if answer := c.stopsLater(m, req); answer != nil {
		return *answer
	}
	stop, stopping := c.stopPlan(m, req)
	left := m.left(req.Message)
	c.refer(m, req)
	if w, ok := c.onResult(req.Message, req); ok {
		m.wishes, left = []wish{w}, nil
	}
	if w, ok := c.corrected(req.Message, req); ok && verdict.TakesBack(req.Message) && (m.wanting() || m.onlyWaits(w)) {
		m.wishes, left = []wish{w}, nil // no, in 20 minutes
	} else if m.wanting() {
		if w, ok := c.elliptic(m, req); ok && len(w) == 1 && w[0].tool == m.wishes[0].tool && len(w[0].tool.missing(w[0].args)) == 0 {
			m.wishes, left = w, nil // and in meters?
		}
	}
	if len(m.wishes) == 0 {
		if stopping {
			return provider.Plan{Route: provider.RouteStop, Reply: say.stopping(c, stop), Stop: &stop}
		}
		if plan, ok := c.otherwise(m, req); ok {
			return plan
		}
		if w, ok := c.onceMore(m, req); ok {
			m.wishes, left = w, nil
		} else if plan, ok := c.inHand(m, req); ok {
			return plan
		} else if w, ok := c.elliptic(m, req); ok {
			m.wishes, left = w, nil // what it asks they answer
		}
	}
	if len(m.wishes) == 0 {
		if w, ok := c.noted(m, req); ok {
			m.wishes, left = []wish{w}, nil
		}
	}
	if len(m.wishes) == 0 {
		return c.converse(m, req).plan()
	}
	if said := m.whichDay(say); said != "" {
		return provider.Plan{Route: provider.RouteAnswer, Reply: said}
	}
	jobs := m.jobs(say)
	plan := provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c) + say.without(m.wishes) + say.once(m), Jobs: jobs, Left: left, Stop: c.instead(m, req)}
	if stopping {
		plan.Stop = &stop
	}
	return plan
}

// wanting tells that the only wish lacks a value.
func (m *message) wanting() bool {
	return len(m.wishes) == 1 && len(m.wishes[0].tool.missing(m.wishes[0].args)) > 0
}

// onlyWaits tells that the only wish waits as another one does before it begins.
func (m *message) onlyWaits(as wish) bool {
	return len(m.wishes) == 1 && as.delay != nil && m.wishes[0].tool == as.delay.tool
}

// jobs puts wishes into jobs: what follows another is a todo of the same job, everything else a job of its own.
func (m *message) jobs(say speaker) []provider.JobPlan {
	var jobs []provider.JobPlan
	for i, w := range m.wishes {
		todos := make([]provider.TodoPlan, 0, 2)
		if w.delay != nil {
			todos = append(todos, say.todo(*w.delay))
		}
		todos = append(todos, say.todo(w))
		if i > 0 && w.rel == after && len(jobs) > 0 {
			last := &jobs[len(jobs)-1]
			for range min(max(w.count, 1), 5) {
				last.Todos = append(last.Todos, todos...)
			}
			last.Title = say.sequence(last.Todos)
			continue
		}
		for range min(max(w.count, 1), 5) {
			if len(jobs) < maxJobs {
				jobs = append(jobs, provider.JobPlan{Title: say.sequence(todos), Todos: append([]provider.TodoPlan(nil), todos...)})
			}
		}
	}
	return jobs
}

// todo writes a wish as a step. Arguments are given only when every required one was found.
func (s speaker) todo(w wish) provider.TodoPlan {
	todo := provider.TodoPlan{Title: s.title(w), Tool: w.tool.card.Key, Request: w.request}
	if len(w.tool.missing(w.args)) == 0 {
		todo.Args = encode(w.args)
	}
	return todo
}

// stopPlan finds what the message wants stopped.
func (c *catalog) stopPlan(m *message, req provider.Request) (provider.StopPlan, bool) {
	if len(m.stops) == 0 {
		return provider.StopPlan{}, false
	}
	plan, found := provider.StopPlan{}, false
	for i := range m.stops {
		key, all, ok := m.stops[i].stopTarget(c)
		switch {
		case !ok:
			continue
		case all:
			return provider.StopPlan{All: true}, true
		case key != "":
			if found && !plan.Newest && plan.Tool != key { // two named tools: the contract stops one kind or all
				return provider.StopPlan{All: true}, true
			}
			plan.Tool, plan.Newest, plan.Job = key, false, c.titled(m.stops[i].v.text, req, c.of(c.byKey[key], req.State.Running))
		case plan.Tool == "":
			// "멈춰" means what was started last and goes on; with nothing known of it, everything.
			if run := c.lasting(req.State.Running); len(run) > 0 {
				plan.Tool, plan.Newest = run[len(run)-1].Tool, true
				if over := c.endedLater(run); len(over) > 0 && !m.stops[i].v.callsOff() {
					plan = provider.StopPlan{Tool: over[len(over)-1].Tool, Newest: true, All: len(over)+1 == len(run)}
				}
			} else {
				plan.All = true
			}
		}
		found = true
	}
	return plan, found
}

// onceMore understands a message that asks for what was asked for last, again: 하나 더, one more, same song again.
func (c *catalog) onceMore(m *message, req provider.Request) ([]wish, bool) {
	v := newView(m.text)
	if !m.leans(v) || !v.again() {
		return nil, false
	}
	if w, ok := c.another(m.text, v, req); ok {
		return []wish{w}, true
	}
	w, ok := c.lastPlayed(req)
	if !ok {
		return nil, false
	}
	if v.more() && !v.same() {
		w.args = map[string]any{}
	}
	w.request, w.count = m.text, v.count()
	return []wish{w}, true
}

// leans tells a message that is short enough to lean on what was said before.
func (m *message) leans(v *view) bool {
	return !m.denied && len(m.parts) > 0 && len(m.parts) <= 2 && len(v.words) <= 6
}

// elliptic understands a message that leans on the one before: one more, 부산은?, what about tomorrow?
func (c *catalog) elliptic(m *message, req provider.Request) ([]wish, bool) {
	v := newView(m.text)
	if !m.leans(v) {
		return nil, false
	}
	if w, ok := c.onceMore(m, req); ok {
		return w, true
	}
	if w, ok := c.corrected(m.text, req); ok {
		return []wish{w}, true
	}
	if !v.followUp() {
		return nil, false
	}
	w, ok := c.lastAsked(req)
	if !ok || !w.measure(v.text, req.Now) && (c.elsewhere(m.text, w.tool) || !w.moveTo(v.text, req.Now)) {
		return nil, false
	}
	w.request = m.text
	return []wish{w}, true
}

// elsewhere tells that a text, read by itself, most probably wants what another tool does: it leans on nothing (after the weather: 부산까지 얼마나 걸려?).
func (c *catalog) elsewhere(text string, than *tool) bool {
	top := act.Read(text)[0]
	does := func(t *tool) bool { return slices.Contains(t.acts, top.Act) }
	return top.P >= half && !does(than) && slices.ContainsFunc(c.tools, does)
}

// moveTo gives a wish the place or the day that a text names; false when it names none.
func (w *wish) moveTo(text string, now time.Time) (changed bool) {
	for _, p := range w.tool.props {
		if p.Kind != slot.KindPlace && p.Kind != slot.KindDate || p.Kind == slot.KindPlace && !w.tool.answers && len(w.tool.missing(w.args)) == 0 {
			continue
		}
		if val, ok := slot.Fill(p, w.tool.input(p, text, now)); ok && w.tool.knows(p, val) {
			w.args[p.Name], changed = val, true
		}
	}
	return changed
}

// measure gives a conversion the amount or the unit that a text names in the place of its own (1리터는?, and in meters?); false where it names none.
func (w *wish) measure(text string, now time.Time) bool {
	var value, from, to string
	for _, p := range w.tool.props {
		said := fmt.Sprint(w.args[p.Name])
		switch {
		case p.Kind != slot.KindUnit:
			value += said
		case slot.IsOrigin(p.Name):
			from = said
		default:
			to = said
		}
	}
	if has, must := w.tool.kind(slot.KindUnit); !has || !must || len(w.tool.missing(w.args)) > 0 {
		return false
	}
	for _, said := range []string{text + " " + to, value + " " + from + " " + text} {
		if slot.Converts(said) {
			w.args = w.tool.fill(said, now)
			return len(w.tool.missing(w.args)) == 0
		}
	}
	return false
}

// another is one more of what was asked for last, where that goes on for a while and does not play: with what the message says is
// otherwise (10분짜리도 하나 더), or just like it.
func (c *catalog) another(text string, v *view, req provider.Request) (w wish, ok bool) {
	w, ok = c.lastAsked(req)
	if !ok || !w.tool.card.Long || w.tool.plays || len(w.tool.required) == 0 {
		return w, false
	}
	if !w.amend(text, req.Now) && slot.HasSpan(text) {
		return w, false // it says something that this wish has no room for
	}
	w.request, w.count, w.more = text, v.count(), true
	return w, true
}

// otherwise is another piece in the place of the one that plays: 이거 말고 다른 거, not that one, another.
func (c *catalog) otherwise(m *message, req provider.Request) (provider.Plan, bool) {
	v := newView(m.text)
	if len(v.words) > 6 || !v.containsKO("다른거", "다른걸", "다른것", "딴거", "딴걸") && !(m.denied && v.containsEN(" another ", " a different one ", " something else ", " other one ")) {
		return provider.Plan{}, false
	}
	w, ok := c.lastPlayed(req)
	if !ok || len(c.of(w.tool, req.State.Running)) == 0 {
		return provider.Plan{}, false
	}
	w.args, w.request, w.count = map[string]any{}, m.text, 1
	say := speaker{req.Lang, req.Now}
	jobs := (&message{wishes: []wish{w}}).jobs(say)
	return provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs, Stop: &provider.StopPlan{Tool: w.tool.card.Key, Newest: true}}, true
}

// again: another of the same kind, without naming the kind.
func (v *view) again() bool {
	switch v.act() {
	case actRequest, actFragment, actWish:
	default:
		return false
	}
	return v.containsKO("하나더", "한번더", "또틀", "또하나", "더틀", "한개더", "다시틀", "하나만더", "또들") || v.containsEN(" one more ", " another one ", " again ", " another ", " once more ", " two more ", " encore ")
}

// same: that very thing again, and not another of its kind.
func (v *view) same() bool {
	return v.containsKO("한번더", "다시") || v.containsEN(" same ", " again ", " once more ", " encore ")
}

// followUp: a topic or a short question that only changes one value.
func (v *view) followUp() bool {
	if v.containsEN(" what about ", " how about ", " and in ", " and for ", " and tomorrow ") {
		return true
	}
	if len(v.words) > 4 || len(v.words) == 0 {
		return false
	}
	last := v.words[len(v.words)-1].Lower
	_, particle := phrase.Stem(last)
	if particle == "은" || particle == "는" || particle == "은요" || particle == "도" || strings.HasSuffix(last, "은요") || strings.HasSuffix(last, "는요") {
		return v.question || len(v.words) <= 3
	}
	return v.question && v.act() != actTalk && len(v.words) <= 4 && (v.containsEN(" and ", " in ") || v.korean)
}

// lastPlayed is what was asked to be played last in this chat, or else another of what plays.
func (c *catalog) lastPlayed(req provider.Request) (wish, bool) {
	for w := range c.earlier(req) {
		if w.tool.plays {
			return w, true
		}
	}
	for _, running := range slices.Backward(req.State.Running) {
		if t := c.byKey[running.Tool]; t != nil && t.plays {
			return wish{tool: t, args: map[string]any{}}, true
		}
	}
	return wish{}, false
}

// lastAsked is the newest wish of the last few things the customer said.
func (c *catalog) lastAsked(req provider.Request) (wish, bool) {
	for w := range c.earlier(req) {
		return w, true
	}
	return wish{}, false
}

// mostEarlier is how many of the customer's turns are gone back.
const mostEarlier = 4

// earlier are the wishes of the last few things the customer said before, the newest first. What is read in them is nobody else's.
func (c *catalog) earlier(req provider.Request) func(func(wish) bool) {
	return func(yield func(wish) bool) {
		for _, wishes := range c.turns(req) {
			for _, w := range slices.Backward(wishes) {
				w.args, w.left = maps.Clone(w.args), nil
				if !yield(w) {
					return
				}
			}
		}
	}
}

// turns are the last few things the customer said before, the newest first, with the wishes in them.
func (c *catalog) turns(req provider.Request) func(func(string, []wish) bool) {
	return func(yield func(string, []wish) bool) {
		seen, oldest := 0, max(0, len(req.Transcript)-4*mostEarlier)
		for i := len(req.Transcript) - 1; i >= oldest && seen < mostEarlier; i-- {
			turn := req.Transcript[i]
			if turn.Speaker != "customer" || strings.TrimSpace(turn.Text) == strings.TrimSpace(req.Message) {
				continue
			}
			seen++
			m, then := c.read(turn.Text, req.Now), req
			then.Message, then.Transcript = turn.Text, req.Transcript[oldest:i]
			if w, ok := c.onResult(turn.Text, then); ok {
				m.wishes = []wish{w}
			} else if s, timed := c.timedStop(m, "", req.Now); timed && s.wish != nil {
				m.wishes = append(m.wishes, *s.wish)
			} else if len(m.wishes) == 0 { // it may have leaned on what was said before it
				m.wishes, _ = c.elliptic(m, then)
			}
			if !yield(turn.Text, m.wishes) {
				return
			}
		}
	}
}

// intent answers which tool or service a message means: {"intent": key}, "general" when none.
func (c *catalog) intent(req provider.Request) map[string]string {
	m := c.read(req.Message, req.Now)
	if len(m.wishes) > 0 {
		return map[string]string{"intent": m.wishes[0].tool.card.Key}
	}
	return map[string]string{"intent": "general"}
}
