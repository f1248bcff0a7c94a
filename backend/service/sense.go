package service

import (
	"slices"

	"agentchat/backend/language/act"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/phrase"
	"agentchat/backend/service/reading"
)

// Evidence is what the counter's patterns say about a message. The front desk weighs it together with the evidence of other rooms.
func (b *Book) Evidence(text string) (tags []string) {
	tag := func(how string, acts []act.Act) {
		for _, a := range acts {
			tags = append(tags, how+string(a))
		}
	}
	tells := reading.Tells(text)
	if tells {
		tags = append(tags, "tells")
	}
	for _, m := range b.list {
		switch {
		case anyMatch(m.unless, text):
			tag("unless:", m.Acts)
		case m.fits(text):
			tag("service:", m.Acts)
			if !tells && m.begins(text) {
				tag("whole:", m.Acts)
			}
		}
		if q := m.Query(text); q != nil {
			tag("query:", q.Acts)
		}
	}
	if m := b.Suspect(text); m != nil {
		tag("like:", m.Acts)
	}
	return tags
}

// begins tells whether a message holds all that the service needs to begin: an order that leaves nothing to ask.
func (m *Manifest) begins(text string) bool {
	return slices.ContainsFunc(m.read(Session{}, text, anyDay).Tasks(), func(task ground.Task) bool {
		return !slices.ContainsFunc(m.Slots, func(s Slot) bool { _, said := task[s.Name]; return s.Required && !said })
	})
}

// likeness is how alike a message and an example must be to be asked about, 0 to 1.
const likeness = 0.5

// The probabilities from which a service or a query is meant: little where one of its patterns fits, too, because what it opens is
// asked about before anything is done.
const (
	likely  = 0.01
	certain = 0.75
	half    = 0.5 // more probable than anything else
	hint    = 0.05
)

// answers is the probability from which what is asked is answered where a value of it is said, too: readings are right so often from there on.
var answers = act.From(0.6)

// Wants is how probable it is that a message wants one of some acts.
type Wants func(acts ...act.Act) float64

// fitting is the probability from which a matching pattern is accepted. It is higher when the message most probably wants something that no
// part of the shop does (get me a hotel room in Boston).
func (w Wants) fitting() float64 {
	if w != nil && w(lacking...) >= half {
		return hint
	}
	return likely
}

var lacking = slices.DeleteFunc(act.Acts(), func(a act.Act) bool { return !a.Beyond() })

// Meant gives the service that the message asks for, nil when there is none, and whether one of its patterns fits. Without wants
// (nil) its patterns alone decide. What names a record that the service would change needs little more.
func (b *Book) Meant(text string, wants Wants) (meant *Manifest, fits bool) {
	most, fitting := 0.0, wants.fitting()
	for _, m := range b.list {
		if wants == nil || len(m.Acts) == 0 {
			if m.Means(text) {
				return m, true
			}
			continue
		}
		p := wants(m.Acts...)
		if p < fitting || p <= most {
			continue
		}
		if fit := m.Means(text) || p >= hint && m.namesRecord(text); fit || p >= certain && !reading.Tells(text) && !anyMatch(m.unless, text) || p >= 1-certain && m.Holds(text) { // what tells holds the words of a request and asks for nothing
			meant, fits, most = m, fit, p
		}
	}
	if wants == nil {
		return meant, fits
	}
	if m, _ := b.settles(text, wants); m != nil {
		return m, true
	}
	return meant, fits
}

// settles gives the service by which a message changes a record, even if it reads like adding one, and the acts of both services. It is only
// looked for if one of these acts is probable enough.
func (b *Book) settles(text string, wants Wants) (*Manifest, []act.Act) {
	for _, m := range b.list {
		for _, s := range m.Slots {
			keeper, ok := b.Get(s.Of)
			if !ok {
				continue
			}
			if acts := slices.Concat(m.Acts, keeper.Acts); (wants == nil || wants(acts...) >= 1-certain) && m.settled(text, s.Of) {
				return m, acts
			}
		}
	}
	return nil, nil
}

// namesRecord tells whether a message asks something of a record by its name.
func (m *Manifest) namesRecord(text string) bool {
	if m.named == nil || reading.Tells(text) {
		return false
	}
	for _, s := range m.Slots {
		if s.Of == "" {
			continue
		}
		for _, task := range m.read(Session{}, text, anyDay).Tasks() {
			if name, ok := task[s.Name].Value.(string); ok && len(m.named(s.Of, s.Name, name)) > 0 {
				return true
			}
		}
	}
	return false
}

// settled tells whether a message that seems to mean the service that keeps something gives a value to what is kept already.
func (m *Manifest) settled(text, keeper string) bool {
	of := func(s Slot) bool { return s.Of == keeper }
	if m.ID == keeper || !slices.ContainsFunc(m.Slots, of) {
		return false
	}
	settles := false
	for _, task := range m.read(Session{}, text, anyDay).Tasks() {
		for _, s := range m.Slots {
			_, said := task[s.Name]
			if said && (s.Type == TypeDate || s.Type == TypeTime) {
				return false
			}
			settles = settles || said && s.Settles
		}
	}
	return settles && m.namesRecord(text)
}

// Asked gives the query a message asks, its service, and whether one of its patterns fits. Without wants (nil) its patterns alone decide.
// Where no pattern fits, what is most probably asked decides, if one service answers it.
func (b *Book) Asked(text string, wants Wants) (asked *Query, of *Manifest, fits bool) {
	fitting := wants.fitting()
	open := func(q Query) bool { return wants == nil || len(q.Acts) == 0 || wants(q.Acts...) >= fitting }
	for _, m := range b.list {
		if !slices.ContainsFunc(m.Queries, open) {
			continue // none of them is worth a look at the words
		}
		if q := m.Query(text); q != nil && open(*q) {
			return q, m, true
		}
	}
	if wants == nil {
		return nil, nil, false
	}
	for _, m := range b.list {
		if q := m.answers(text, wants); q != nil {
			if asked != nil {
				return nil, nil, false
			}
			asked, of = q, m
		}
	}
	return asked, of, false
}

// answers gives the query by which a service answers what is most probably asked, nil when none does. Of several that answer the same it is
// the one whose examples are most like the question, or the first.
func (m *Manifest) answers(text string, wants Wants) *Query {
	for i := range m.Queries {
		q := &m.Queries[i]
		if len(q.Acts) == 0 {
			continue
		}
		if p := wants(q.Acts...); p >= certain || p >= answers && q.says(text) {
			return m.nearest(text, q.Acts)
		}
	}
	return nil
}

// says tells whether a message holds a value that the query looks for: a second witness that it is asked.
func (q *Query) says(text string) bool {
	return len(q.Arguments(text, anyDay)) > len(q.Args)
}

// nearest is the query for some acts whose examples are most like the question; the first of them where none is alike, nil where there is none.
func (m *Manifest) nearest(text string, acts []act.Act) (best *Query) {
	grams, most := phrase.Grams(phrase.Normalize(text)), 0.0
	for i := range m.Queries {
		q := &m.Queries[i]
		if !slices.Equal(q.Acts, acts) {
			continue
		}
		alike := 0.0
		for _, e := range q.examples {
			alike = max(alike, phrase.Alike(grams, e))
		}
		if best == nil || alike > most {
			best, most = q, alike
		}
	}
	return best
}

// Suspect gives the service a message could ask for, by its likeness to examples; nil when none comes near.
func (b *Book) Suspect(text string) *Manifest {
	grams := phrase.Grams(phrase.Normalize(text))
	var best *Manifest
	top := likeness
	for _, m := range b.list {
		for _, e := range m.examples {
			if l := phrase.Alike(grams, e); l >= top {
				best, top = m, l
			}
		}
	}
	return best
}
