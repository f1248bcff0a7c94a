package shop

import (
	"context"
	"time"

	"agentchat/backend/event"
	"agentchat/backend/presence"
	"agentchat/backend/standing"
)

func (s *Shop) openPresence(now func() time.Time) {
	s.presence = presence.New(presence.Deps{Store: s.store, Now: now, Failed: s.unkept("presence", "when somebody was there could not be kept")})
	s.closing = append(s.closing, s.presence.Close)
}

// Present says whether somebody is there from now on: the window is in sight, or it is hidden or closed. It returns at once, and
// saying the same again does nothing.
func (s *Shop) Present(is bool) { s.presence.Present(is) }

// noticing is the ledger of standing orders; a moment that is noticed late says that nobody was there. It says so before the ledger has it: whoever
// finds the moment there finds the absence, too. One that the ledger does not take after all passed unseen as well.
type noticing struct {
	standing.Store
	presence *presence.Presence
}

// MissStanding implements standing.Store.
func (n noticing) MissStanding(ctx context.Context, c standing.Claim, msg *event.ChatMessage) (chat string, claimed bool, err error) {
	noticeLate(n.presence, c)
	return n.Store.MissStanding(ctx, c, msg)
}

func noticeLate(p *presence.Presence, c standing.Claim) {
	if c.Late() {
		p.Missed(c.Due, c.At)
	}
}
