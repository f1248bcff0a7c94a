package service

import (
	"agentchat/backend/provider/builtin/phrase"
)

// likeness is how alike a message and an example must be to be asked about, 0 to 1.
const likeness = 0.5

// Meant gives the service whose patterns leave no doubt that the message asks for it; nil when none does.
func (b *Book) Meant(text string) *Manifest {
	for _, m := range b.list {
		if m.Means(text) {
			return m
		}
	}
	return nil
}

// Asked gives the query a message asks, and its service.
func (b *Book) Asked(text string) (*Query, *Manifest) {
	for _, m := range b.list {
		if q := m.Query(text); q != nil {
			return q, m
		}
	}
	return nil, nil
}

// Suspect gives the service a message could ask for, by its likeness to examples; nil when none comes near.
func (b *Book) Suspect(text string) *Manifest {
	grams := phrase.Grams(phrase.Normalize(text))
	var best *Manifest
	top := likeness
	for _, m := range b.list {
		for _, e := range m.Examples.All() {
			if l := phrase.Alike(grams, phrase.Grams(phrase.Normalize(e))); l >= top {
				best, top = m, l
			}
		}
	}
	return best
}
