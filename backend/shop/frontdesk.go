package shop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"agentchat/backend/frontdesk"
	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/phrase"
	"agentchat/backend/library/agent"
	"agentchat/backend/toolbox"
)

// room is one part of the shop at the front desk.
type room struct {
	evidence func(ctx context.Context, m frontdesk.Message) []string
	offers   func(ctx context.Context, m frontdesk.Message, r frontdesk.Reading, lang bilingual.Lang, least float64) []frontdesk.Offer
	ways     func(lang bilingual.Lang) []frontdesk.Way
}

// Evidence implements frontdesk.Room.
func (r room) Evidence(ctx context.Context, m frontdesk.Message) []string { return r.evidence(ctx, m) }

// Offers implements frontdesk.Bidder.
func (r room) Offers(ctx context.Context, m frontdesk.Message, read frontdesk.Reading, lang bilingual.Lang, least float64) []frontdesk.Offer {
	return r.offers(ctx, m, read, lang, least)
}

// Ways implements frontdesk.Guide. A room whose work is done by tools has none of its own.
func (r room) Ways(lang bilingual.Lang) []frontdesk.Way {
	if r.ways == nil {
		return nil
	}
	return r.ways(lang)
}

// frontdesk is the rooms that look at every message.
func (s *Shop) frontdesk(cards *catalogue) frontdesk.Rooms {
	return frontdesk.Rooms{
		room{
			evidence: func(_ context.Context, m frontdesk.Message) []string {
				return s.phrasebook.Evidence(cards.cards(bilingual.KO), m.Text, m.Now)
			},
			offers: func(_ context.Context, m frontdesk.Message, r frontdesk.Reading, lang bilingual.Lang, least float64) (list []frontdesk.Offer) {
				for _, x := range s.phrasebook.Meanings(cards.cards(lang), m.Text, m.Now, lang, r.Guesses, least) {
					list = append(list, frontdesk.Offer{Key: frontdesk.KeyTool + x.Tool, Title: r.Called(x.Acts, lang, some(x.Value)...), P: x.P, Harm: s.harm(x.Tool), Ordered: x.Ordered, Spoken: x.Spoken})
				}
				return list
			},
			ways: s.toolWays,
		},
		room{
			evidence: func(_ context.Context, m frontdesk.Message) []string { return s.services.Evidence(m.Text) },
			offers: func(_ context.Context, m frontdesk.Message, r frontdesk.Reading, lang bilingual.Lang, least float64) (list []frontdesk.Offer) {
				for _, x := range s.services.Offers(m.Text, m.Now, lang, r.Wants, least) {
					o := frontdesk.Offer{Key: frontdesk.KeyService + x.Service, Title: cmp.Or(x.Title, r.Called(x.Acts, lang, x.Values...)), P: r.Wants(x.Acts...), Harm: frontdesk.HarmStart, Ordered: x.Ordered, Spoken: x.Spoken}
					if x.Query != "" {
						o.Key, o.Harm = frontdesk.KeyQuery+x.Service+"/"+x.Query, frontdesk.HarmAnswer
					}
					list = append(list, o)
				}
				return list
			},
			ways: s.serviceWays,
		},
		room{
			evidence: s.held,
			offers: func(_ context.Context, m frontdesk.Message, r frontdesk.Reading, lang bilingual.Lang, _ float64) []frontdesk.Offer {
				title, p := r.Called([]act.Act{act.DocumentAsk}, lang), r.Wants(act.DocumentAsk)
				if len(m.Attached) > 0 {
					p = raised(p)
				}
				return []frontdesk.Offer{{Key: frontdesk.KeyLibrary, Title: title, P: p, Harm: frontdesk.HarmAnswer}}
			},
			ways: func(bilingual.Lang) []frontdesk.Way { return nil }, // what may be asked stands in the documents
		},
		room{evidence: s.tableEvidence, offers: s.tableOffers},
	}
}

// toolWays are the shop's own tools that somebody may ask for: a tool of an outside server, an address or a command is nobody's wish.
func (s *Shop) toolWays(lang bilingual.Lang) (list []frontdesk.Way) {
	for _, spec := range s.box.Specs() {
		if len(spec.Acts) == 0 {
			continue
		}
		w := frontdesk.Way{Key: frontdesk.KeyTool + spec.Key, Called: []string{spec.Title.In(lang), spec.Description.In(lang)}}
		for _, a := range spec.Acts {
			w.Acts = append(w.Acts, act.Act(a))
		}
		for _, e := range spec.Examples {
			if phrase.Korean(e.Text) == (lang == bilingual.KO) {
				w.Examples = append(w.Examples, e.Text)
			}
		}
		list = append(list, w)
	}
	return list
}

// unlearned tells whether some tool says nothing of what a message may want: one from outside.
func (s *Shop) unlearned() bool {
	return slices.ContainsFunc(s.box.Specs(), func(spec toolbox.Spec) bool { return len(spec.Acts) == 0 })
}

// serviceWays are the services of the counter.
func (s *Shop) serviceWays(lang bilingual.Lang) (list []frontdesk.Way) {
	for _, w := range s.services.Ways(lang) {
		key := frontdesk.KeyService + w.Service
		if w.Query != "" {
			key = frontdesk.KeyQuery + w.Service + "/" + w.Query
		}
		list = append(list, frontdesk.Way{Key: key, Acts: w.Acts, Called: some(w.Called), Examples: w.Examples})
	}
	return list
}

// speaksFor is how many times more often a message that came with a file asks about it than one that came alone asks about documents.
const speaksFor = 50

// raised is how probable it is that a message is about the file it came with, of which the words alone make it p.
func raised(p float64) float64 { return speaksFor * p / (1 - p + speaksFor*p) }

// some is a list of what there is.
func some(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// harm is what it costs when a tool does what nobody wanted, by its manual.
func (s *Shop) harm(tool string) frontdesk.Harm {
	spec, err := s.box.Spec(tool)
	switch {
	case err != nil || spec.Effect == toolbox.EffectRead:
		return frontdesk.HarmAnswer
	case spec.Long || spec.Confirm == toolbox.ConfirmAlways:
		return frontdesk.HarmStart
	}
	return frontdesk.HarmChange
}

// held is the library's evidence: whether the message asks about documents by its form, and how much of what it asks stands in
// one passage, in tenths.
func (s *Shop) held(ctx context.Context, m frontdesk.Message) (tags []string) {
	if agent.Concerns(m.Text, false) == 2 {
		tags = append(tags, "document")
	}
	hits, err := s.library.Glance(ctx, m.Text, 1)
	if err != nil || len(hits) == 0 {
		return append(tags, "held:none")
	}
	return append(tags, fmt.Sprintf("held:%.0f", 10*hits[0].Strength))
}

// Reading says what a message wants and what supports that. It changes nothing.
func (s *Shop) Reading(ctx context.Context, text string) frontdesk.Reading {
	return s.front.Read(ctx, frontdesk.Message{Text: text, Now: time.Now()})
}

// candidates are the shop's own tools that a text may mean, the most probable first.
func (s *Shop) candidates(ctx context.Context, text string, now time.Time, lang bilingual.Lang) (keys []string) {
	m := frontdesk.Message{Text: text, Now: now}
	return frontdesk.Tools(s.front.Offers(ctx, m, s.front.Read(ctx, m), lang, frontdesk.Worth))
}
