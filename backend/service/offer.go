package service

import (
	"cmp"
	"slices"
	"time"

	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/service/reading"
)

// Offer is a service, or a query of it, that a message may ask for.
type Offer struct {
	Service, Query string
	Title          string   // its own, for a query among several of the same acts
	Values         []string // that were read for it
	Acts           []act.Act

	Ordered bool // one of its patterns fits
	Spoken  bool // it holds the words of a request and asks for nothing
}

// Offers are what a message may ask for here, each act once: a query whose pattern fits, a service that does it, or the query of a service that
// answers it. A service that is less probable than least and whose patterns do not fit is left out.
func (b *Book) Offers(text string, now time.Time, lang bilingual.Lang, wants Wants, least float64) (list []Offer) {
	var taken []act.Act
	add := func(acts []act.Act, o Offer) {
		if len(acts) > 0 && !slices.ContainsFunc(acts, func(a act.Act) bool { return slices.Contains(taken, a) }) {
			o.Acts = acts
			taken, list = append(taken, acts...), append(list, o)
		}
	}
	tells := reading.Tells(text)
	query := func(m *Manifest, q *Query, fits bool) {
		add(q.Acts, Offer{Service: m.ID, Query: q.ID, Title: q.Title.In(lang), Ordered: fits})
	}
	for _, m := range b.list {
		if q := m.Query(text); q != nil {
			query(m, q, true)
		}
	}
	if m, acts := b.settles(text, wants); m != nil {
		add(acts, Offer{Service: m.ID, Values: m.valuesIn(text, now, lang), Ordered: true, Spoken: tells})
	}
	for _, m := range b.list {
		if fits := m.Means(text); len(m.Acts) > 0 && (fits || wants(m.Acts...) >= least) {
			add(m.Acts, Offer{Service: m.ID, Values: m.valuesIn(text, now, lang), Ordered: fits || m.namesRecord(text), Spoken: tells})
		}
	}
	for _, m := range b.list {
		for i := range m.Queries {
			if q := &m.Queries[i]; len(q.Acts) > 0 && wants(q.Acts...) >= least {
				query(m, m.nearest(text, q.Acts), false)
			}
		}
	}
	return list
}

// valuesIn are the values that a message holds for the service, as people say them.
func (m *Manifest) valuesIn(text string, now time.Time, lang bilingual.Lang) (values []string) {
	s, said := Open("", m, lang), *m
	said.examine = nil // what was heard, also when it could not be carried out
	s, _, err := said.Apply(s, m.Ground(s, m.Reads(s, text, now), text, true, now), now.Format("2006-01-02"))
	if err != nil {
		return nil
	}
	for _, slot := range m.Slots {
		if value, filled := s.Slots[slot.Name]; filled {
			values = append(values, display(slot, value, lang))
		}
	}
	return values
}

// Way is what a service or a query of it does, and how people ask for it.
type Way struct {
	Service, Query string
	Acts           []act.Act
	Called         string // the service's title, or what the query tells
	Examples       []string
}

// Ways are all services and their queries, in the order in which they are shown.
func (b *Book) Ways(lang bilingual.Lang) (list []Way) {
	for _, m := range b.list {
		list = append(list, Way{Service: m.ID, Acts: m.Acts, Called: m.Title.In(lang), Examples: m.Examples.In(lang)})
		for _, q := range m.Queries {
			list = append(list, Way{Service: m.ID, Query: q.ID, Acts: q.Acts, Called: cmp.Or(q.Title.In(lang), m.Title.In(lang)), Examples: q.Examples.In(lang)})
		}
	}
	return list
}
