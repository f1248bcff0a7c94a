package builtin

import (
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/verdict"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/provider"
)

// inHand answers what a message wants of work that is under way: how it goes, what plays, what is set, the next one, no alarm any more.
// ok is false when it is about no such thing.
func (c *catalog) inHand(m *message, req provider.Request) (plan provider.Plan, ok bool) {
	read := act.Read(m.text)
	if len(m.parts) == 1 && m.parts[0].read != nil {
		read = m.parts[0].read // with what the grammar makes of it
	}
	if req.State.Counter != nil {
		return plan, false
	}
	top, s, v := read[0], speaker{req.Lang, req.Now}, newView(m.text)
	say := func(text string) (provider.Plan, bool) {
		return provider.Plan{Route: provider.RouteAnswer, Reply: text}, true
	}
	tell := func(jobs []provider.RunningJob) (provider.Plan, bool) {
		plan, ok := say(s.underWay(jobs))
		for _, j := range jobs {
			plan.Shown = append(plan.Shown, j.ID)
		}
		return plan, ok
	}
	set := c.doing(req.State.Running, "timer.set")
	if about := c.goingOn(read, req.State.Running); v.act() == actQuestion && len(about) > 0 && (top.P < answers || top.Act == "timer.show" && len(set) == 0) {
		if plan, ok := c.tells(m, about, s); ok {
			return plan, true
		}
		return tell(about)
	}
	if top.P < answers {
		return plan, false
	}
	switch string(top.Act) {
	case "status":
		return tell(req.State.Running)
	case "timer.show":
		return tell(set)
	case "timer.cancel":
		if top.P < starts {
			return plan, false
		}
		if len(set) == 0 {
			return tell(nil)
		}
		stop := provider.StopPlan{Tool: set[len(set)-1].Tool}
		stop.Job = c.titled(m.text, req, set)
		return provider.Plan{Route: provider.RouteStop, Reply: s.stopping(c, stop), Stop: &stop}, true
	case "music.control":
		playing := slices.DeleteFunc(slices.Clone(req.State.Running), func(j provider.RunningJob) bool {
			return !slices.ContainsFunc(c.tools, func(t *tool) bool { return t.choice() != nil && t.over(j.Tool) })
		})
		switch {
		case len(playing) == 0:
			return say(s.in("지금 들려드리는 노래나 영화가 없어요.", "No song or film is playing."))
		case v.act() == actQuestion:
			if plan, ok := c.tells(m, playing, s); ok {
				return plan, true
			}
			return tell(playing)
		case top.P < starts:
			return plan, false
		}
		return say(s.in("그건 아직 못 해요. 소리 크기, 음소거, 잠깐 멈춤, 이어서, 다음, 이전, 처음부터, 반복은 할 수 있어요.",
			"I cannot do that yet. I can change the volume, mute, pause, go on, skip, go back, start over and repeat."))
	}
	return plan, false
}

// goingOn is which of the running work a question is about, where no act alone is sure: that something runs makes what is asked of it likelier, and
// it may be asked in words that stand for several things (얼마나 걸려?). None where anything else is more probable.
func (c *catalog) goingOn(read act.Guesses, running []provider.RunningJob) (about []provider.RunningJob) {
	running = c.lasting(running)
	about = running
	timers := c.doing(running, "timer.set")
	asked := []act.Act{"status", "timer.show"} // how long yet is asked of all that ends
	if len(timers) > 0 && read.Of("timer.show") > read.Of("status") {
		about = timers
	}
	most := read.Of("status") + read.Of("timer.show")
	for _, t := range c.tools {
		if mine := c.of(t, running); len(mine) > 0 && !t.answers {
			asked = append(asked, t.acts...)
			if w := t.wants(read); w > most {
				most, about = w, mine
			}
		}
	}
	p := 0.0
	for _, a := range asked {
		p += read.Of(a)
	}
	if p < likely || slices.ContainsFunc(read, func(g act.Guess) bool { return g.P > p && !slices.Contains(asked, g.Act) }) {
		return nil
	}
	return about
}

// tells has what goes on told by the tool that is over the newest of it; ok is false where none is.
func (c *catalog) tells(m *message, about []provider.RunningJob, s speaker) (plan provider.Plan, ok bool) {
	for _, t := range c.tools {
		if p := t.choice(); p != nil && p.Tells != "" && t.over(about[len(about)-1].Tool) {
			jobs := (&message{wishes: []wish{{tool: t, args: map[string]any{p.Name: p.Tells}, request: m.text, count: 1}}}).jobs(s)
			return provider.Plan{Route: provider.RouteJobs, Reply: s.starting(jobs, c), Jobs: jobs}, true
		}
	}
	return plan, false
}

// doing are those of the running jobs whose tool does an act.
func (c *catalog) doing(running []provider.RunningJob, a act.Act) (list []provider.RunningJob) {
	for _, j := range running {
		if t := c.byKey[j.Tool]; t != nil && slices.Contains(t.acts, a) {
			list = append(list, j)
		}
	}
	return list
}

// titled is the only one of the jobs that is called as a message would call a new one (5분 타이머); "" when there is none.
func (c *catalog) titled(text string, req provider.Request, jobs []provider.RunningJob) (id string) {
	for _, j := range jobs {
		t := c.byKey[j.Tool]
		args := t.fill(text, req.Now)
		if len(args) == 0 || (speaker{req.Lang, req.Now}).title(wish{tool: t, args: args}) != j.Title {
			continue
		}
		if id != "" {
			return ""
		}
		id = j.ID
	}
	return id
}

// underWay says what is going on.
func (s speaker) underWay(running []provider.RunningJob) string {
	if len(running) == 0 {
		return s.in("지금 하고 있는 그런 일은 없어요.", "Nothing like that is under way.")
	}
	titles := make([]string, len(running))
	for i, j := range running {
		titles[i] = j.Title
		if j.Detail != "" && j.Detail != j.Title {
			titles[i] += " (" + j.Detail + ")"
		}
	}
	return s.in("지금 하고 있는 일: ", "Under way: ") + strings.Join(titles, ", ")
}

// Words that point at what was spoken of before.
var (
	pointsThere = wordlist.Of("거기 거긴 그곳 there")
	pointsThat  = wordlist.Of("그 방금 아까 같은 that same")
)

func (v *view) points(words wordlist.Set) bool {
	for _, w := range v.words {
		if stem, _ := phrase.Stem(w.Lower); words[w.Lower] || words[stem] {
			return true
		}
	}
	return false
}

// refer fills what wishes only point at with what was spoken of before: 거기 지금 몇 시야, 그 노래 틀어줘.
func (c *catalog) refer(m *message, req provider.Request) {
	v := newView(m.text)
	there, that := v.points(pointsThere), v.points(pointsThat) || v.same()
	if !there && !that {
		return
	}
	for i := range m.wishes {
		w := &m.wishes[i]
		for _, p := range w.tool.props {
			_, said := w.args[p.Name]
			if said || !(p.Kind == slot.KindPlace && there && !slot.IsOrigin(p.Name) || p.Kind == slot.KindTitle && that && (!w.more || v.same())) {
				continue
			}
			if value, ok := c.spoken(w.tool, p, req); ok {
				w.args[p.Name] = value
			}
		}
	}
}

// spoken is the newest value of the same sort that the customer gave to some wish of the last few turns, or a place that one of these named without
// asking anything of it that was done (다음 주에 제주도 가).
func (c *catalog) spoken(t *tool, like slot.Property, req provider.Request) (any, bool) {
	for text, wishes := range c.turns(req) {
		for _, old := range slices.Backward(wishes) {
			for _, p := range old.tool.props {
				value, said := old.args[p.Name]
				if said && p.Kind == like.Kind && (p.Names == like.Names || p.Kind == slot.KindPlace) && !slot.IsOrigin(p.Name) && old.tool.knows(p, value) {
					return value, true
				}
			}
		}
		if like.Kind == slot.KindPlace {
			if value, named := t.placeIn(text, like, req.Now); named {
				return value, true
			}
		}
	}
	return nil, false
}

// placeIn is the place that a text names, whatever it says of it: what the grammar takes for one, or a word that the map has.
func (t *tool) placeIn(text string, like slot.Property, now time.Time) (any, bool) {
	if value, named := slot.Fill(like, t.input(like, text, now)); named && t.knows(like, value) {
		return value, true
	}
	for _, w := range slices.Backward(phrase.Words(text)) {
		if stem, _ := phrase.Stem(w.Text); like.Names != "" && len([]rune(stem)) > 1 && t.there.Knows(like.Names, stem) {
			return stem, true
		}
	}
	return nil, false
}

// corrected is the last wish with what a message says shall be otherwise: 아니 15분으로, no, in Seoul.
func (c *catalog) corrected(text string, req provider.Request) (w wish, ok bool) {
	if !verdict.Corrects(text) {
		return w, false
	}
	if w, ok = c.renumbered(text, req); ok {
		return w, true
	}
	w, known := c.lastAsked(req)
	if !known {
		return w, false
	}
	ok = w.amend(text, req.Now)
	w.request = text
	return w, ok
}

// instead is what a message that corrects the last one takes the place of: the work that one began, as long as it goes on.
func (c *catalog) instead(m *message, req provider.Request) *provider.StopPlan {
	if m.right || len(m.wishes) != 1 || m.wishes[0].more || !verdict.Corrects(req.Message) {
		return nil
	}
	last, ok := c.lastAsked(req)
	if old, is := c.renumbered(req.Message, req); is {
		last = old
	}
	if ok && last.delay != nil && len(c.of(last.delay.tool, req.State.Running)) > 0 {
		return &provider.StopPlan{Tool: last.delay.tool.card.Key, Newest: true}
	}
	if !ok || !last.tool.card.Long || m.wishes[0].tool.over(last.tool.card.Key) || len(c.of(last.tool, req.State.Running)) == 0 {
		return nil
	}
	return &provider.StopPlan{Tool: last.tool.card.Key, Newest: true}
}

// lasting are the running jobs that there is something to stop of: what a tool does at once is done before anybody says so.
func (c *catalog) lasting(running []provider.RunningJob) []provider.RunningJob {
	return slices.DeleteFunc(slices.Clone(running), func(j provider.RunningJob) bool {
		t := c.byKey[j.Tool]
		return j.Tool == "" || t != nil && !t.card.Long
	})
}

// of are the running jobs that use a tool.
func (c *catalog) of(t *tool, running []provider.RunningJob) (list []provider.RunningJob) {
	for _, j := range running {
		if j.Tool == t.card.Key {
			list = append(list, j)
		}
	}
	return list
}
