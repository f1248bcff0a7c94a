package frontdesk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"agentchat/backend/language/bilingual"
)

// Offer is a way to take a message that a room could act upon.
type Offer struct {
	Key   string  `json:"key"`             // names it in a button; see the prefixes
	Title string  `json:"title,omitempty"` // what would be done, with what was read for it, in the shop's words
	P     float64 `json:"p"`               // how probable it is that this is wanted
	Harm  Harm    `json:"-"`               // what it costs when it was not wanted

	With []string `json:"-"` // the keys of ways that are taken along with it

	Ordered bool `json:"-"` // the room's own grammar, or one of its patterns, reads it as asked for
	Spoken  bool `json:"-"` // it is only spoken of: told, forbidden, asked about
}

// plausible is the probability from which a tool is worth showing to a model that may choose it.
const plausible = 0.05

// Tools are the tools among offers that a model should be shown, the most probable first; never nil.
func Tools(offers []Offer) []string {
	keys := []string{}
	for _, o := range offers {
		if tool, ok := strings.CutPrefix(o.Key, KeyTool); ok && (o.P >= plausible || o.Ordered) {
			keys = append(keys, tool)
		}
	}
	return keys
}

// The prefixes of keys, and the keys that stand alone.
const (
	KeyTool    = "tool:"    // a tool's key follows
	KeyService = "service:" // a service's id
	KeyQuery   = "query:"   // a service's id, a slash, and that of its query
	KeyLibrary = "library"
	KeyNone    = "none" // nothing of what was offered
)

// Harm is what a mistake costs the customer, in turns of the talk: 1 for an answer that is passed over and asked for anew.
type Harm float64

// What mistakes cost.
const (
	HarmAnswer Harm = 1 // something was told that nobody asked
	HarmStart  Harm = 2 // something began, or asks to be confirmed, and must be called off
	HarmChange Harm = 3 // something was changed and must be put back
)

// Bidder is a room that can act upon a message. Offers gives its ways to take one that is read so; titles are in lang. A way that
// is less probable than least, and that nobody ordered, need not be among them: to find its values takes time. It only reads.
type Bidder interface {
	Offers(ctx context.Context, m Message, r Reading, lang bilingual.Lang, least float64) []Offer
}

// Worth is the probability from which a way is looked at where it is decided what to do with a message. Less of it turns no decision.
const Worth = 0.01

// Offers asks the rooms that can act upon a message what they would do, the most probable first, without what is less probable than
// least.
func (d Rooms) Offers(ctx context.Context, m Message, r Reading, lang bilingual.Lang, least float64) (all []Offer) {
	for _, room := range d {
		if b, ok := room.(Bidder); ok {
			all = append(all, b.Offers(ctx, m, r, lang, least)...)
		}
	}
	slices.SortStableFunc(all, byP)
	return all
}

// What is done costs, in turns of the talk.
const (
	costOfAsking  = 0.5  // somebody has to read a question and press a button
	costOfButton  = 0.1  // each further button has to be read
	costOfModel   = 0.25 // somebody has to wait for it; on a slow machine as long as for an answer to a question
	costOfNothing = 1.5  // it has to be said again, and may be misread again
)

// grammatical is how often what a room's own grammar reads as asked for was right, on public requests that nobody wrote it for.
const grammatical = 0.83

// mostOffered is how many readings a question offers.
const mostOffered = 3

// Sure tells, before any room is asked what it would do, that no question can be worth it: what is wanted with probability p costs less
// in the mean than the question when it is taken, or so probably nothing is wanted that doing nothing does.
func Sure(p, idle float64, taken bool) bool {
	return taken && (1-p)*float64(HarmChange) <= costOfAsking || costOfNothing*(1-idle) <= costOfAsking+idle
}

// Worthwhile tells whether to do what is wanted with probability p costs less in the mean than to do nothing, when a mistake costs harm.
func Worthwhile(p float64, harm Harm) bool { return (1-p)*float64(harm) <= p*costOfNothing }

// Doubt gives what to ask about instead of taking a message in one way, by what each costs in the mean; nil when that way, or doing
// nothing, costs no more than to ask. taken is the key of the way, "" when nothing would be done. A way that no room offers is not
// doubted, and nobody is asked about what is only spoken of.
func Doubt(offers []Offer, taken string) []Offer {
	offers = slices.DeleteFunc(slices.Clone(offers), func(o Offer) bool { return o.Spoken && o.Key != taken })
	offers = witnessed(offers, taken)
	nothing, carry := 0.0, 0.0
	for _, o := range offers {
		nothing += o.P * costOfNothing
		if o.Key == taken {
			carry = (1 - o.P) * float64(o.Harm)
		}
	}
	least := nothing
	if taken != "" {
		if !slices.ContainsFunc(offers, func(o Offer) bool { return o.Key == taken }) {
			return nil
		}
		least = min(least, carry)
	}
	asked, ask, other := offers[:0:0], costOfAsking+1, false
	for _, o := range offers[:min(len(offers), mostOffered)] {
		if o.P > costOfButton {
			asked, ask, other = append(asked, o), ask-o.P, other || o.Key != taken
		}
	}
	if !other || ask >= least {
		return nil
	}
	return asked
}

// witnessed weighs what the model says of the ways with the grammar, the second witness, where that reads an order for those taken.
func witnessed(offers []Offer, taken ...string) []Offer {
	is := func(o Offer) bool { return slices.Contains(taken, o.Key) }
	if !slices.ContainsFunc(offers, func(o Offer) bool { return is(o) && o.Ordered }) {
		return offers
	}
	p, others := 0.0, 1-grammatical // is left to the others of what they had
	for i, o := range offers {
		if is(o) {
			p += o.P
		} else {
			offers[i].P *= others
		}
	}
	for i, o := range offers {
		if is(o) && p > 0 {
			offers[i].P = o.P / p * (1 - (1-p)*others)
		}
	}
	slices.SortStableFunc(offers, byP)
	return offers
}

// Settled tells whether to take a message in some ways, together, costs no more in the mean than to ask a model first: it has to be
// waited for, and may be wrong, too.
func Settled(offers []Offer, taken ...string) bool {
	if len(taken) == 0 {
		return false
	}
	p, harm := 0.0, Harm(0)
	for _, o := range witnessed(slices.Clone(offers), taken...) {
		if slices.Contains(taken, o.Key) {
			p, harm = p+o.P, max(harm, o.Harm)
		}
	}
	return harm > 0 && (1-p)*float64(harm) <= costOfModel
}

func byP(a, b Offer) int { return cmp.Compare(b.P, a.P) }

// leastNear is how probable an offer must be among what is left, to come near.
const leastNear = 0.02

// Nearest gives the offers that come nearest once others were turned down, without what is out of the question even then.
func Nearest(offers []Offer, turnedDown []string) (near []Offer) {
	left := 1.0
	for _, o := range offers {
		if slices.Contains(turnedDown, o.Key) {
			left -= o.P
		}
	}
	for _, o := range offers {
		if len(near) < mostOffered && !slices.Contains(turnedDown, o.Key) && o.P >= leastNear*left {
			near = append(near, o)
		}
	}
	return near
}
