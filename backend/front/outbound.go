package front

import (
	"context"

	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

// outboundCommand lists what left this computer, and how it stands now.
func outboundCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	filter, err := filterOf[outbound.Filter](c)
	if err != nil {
		return nil, err
	}
	list, err := s.Outbound(ctx, filter, c.BeforeEntry, c.Limit)
	if err != nil {
		return nil, err
	}
	state, err := s.OutboundState(ctx)
	return struct {
		Entries []outbound.Entry   `json:"entries"`
		State   shop.OutboundState `json:"state"`
	}{list, state}, err
}
