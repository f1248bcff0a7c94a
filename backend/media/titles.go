package media

import (
	"context"
	"slices"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/match"
)

// A folder is looked through again for its titles when they are as old as this: every message that could name one asks.
const titlesAge = 3 * time.Second

// listing is what a kind's titles were when they were last looked at.
type listing struct {
	at     time.Time
	titles []bilingual.Text
}

// Titles are the titles of one kind, for whoever has to know whether a name is one. Safe for concurrent use.
type Titles struct {
	library *Library
	kind    string
}

// Titles gives the titles of a kind.
func (l *Library) Titles(kind string) Titles { return Titles{l, kind} }

func (t Titles) list() []bilingual.Text {
	l := t.library
	l.mu.Lock()
	seen := l.listed[t.kind]
	l.mu.Unlock()
	if seen.titles != nil && time.Since(seen.at) < titlesAge {
		return seen.titles
	}
	seen = listing{at: time.Now()}
	for _, item := range l.Items(context.Background(), t.kind) {
		seen.titles = append(seen.titles, item.Title)
	}
	l.mu.Lock()
	l.listed[t.kind] = seen
	l.mu.Unlock()
	return seen.titles
}

// Knows implements names.Room.
func (t Titles) Knows(name string) bool {
	wanted := match.Fold(name)
	return slices.ContainsFunc(t.list(), func(title bilingual.Text) bool { return fits(wanted, title) >= alike })
}

// Near implements names.Room.
func (t Titles) Near(name string, lang bilingual.Lang) []string {
	var titles []string
	var spelt []match.Spelled
	for _, title := range t.list() {
		titles, spelt = append(titles, title.In(lang)), append(spelt, match.Spell(match.Fold(title.In(lang))))
	}
	return match.Nearest(match.Fold(name), titles, spelt)
}

// fits says how well a piece's title, in either language, fits the folded one that is wanted.
func fits(wanted string, title bilingual.Text) float64 {
	return max(fit(wanted, match.Fold(title.KO)), fit(wanted, match.Fold(title.EN)))
}
