package builtin

import (
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/wordlist"
	"agentchat/backend/provider"
)

// stopsLater makes of an order to stop something after a while (10분 뒤에 노래 꺼줘, stop the music at eleven) what waits and then ends it. Nothing
// of it is stopped now. The answer says so where nothing could end it then; only what plays has a tool that does.
func (c *catalog) stopsLater(m *message, req provider.Request) (answer *provider.Plan) {
	running := c.lasting(req.State.Running)
	newest := ""
	if len(running) > 0 {
		newest = running[len(running)-1].Tool
	}
	s, ok := c.timedStop(m, newest, req.Now)
	switch {
	case !ok:
		return nil
	case s.key == "" || !slices.ContainsFunc(running, func(j provider.RunningJob) bool { return j.Tool == s.key }):
		if s.marked {
			m.stops[0] = s.now // what is not under way is not stopped later either
		}
		return nil
	case s.wish != nil:
		m.wishes, m.stops = append(m.wishes, *s.wish), nil
		return nil
	case !s.marked:
		return nil // the alarm at seven
	}
	say := speaker{req.Lang, req.Now}
	return &provider.Plan{Route: provider.RouteAnswer, Reply: say.in("시간을 두고 멈추는 일은 노래와 영화만 할 수 있어서 그대로 두었어요. 지금 멈추려면 ‘멈춰’라고 말씀해 주세요.",
		"Only music and films can be stopped after a while, so this goes on. Say “stop” to stop it now.")}
}

// timedStop is an order to stop something at a moment that may be later.
type timedStop struct {
	key    string // of the tool whose work is meant
	now    part   // the order without the moment
	marked bool   // see later
	wish   *wish  // nil: no tool ends that work
}

// timedStop reads the only order to stop of a message as one for later; newest is what is meant where it names nothing. ok is false where it says no moment.
func (c *catalog) timedStop(m *message, newest string, now time.Time) (s timedStop, ok bool) {
	if len(m.stops) != 1 {
		return s, false
	}
	s.now = m.stops[0]
	words := s.now.v
	if len(m.wishes) == 0 {
		words = newView(m.text) // when it shall be may stand in a clause of its own
	}
	seconds, rest, marked := words.later(now)
	if seconds <= 0 {
		return s, false
	}
	s.now.v, s.marked = rest, marked
	known := false
	if s.key, _, known = s.now.stopTarget(c); s.key == "" && known {
		s.key = newest
	}
	ends, wait := c.ending(s.key), c.waiting()
	if ends == nil || wait == nil {
		return s, true
	}
	request := strings.TrimSpace(words.text)
	s.wish = &wish{
		tool: ends, args: map[string]any{ends.choice().Name: ends.choice().Stops}, request: request, count: 1,
		delay: &wish{tool: wait, args: map[string]any{wait.required[0]: seconds}, request: request, count: 1},
	}
	for _, prop := range ends.props {
		if slices.Contains(prop.Enum, s.key) {
			s.wish.args[prop.Name] = s.key
		}
	}
	return s, true
}

// leadsToTime are the words that stand before a moment.
var leadsToTime = wordlist.Of("in at after for")

// ending is the tool one of whose choices ends what another does, or what any does for ""; nil where none does.
func (c *catalog) ending(key string) *tool {
	for _, t := range c.tools {
		if p := t.choice(); p != nil && p.Stops != "" && (key == "" || t.over(key)) {
			return t
		}
	}
	return nil
}

// endedLater is what goes on that the newest of the running work waits to end: who says to stop means that, and no wait is needed any more.
func (c *catalog) endedLater(running []provider.RunningJob) (over []provider.RunningJob) {
	newest := running[len(running)-1]
	for _, key := range newest.Then {
		t := c.byKey[key]
		if t == nil || t.choice() == nil || t.choice().Stops == "" {
			continue
		}
		for _, j := range running[:len(running)-1] {
			if t.over(j.Tool) {
				over = append(over, j)
			}
		}
	}
	return over
}

// callsOff tells words that take back what was ordered, and not what goes on.
func (v *view) callsOff() bool { return v.containsKO("취소") || v.containsEN(" cancel ") }

// waiting is the tool that waits.
func (c *catalog) waiting() *tool { return c.needing(slot.KindDuration) }

// later is in how many seconds something is to be done, and the rest of the words. It is marked where the words can only mean a later moment (10분
// 뒤에); a time of day may also say which one is meant (the alarm at seven). 0 where they say no such thing.
func (v *view) later(now time.Time) (seconds int64, rest *view, marked bool) {
	marked = delayed.MatchString(v.text) && slot.HasSpan(v.text)
	if !marked && slot.HasSpan(v.text) {
		return 0, v, false
	}
	seconds, ok := slot.Duration(v.text, now)
	if !ok {
		return 0, v, false
	}
	words := phrase.Words(v.text)
	from, to := shortest(len(words), func(from, to int) bool {
		n, ok := slot.Duration(v.text[words[from].Start:words[to-1].End], now)
		return ok && n == seconds
	})
	text := v.text[:words[from].Start]
	if to < len(words) && marked && delayed.MatchString(v.text[words[to].Start:words[to].End]) {
		to++ // 10분 뒤에, ten minutes later
	}
	if from > 0 && leadsToTime[words[from-1].Lower] {
		text = v.text[:words[from-1].Start] // in ten minutes, at eleven
	}
	if to < len(words) {
		text += v.text[words[to].Start:]
	}
	return seconds, newView(strings.TrimSpace(text)), marked
}

// shortest gives the fewest neighbours of so many that hold; all of them where no fewer do.
func shortest(count int, holds func(from, to int) bool) (from, to int) {
	for length := 1; length < count; length++ {
		for from := range count - length + 1 {
			if holds(from, from+length) {
				return from, from + length
			}
		}
	}
	return 0, count
}
