package builtin

import (
	"strings"

	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin/phrase"
	"agentchat/backend/slot"
)

// maxJobs bounds what one message may start.
const maxJobs = 8

// plan decides the route of a message and, when it holds wishes, the jobs.
func (c *catalog) plan(letter provider.Letter) provider.Plan {
	say := speaker{letter.Lang}
	if ch, ok := c.chained(letter.Request, letter.Now); ok && ch.first != nil {
		return ch.plan(say, letter.Request)
	}
	if w, ok := c.verbatim(letter.Request, letter.Now); ok {
		jobs := (&message{wishes: []wish{w}}).jobs(say)
		return provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs}
	}
	m := c.read(letter.Request, letter.Now)
	stop, stopping := c.stopPlan(m, letter)
	if len(m.wishes) == 0 {
		if stopping {
			return provider.Plan{Route: provider.RouteStop, Reply: say.stopping(c, stop), Stop: &stop}
		}
		if w, ok := c.elliptic(m, letter); ok {
			m.wishes = append(m.wishes, w...)
		}
	}
	if len(m.wishes) == 0 {
		return provider.Plan{Route: provider.RouteAnswer, Reply: c.converse(m, letter)}
	}
	jobs := m.jobs(say)
	plan := provider.Plan{Route: provider.RouteJobs, Reply: say.starting(jobs, c), Jobs: jobs}
	if stopping {
		plan.Stop = &stop
	}
	return plan
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
func (c *catalog) stopPlan(m *message, letter provider.Letter) (provider.StopPlan, bool) {
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
			if found && plan.Tool != key { // two named tools: the contract stops one kind or all
				return provider.StopPlan{All: true}, true
			}
			plan.Tool = key
		case plan.Tool == "":
			// "멈춰" means what was started last; with nothing known of it, everything.
			if run := letter.State.Running; len(run) > 0 && run[len(run)-1].Tool != "" {
				plan.Tool = run[len(run)-1].Tool
			} else {
				plan.All = true
			}
		}
		found = true
	}
	return plan, found
}

// elliptic understands a message that leans on the one before: 하나 더, one more, 부산은?, what about tomorrow?
func (c *catalog) elliptic(m *message, letter provider.Letter) ([]wish, bool) {
	if m.denied || len(m.parts) == 0 || len(m.parts) > 2 {
		return nil, false
	}
	v := newView(m.text)
	if len(v.words) > 6 {
		return nil, false
	}
	if v.again() {
		if t := c.lastPlayed(letter); t != nil {
			return []wish{{tool: t, args: map[string]any{}, request: m.text, count: v.count()}}, true
		}
	}
	if !v.followUp() {
		return nil, false
	}
	w, ok := c.lastAsked(letter)
	if !ok {
		return nil, false
	}
	changed := false
	for _, p := range w.tool.props {
		if p.Kind != slot.KindPlace && p.Kind != slot.KindDate || p.Kind == slot.KindPlace && !w.tool.answers && len(w.tool.missing(w.args)) == 0 {
			continue
		}
		if val, ok := slot.Fill(p, slot.Input{Text: v.text, Now: letter.Now, Carrier: w.tool.carrier}); ok {
			w.args[p.Name], changed = val, true
		}
	}
	if !changed {
		return nil, false
	}
	w.request = m.text
	return []wish{w}, true
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
	return v.question && v.act() != actTalk && len(v.words) <= 3 && (v.containsEN(" and ", " in ") || v.korean)
}

// lastPlayed is the playing tool that was used last in this chat.
func (c *catalog) lastPlayed(letter provider.Letter) *tool {
	for i := len(letter.State.Running) - 1; i >= 0; i-- {
		if t := c.byKey[letter.State.Running[i].Tool]; t != nil && t.plays {
			return t
		}
	}
	for i := len(letter.Transcript) - 1; i >= 0 && i >= len(letter.Transcript)-8; i-- {
		if letter.Transcript[i].Speaker != "customer" {
			continue
		}
		ws := c.read(letter.Transcript[i].Text, letter.Now).wishes
		for j := len(ws) - 1; j >= 0; j-- {
			if ws[j].tool.plays {
				return ws[j].tool
			}
		}
	}
	return nil
}

// lastAsked is the newest wish of the last few things the customer said.
func (c *catalog) lastAsked(letter provider.Letter) (wish, bool) {
	seen := 0
	for i := len(letter.Transcript) - 1; i >= 0 && seen < 3; i-- {
		turn := letter.Transcript[i]
		if turn.Speaker != "customer" || strings.TrimSpace(turn.Text) == strings.TrimSpace(letter.Request) {
			continue
		}
		seen++
		if ws := c.read(turn.Text, letter.Now).wishes; len(ws) > 0 {
			return ws[len(ws)-1], true
		}
	}
	return wish{}, false
}

// intent answers which tool or service a message means: {"intent": key}, "general" when none.
func (c *catalog) intent(letter provider.Letter) map[string]string {
	m := c.read(letter.Request, letter.Now)
	if len(m.wishes) > 0 {
		return map[string]string{"intent": m.wishes[0].tool.card.Key}
	}
	return map[string]string{"intent": "general"}
}
