// Package frontdesk says what a message wants. Every room of the shop looks at it and gives evidence: the phrasebook what it
// names and in what mood, the counter which of its patterns fit, the library how much of it stands in a document. One model
// (language/act) weighs that together with the words, so that a reading of one room can be compared with that of another.
package frontdesk

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/language/act"
	"agentchat/backend/language/bilingual"
)

// Message is what the rooms look at.
type Message struct {
	Text string
	Now  time.Time // local time of the customer
	// Chat is where it was said, "" nowhere; Attached are the files that it came with and About what it is put to, both of which it may be
	// about.
	Chat     string
	Attached []event.Attachment
	About    *event.DocumentRef
}

// Room is one part of the shop that a message may be for.
type Room interface {
	// Evidence gives the room's view of the message as tags that act.Read knows. A room that cannot look now gives none.
	// It only reads, is quick and safe for concurrent use.
	Evidence(ctx context.Context, m Message) []string
}

// Rooms are asked what a message wants. The zero value has none and reads by the words alone; it is safe for concurrent use.
type Rooms []Room

// Reading is what a message wants, and what supports that.
type Reading struct {
	Guesses  act.Guesses
	Evidence [][]string // by room
}

// Read asks every room and weighs what they say.
func (d Rooms) Read(ctx context.Context, m Message) Reading {
	var r Reading
	for _, room := range d {
		r.Evidence = append(r.Evidence, room.Evidence(ctx, m))
	}
	r.Guesses = act.Read(m.Text, slices.Concat(r.Evidence...)...)
	return r
}

// Wants is how probable it is that one of the acts is wanted.
func (r Reading) Wants(acts ...act.Act) (p float64) {
	for _, a := range acts {
		p += r.Guesses.Of(a)
	}
	return p
}

// Called is what a way to take the message is called that does these acts: the most probable of them, with what was read for it.
func (r Reading) Called(acts []act.Act, lang bilingual.Lang, values ...string) string {
	best := slices.MaxFunc(acts, func(a, b act.Act) int { return cmp.Compare(r.Guesses.Of(a), r.Guesses.Of(b)) })
	title := best.Title().In(lang)
	if len(values) > 0 {
		title += ": " + strings.Join(values, ", ")
	}
	return title
}

// Kept is how a message was read, as it is kept to be looked at, and to go on from when it was not what was meant.
type Kept struct {
	ID         string      `json:"id"` // the message's
	Chat       string      `json:"chat"`
	At         time.Time   `json:"at"`
	Text       string      `json:"text"`
	Guesses    act.Guesses `json:"guesses,omitempty"`    // the most probable
	Evidence   [][]string  `json:"evidence,omitempty"`   // by room
	Taken      string      `json:"taken,omitempty"`      // the key of the way it was taken; "": nothing was done, or something else
	Title      string      `json:"title,omitempty"`      // what was done, with the values read for it
	Model      bool        `json:"model,omitempty"`      // how to take it was left to a model
	Offered    []Offer     `json:"offered,omitempty"`    // what the customer was asked about instead
	Of         string      `json:"of,omitempty"`         // the message whose reading this one chose
	TurnedDown []string    `json:"turnedDown,omitempty"` // keys of readings of it that were not meant
}

// What is kept of a reading: so many guesses, and none that is less probable.
const (
	mostGuesses = 5
	leastGuess  = 0.01
)

// Best are the guesses worth looking at.
func (r Reading) Best() (best act.Guesses) {
	for _, g := range r.Guesses[:min(len(r.Guesses), mostGuesses)] {
		if g.P >= leastGuess {
			best = append(best, act.Guess{Act: g.Act, P: math.Round(g.P*1000) / 1000})
		}
	}
	return best
}

// Redacted is what is kept, with every text cleaned.
func (k Kept) Redacted(clean func(text string) string) Kept {
	k.Text, k.Title, k.Offered = clean(k.Text), clean(k.Title), slices.Clone(k.Offered)
	for i := range k.Offered {
		k.Offered[i].Title = clean(k.Offered[i].Title)
	}
	return k
}
