package builtin

import (
	"slices"
	"time"

	"agentchat/backend/frontdesk"
	"agentchat/backend/language/act"
	"agentchat/backend/language/slot"
	"agentchat/backend/language/told"
	"agentchat/backend/lazyregexp"
	"agentchat/backend/provider"
)

// The probabilities from which a reading is taken: a tool that is named by a clause that orders something needs less than one that is
// found by its probability alone, and one that only answers less than one that begins something.
const (
	likely = 0.15
	half   = 0.5 // more probable than anything else
	astray = 0.7 // that the shop has nothing for a sentence, against what its clauses order
)

// Those from which readings are right so often on sentences that nothing was learned from.
var (
	answers = act.From(0.6)
	starts  = act.From(0.75)
	surely  = act.From(0.9) // that nothing is wanted, so that nothing need be offered; or that something is, against the form of a clause
)

// least is the probability from which the tool that a clause names is meant.
func (p *part) least() float64 {
	switch {
	case p.stray:
		return p.found.tool.least() // its name says nothing
	case p.hit && p.grammatical() && !p.nameless():
		return likely
	}
	return max(p.found.tool.least(), p.doubted(p.found.tool))
}

// doubted is the probability from which a tool is meant by a clause that by its form asks for nothing: one that only tells something, where two
// witnesses disagree and what was told starts nothing, a few words that name nothing, where nobody bears out what would begin, and a question,
// which begins nothing either (부산까지 얼마나 걸려?). 0 where the form does not speak against it.
func (p *part) doubted(t *tool) float64 {
	named := p.hit && p.found.tool == t
	if p.act == actTalk || p.act == actFragment && !p.hit && !t.answers || p.act == actQuestion && !t.answers && !(named && p.grammatical()) {
		return surely
	}
	return 0
}

// least is the probability from which a tool that nothing names is meant.
func (t *tool) least() float64 {
	if t.answers {
		return answers
	}
	return starts
}

// strayed marks the clauses of sentences that, read whole, probably want what the shop has nothing for. What a clause of such a sentence names (start a game and play with me) is meant only where the clause alone leaves little doubt.
// Where that is so of a message of several sentences (That sounds great. Book me a table.), the same holds for each that orders nothing by
// its form. A sentence that, read whole, surely only tells something (영화 보면서 쉬었어) orders nothing with a clause that has no form of an order.
func (m *message) strayed() {
	whole := m.sense(m.parts).Beyond() >= astray
	for from := 0; from < len(m.parts); {
		to := from + 1
		for to < len(m.parts) && !m.parts[to].sentence {
			to++
		}
		sense := m.sense(m.parts[from:to])
		tells := to-from > 1 && (sense.Of(act.Talk) >= starts || told.Message(m.text[m.parts[from].start:m.parts[to-1].end]))
		stray := sense.Beyond() >= astray
		for i := range m.parts[from:to] {
			p := &m.parts[from+i]
			p.stray = !p.told && (stray || whole && p.act == actTalk)
			if tells && !p.told && !p.found.exact && p.act != actRequest {
				p.hit = false
			}
		}
		from = to
	}
}

// heed drops what clauses order where the message, with what all rooms make of it, so probably wants nothing that the shop has that to do nothing
// costs less in the mean. A clause is read by its own words and by the grammar alone; what has a form of its own, or says which tool is chosen,
// leaves nothing to be read. What was said before may make an order of any words, and the reading does not know of it.
func (m *message) heed(req provider.Request) {
	if len(m.wishes) == 0 || len(m.parts) == 0 || len(req.State.Evidence) == 0 || len(req.Transcript) > 0 ||
		slices.ContainsFunc(m.parts, func(p part) bool { return p.told || p.found.exact }) {
		return
	}
	wanted := 1 - m.reading(req).Idle()
	m.wishes = slices.DeleteFunc(slices.Clone(m.wishes), func(w wish) bool {
		return len(w.tool.acts) > 0 && !frontdesk.Worthwhile(wanted, w.tool.harm())
	})
}

// harm is what it costs when the tool does what nobody wanted.
func (t *tool) harm() frontdesk.Harm {
	if t.answers {
		return frontdesk.HarmAnswer
	}
	return frontdesk.HarmStart
}

// sense is how some clauses, read as one, are to be taken; nil for none.
func (m *message) sense(parts []part) act.Guesses {
	if len(parts) <= 1 {
		if len(parts) == 0 {
			return nil
		}
		return parts[0].read
	}
	var tags []string
	for _, p := range parts {
		tags = append(tags, p.tags...)
	}
	slices.Sort(tags)
	return act.Read(m.text[parts[0].start:parts[len(parts)-1].end], slices.Compact(tags)...)
}

// narrated tells a clause that tells what was, or what is to be some other day: nothing of it is ordered now.
func (p *part) narrated() bool {
	return p.later || p.act == actTalk && p.v.past()
}

// wants is how probable it is that a message with these guesses wants what the tool does.
func (t *tool) wants(g act.Guesses) (p float64) {
	for _, a := range t.acts {
		p += g.Of(a)
	}
	return p
}

// weigh settles what a clause wants: by its words, and by what the grammar makes of it, which is evidence like them. Where that is
// clearly another tool than the one that is named, or none was named, it decides.
func (p *part) weigh(c *catalog, now time.Time) {
	if p.told = p.tell(c, now); p.told {
		return
	}
	p.tags = p.evidence()
	if p.stop || p.found.exact {
		return
	}
	if p.v.adjusts() && (p.hit && p.found.tool.answers || !p.hit) {
		p.hit = false // what only tells something cannot be turned up or down
		return
	}
	if p.hit && p.wasAsked(p.found.tool) {
		p.hit = false
		return
	}
	p.read = act.Read(p.said, p.tags...)
	if p.hit && (len(p.found.tool.acts) == 0 || p.found.tool.wants(p.read) >= p.least()) {
		return
	}
	if best, most := c.mostWanted(p.read); best != nil && most >= p.doubted(best) && !p.wasAsked(best) {
		args := best.fill(p.v.text, now)
		for _, prop := range best.props { // nobody named the tool, so what nobody knows is no name for it
			if v, said := args[prop.Name]; said && !best.knows(prop, v) && !slices.Contains(best.required, prop.Name) {
				delete(args, prop.Name)
			}
		}
		p.found, p.hit = found{tool: best, score: most, noun: true, args: args}, true
	}
}

// wasAsked tells an English question about what was (how was the weather, when did it rain), to a tool that only knows what is and will be.
func (p *part) wasAsked(t *tool) bool {
	return !p.v.korean && asksPast.MatchString(p.v.english) && slices.ContainsFunc(t.props, func(p slot.Property) bool { return p.Ahead })
}

var asksPast = lazyregexp.New(`^ (?:(?:how|what|when|where|why|who) )?(?:was|were|did) `)

// mostWanted is the tool that is most probably wanted, among those that words without its name may mean; nil for none. What several tools do
// does not say which of them is to begin something.
func (c *catalog) mostWanted(read act.Guesses) (best *tool, most float64) {
	for _, t := range c.tools {
		if w := t.wants(read); w >= t.least() && w > most && len(t.doing) == 0 && !t.literal() && t.choice() == nil {
			best, most = t, w
		}
	}
	if best != nil && !best.answers && slices.ContainsFunc(c.tools, func(t *tool) bool { return t != best && t.wants(read) >= most }) {
		return nil, 0
	}
	return best, most
}

// moods as evidence has them.
var moods = map[mood]string{
	actRequest: "request", actWish: "wish", actQuestion: "question", actFragment: "fragment", actTalk: "talk", actNegative: "negative",
}

// evidence is what the grammar makes of a clause: its mood, and the acts of the tool that it names, or orders.
func (p *part) evidence() []string {
	tags := []string{"mood:" + moods[p.act]}
	if p.stop {
		tags = append(tags, "stop")
	}
	if !p.hit {
		return tags
	}
	if p.expression() {
		tags = append(tags, "holds:formula")
	}
	if p.conversion() {
		tags = append(tags, "holds:measure")
	}
	how := "names:"
	switch {
	case p.found.exact:
		how = "form:"
	case p.grammatical() && !p.nameless():
		how = "orders:"
	}
	for _, a := range p.found.tool.acts {
		tags = append(tags, how+string(a))
	}
	return tags
}

// Evidence is what the phrasebook makes of a message, for who weighs it with what other rooms make of it. Safe for concurrent use.
func (p *Provider) Evidence(cards []provider.ToolCard, text string, now time.Time) (tags []string) {
	c := p.catalogs.of(cards, p.Names)
	m := c.read(text, now)
	tags = m.evidence()
	for _, w := range m.wishes {
		if len(m.parts) == 0 { // a form of its own, which is not read clause by clause
			for _, a := range w.tool.acts {
				tags = append(tags, "form:"+string(a))
			}
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
