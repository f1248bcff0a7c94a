package shop

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"agentchat/backend/batch"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/outbound"
	desktoptools "agentchat/backend/tools/desktop"
)

// What waits to be written of requests to the outside at most, and how long it waits for company.
const (
	mostOutbound   = 2000
	outboundLinger = 200 * time.Millisecond
)

// openLine makes the one way out of this computer, and what writes down whatever goes there.
func (s *Shop) openLine(ctx context.Context, own func(netip.Addr) bool) error {
	if err := s.store.CutOutbound(ctx); err != nil {
		return err
	}
	s.outward = batch.New(batch.Options[outbound.Entry]{
		Most: mostOutbound, Linger: outboundLinger, Failed: s.unkept("outbound", "requests to the outside could not be written down"),
		Write: func(ctx context.Context, list []outbound.Entry) error {
			keys := s.secrets()
			for i := range list {
				list[i].Words = interpreter.Redact(list[i].Words, keys)
				list[i].Path = interpreter.Redact(list[i].Path, keys)
			}
			err := s.store.AddOutbound(ctx, list)
			s.Bus.Publish(event.Of("", "", event.OutboundChanged{}))
			return err
		},
	})
	s.closing = append(s.closing, s.outward.Close)
	s.line = outbound.New(outbound.Options{
		Closed: func() bool { return s.Config.Get().Offline }, Record: s.outward.Put, Own: own, Now: time.Now, NewID: newID,
	})
	return nil
}

// OutboundState says what holds for whatever leaves this computer. Nothing leaves when Offline is set, Going is nothing and Unseen names nobody.
type OutboundState struct {
	Offline bool  `json:"offline"`
	Going   int   `json:"going"` // requests that are on their way
	Last    int64 `json:"last"`  // when something last left, in ms; 0: nothing that the ledger knows of
	// Unseen are the programs of others that run beside the shop, which it cannot watch.
	Unseen []string `json:"unseen"`
	// Phones says that paired phones in the same network may look.
	Phones bool `json:"phones"`
}

// OutboundState tells how it stands now, by the switch, by what is under way and by the ledger.
func (s *Shop) OutboundState(ctx context.Context) (OutboundState, error) {
	s.outward.Flush()
	last, err := s.store.LeftLast(ctx)
	if err != nil {
		return OutboundState{}, err
	}
	now := s.line.State()
	if now.Left.After(last) {
		last = now.Left
	}
	v := OutboundState{Offline: now.Closed, Going: now.Going, Unseen: s.mcp.Children(), Phones: s.Config.Get().PagerOpen}
	if !last.IsZero() {
		v.Last = last.UnixMilli()
	}
	return v, nil
}

// Outbound lists what left this computer, or was kept from it, newest first: up to limit entries before an entry's number (0: the newest).
func (s *Shop) Outbound(ctx context.Context, f outbound.Filter, before int64, limit int) ([]outbound.Entry, error) {
	s.outward.Flush()
	return s.store.Outbound(ctx, f, before, limit)
}

// goOffline has the switch take effect on what is under way.
func (s *Shop) goOffline(offline bool) {
	if offline {
		s.line.Cut()
	}
	s.Bus.Publish(event.Of("", "", event.OutboundChanged{}))
}

// OpensLink is asked before the browser gets an address. Error: nothing_leaves.
func (s *Shop) OpensLink(ctx context.Context, address string) error {
	return s.line.Leave(ctx, outbound.RoomLink, outbound.Where(address))
}

// guardedDesktop asks the line before a browser is sent outside.
type guardedDesktop struct {
	desktoptools.Desktop
	shop *Shop
}

// Open implements desktoptools.Desktop.
func (d guardedDesktop) Open(ctx context.Context, target string) error {
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		if err := d.shop.OpensLink(ctx, target); err != nil {
			return err
		}
	}
	return d.Desktop.Open(ctx, target)
}
