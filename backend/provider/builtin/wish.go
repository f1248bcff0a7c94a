package builtin

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/phrase"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/told"
	"agentchat/backend/lazyregexp"
)

// part is one clause with what the catalogue and the grammar say about it.
type part struct {
	clause
	v     *view
	said  string // its words as they were said, where it is all of the message; else as they are parted
	act   mood
	later bool        // a plan for some other day
	tags  []string    // what the grammar makes of it
	read  act.Guesses // what it may want, by its words and the grammar
	told  bool        // its words say the choice of the tool
	stray bool        // its sentence probably wants what the shop has nothing for
	found found
	hit   bool  // a tool is meant
	stop  bool  // an order to stop
	halts bool  // an order to stop for now, which a tool knows how to do
	form  *form // the form it has, if it has one
	asks  bool  // a question of its own, from which no wish took anything
}

// wish is one thing to start, read from one or more neighbouring clauses.
type wish struct {
	tool    *tool
	args    map[string]any
	rel     relation
	request string // the customer's words for it
	count   int
	left    []stranger // names that nobody knows, and that it does without
	delay   *wish      // something to wait for first (5분 뒤에 노래 틀어줘)
	more    bool       // another of the same kind is wanted
	halts   *part      // the order to stop that it is, where there is nothing for the tool to do
}

// message is a whole customer message, understood.
type message struct {
	text   string
	parts  []part
	wishes []wish
	stops  []part
	denied bool // something was forbidden
	right  bool // it puts itself right
}

var (
	insteadKO = lazyregexp.New(`[^,.!?\n"]*?[^지]\s?말고\s`)
	insteadEN = lazyregexp.New(`(?i)\binstead of [^,.?!]+|\brather than [^,.?!]+|\bnot (?:the |a )?\S+(?: \S+)? but\b`)
)

// read understands a message against a catalogue. The newest message is often asked about twice: for the front desk, and to plan it.
func (c *catalog) read(text string, now time.Time) *message {
	if last := c.last.Load(); last != nil && last.text == text && last.now.Equal(now) {
		m := *last.read
		m.wishes, m.stops, m.parts = slices.Clip(m.wishes), slices.Clip(m.stops), slices.Clip(m.parts)
		return &m
	}
	m := c.understand(told.Order(text), now)
	kept := *m
	c.last.Store(&understood{text, now, &kept})
	return m
}

// understood is a message and what was read in it.
type understood struct {
	text string
	now  time.Time
	read *message
}

func (c *catalog) understand(text string, now time.Time) *message {
	if d, ok := c.dictation(text); ok {
		m := c.understand(d.before, now)
		m.add(d.wish)
		if d.after != "" {
			rest := c.understand(d.after, now)
			m.wishes, m.stops = append(m.wishes, rest.wishes...), append(m.stops, rest.stops...)
		}
		return m
	}
	if m, ok := c.readFileActions(text, now); ok {
		return m
	}
	if w, ok := c.apart(phrase.Normalize(text)); ok {
		return &message{text: text, wishes: []wish{w}}
	}
	if m, ok := c.putRight(text, now); ok {
		return m
	}
	m := c.clauses(text, now)
	if m.wanting() {
		if f, ok := c.unmarked(text, m.wishes[0].tool); ok {
			m.wishes[0].args = f.args
		}
	}
	return m
}

// clauses understands a message clause by clause.
func (c *catalog) clauses(text string, now time.Time) *message {
	raw := text
	text = phrase.Respace(spellOut(phrase.Normalize(text)))
	text = insteadEN.ReplaceAllString(insteadKO.ReplaceAllString(text, " "), " ")
	m := &message{text: text}
	for _, cl := range joinFormulas(text, split(text)) {
		p := part{clause: cl, v: newView(text[cl.start:cl.end])}
		p.act, p.said = p.v.act(), p.v.text
		if p.found, p.form, p.hit = c.form(p.v.text, false); p.hit {
			p.act = actRequest
		} else {
			p.found, p.hit = c.match(p.v, now)
		}
		m.parts = append(m.parts, p)
	}
	if len(m.parts) == 1 {
		m.parts[0].said = phrase.Normalize(raw) // as the sentences that were learned from
	}
	m.stretch(c)
	if deferred.MatchString(text) {
		for i := range m.parts {
			m.parts[i].act, m.parts[i].later = actTalk, true
		}
	}
	m.whole(c, now)
	m.mend(c, now)
	m.inherit()
	for i := range m.parts {
		p := &m.parts[i]
		p.stop = !p.found.exact && p.isStop()
		if p.act == actNegative {
			m.denied = true
		}
		p.weigh(c, now)
	}
	m.strayed()
	m.gather(c, now)
	m.verbatim(raw)
	return m
}

// whole reads a sentence in one piece when none of its clauses meant a tool alone: 1분만 기다렸다가 알려줘.
func (m *message) whole(c *catalog, now time.Time) {
	for from := 0; from < len(m.parts); {
		to, hit := from+1, m.parts[from].hit
		for to < len(m.parts) && !m.parts[to].sentence {
			hit = hit || m.parts[to].hit
			to++
		}
		if !hit && to-from > 1 {
			p := part{clause: m.parts[from].clause, v: newView(m.text[m.parts[from].start:m.parts[to-1].end])}
			p.end, p.act, p.said = m.parts[to-1].end, p.v.act(), p.v.text
			if p.found, p.hit = c.match(p.v, now); p.hit {
				m.parts = append(append(m.parts[:from:from], p), m.parts[to:]...)
				to = from + 1
			}
		}
		from = to
	}
}

// mend tries again with typing slips put right, where a request named nothing known.
func (m *message) mend(c *catalog, now time.Time) {
	for i := range m.parts {
		p := &m.parts[i]
		if p.found.exact || p.hit && p.found.noun || p.act == actTalk && p.v.korean || p.act == actNegative || len(p.v.words) > 12 {
			continue
		}
		text, changed := corrected(p.v)
		if !changed {
			continue
		}
		v := newView(text)
		if f, ok := c.match(v, now); ok && f.noun {
			p.v, p.found, p.hit, p.act = v, f, true, v.act()
		}
	}
}

// joinFormulas puts clauses together again that were cut inside one calculation: add 3 and 4.
func joinFormulas(text string, cs []clause) []clause {
	if len(cs) < 2 || len(cs) > 12 {
		return cs
	}
	out := cs[:1]
	for _, cl := range cs[1:] {
		last := &out[len(out)-1]
		joined, ok := slot.Expression(text[last.start:cl.end])
		if ok {
			a, _ := slot.Expression(text[last.start:last.end])
			b, _ := slot.Expression(text[cl.start:cl.end])
			if len(joined) > max(len(a), len(b)) && !(a != "" && b != "") {
				last.end = cl.end
				continue
			}
		}
		out = append(out, cl)
	}
	return out
}

var (
	refusal      = lazyregexp.New(`(됐고|됐구|됐으니|싫고|싫으니|싫으니까|지겹고|지겨우니|지겨우니까|말고|관두고)$`)
	adnominalEnd = lazyregexp.New(`(준|튼|켠|본|한|간|난|낸|들은|마친)$`)
	openEnd      = lazyregexp.New(`(고|구|면서|나서|다음|다음에|뒤|뒤에|후|후에|끝나면|다가|놓고|랑|하고|와|과|및)$`)
	background   = lazyregexp.New(`(는데|은데|인데|한데|니까|으니|어서|해서|아서|거든|려고|려는데|더니)$`)
)

// inherit gives clauses without a predicate of their own the act of the clause that carries it: in Korean the next one (노래 틀고 영화
// 보여줘), in English the one before (play a song and a movie).
func (m *message) inherit() {
	for i := len(m.parts) - 2; i >= 0; i-- {
		p, next := &m.parts[i], &m.parts[i+1]
		if !p.v.korean || next.sentence {
			continue
		}
		if refusal.MatchString(p.v.compact) {
			p.act = actNegative
			continue
		}
		if next.rel == after && adnominalEnd.MatchString(p.v.compact) { // 영화 보여준 | 다음에 …
			p.act = next.act
			continue
		}
		if p.bare || p.v.leads() {
			p.act = next.act
		}
	}
	for i := 1; i < len(m.parts); i++ {
		p, prev := &m.parts[i], m.parts[i-1]
		if !p.v.korean && !p.sentence && p.act == actFragment {
			p.act = prev.act
		}
	}
}

// leads tells a clause whose predicate leads to the one of the next: 노래 틀고, 안내하면서.
func (v *view) leads() bool {
	return openEnd.MatchString(v.compact) && !strings.HasSuffix(v.compact, "싶고")
}

// gather turns the parts into wishes.
func (m *message) gather(c *catalog, now time.Time) {
	context := -1 // where words begin that belong to the next wish
	for i := range m.parts {
		p := &m.parts[i]
		if p.sentence {
			context = -1
		}
		switch {
		case p.stop:
			m.stops = append(m.stops, *p)
			context = -1
		case !p.found.noun && (m.pronoun(i) || m.repeats(i)):
		case !p.hit:
			if m.joins(i, now) {
				continue
			}
			p.asks = p.act == actQuestion || p.act == actTalk && len(p.v.words) > 1 && p.v.question
			if context < 0 && (p.act != actTalk || background.MatchString(p.v.compact)) && !p.v.past() {
				context = p.start
			}
		default:
			if p.allowed() {
				m.add(m.wishOf(c, i, context, now))
			}
			context = -1
		}
	}
	m.complete(now)
}

// joins gives a part that names no tool to the wish before it, where it says more of that one.
func (m *message) joins(i int, now time.Time) bool {
	if m.share(i, now) {
		return true
	}
	p, n := &m.parts[i], len(m.wishes)
	if n == 0 || p.sentence || i == 0 || !m.parts[i-1].hit || p.rel != beside || p.v.korean || p.act == actTalk {
		return false
	}
	m.extend(n-1, p, now)
	return true
}

// wishOf makes a wish of a part, with the words from context on that belong to it (negative: none).
func (m *message) wishOf(c *catalog, i, context int, now time.Time) wish {
	p := &m.parts[i]
	w := wish{tool: p.found.tool, args: p.found.args, rel: p.rel, request: strings.TrimSpace(p.v.text), count: 1, more: p.v.more()}
	if context >= 0 {
		w.request = strings.TrimSpace(m.text[context:p.end])
		known := len(w.args)
		w.borrow(m.text[context:p.start], now)
		for j := i - 1; j >= 0 && m.parts[j].start >= context && len(w.args) > known; j-- {
			m.parts[j].asks = false
		}
	}
	if w.tool.plays {
		w.count = p.v.count()
	}
	w.leave(p)
	w.delay = c.delay(w, p.v, now)
	if p.halts {
		halted := *p
		w.halts = &halted
	}
	return w
}

// complete looks for a required argument elsewhere in the message: 목포까지 얼마나 걸려? 일단 안내 시작해.
func (m *message) complete(now time.Time) {
	if len(m.wishes) != 1 {
		return
	}
	w := &m.wishes[0]
	for i := range m.parts {
		if len(w.tool.missing(w.args)) == 0 {
			break
		}
		if p := &m.parts[i]; !p.hit && p.act != actNegative && !p.v.past() {
			known := len(w.args)
			w.borrow(p.v.text, now)
			p.asks = p.asks && len(w.args) == known
		}
	}
	if !w.tool.answers && len(w.tool.missing(w.args)) == 0 {
		return
	}
	for _, p := range m.parts { // 수원에 눈 온다는데 진짜야? 날씨 확인해줘
		if p.hit && p.found.tool == w.tool && !p.allowed() && p.act != actNegative && !p.v.past() {
			w.borrow(p.v.text, now)
		}
	}
}

// pronoun reads "play one" after a clause that named the kind: any movie is fine, just play one.
func (m *message) pronoun(i int) bool {
	p := &m.parts[i]
	if i == 0 || p.act != actRequest || p.v.strength(&senses[senseIndex["play"]]) < 0.3 || len(p.v.words) > 4 {
		return false
	}
	prev := m.parts[i-1]
	if !prev.hit || !prev.found.tool.plays || prev.allowed() {
		return false
	}
	m.add(wish{tool: prev.found.tool, args: map[string]any{}, rel: p.rel, request: strings.TrimSpace(p.v.text), count: 1})
	return true
}

// repeats tells a clause that only says again what the one before asked for: let's do movie night, play something.
func (m *message) repeats(i int) bool {
	p := &m.parts[i]
	if i == 0 || !p.hit || p.sentence || len(p.found.args) > 0 || p.v.more() {
		return false
	}
	prev := m.parts[i-1]
	return prev.hit && prev.found.noun && prev.found.tool.plays && p.found.tool.plays && prev.allowed() && p.rel == beside
}

var delayed = lazyregexp.New(`(?i)(뒤|후|있다가|이따가|이따|지나면|지나서)(에|에는)?(\s|$)|\bin (?:\d|an?|half|one|two|three|five|ten|fifteen|twenty|thirty)|\bfrom now\b|\blater\b|\bafter \d`)

// delay is the waiting a wish asks for, when there is a tool that waits.
func (c *catalog) delay(w wish, v *view, now time.Time) *wish {
	if !w.tool.card.Long || !delayed.MatchString(v.text) || !slot.HasSpan(v.text) {
		return nil
	}
	if _, must := w.tool.kind(slot.KindDuration); must {
		return nil
	}
	wait := c.waiting()
	if n, ok := slot.Duration(v.text, now); ok && wait != nil {
		return &wish{tool: wait, args: map[string]any{wait.required[0]: n}, request: w.request, count: 1}
	}
	return nil
}

// more tells a wish for another of the same: 하나 더, one more, another.
func (v *view) more() bool {
	return v.containsKO("하나더", "한곡더", "한편더", "더틀", "더들", "또하나") || v.containsEN(" one more ", " another ", " two more ")
}

// encode gives arguments as canonical JSON; empty ones as {}.
func encode(args map[string]any) json.RawMessage {
	raw, err := json.Marshal(args)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}

// deferred is a plan for some other day: 다음에 영화 보자.
var deferred = lazyregexp.New(`^\s*(?:우리\s)?(?:다음에|나중에|언젠가|담에|언제|다음\s?주에|내일)\s.*(?:자|하자|보자|가자|듣자|봐요|해요|볼게|할게|갈게|줄게|줄게요)\s*[.!]?$`)
