package front

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
	"agentchat/backend/standing"
)

// standingCommand does what concerns the standing orders.
func standingCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	if c.Cmd == "standing" {
		list, err := s.StandingOrders(ctx)
		return one("orders", list), err
	}
	if c.Order == "" {
		return nil, apperr.New(apperr.BadCommand, "detail", c.Cmd+" needs order")
	}
	if c.Cmd == "standing_change" {
		return s.ChangeStanding(ctx, c.Order, c.When, c.Missed)
	}
	return s.DoStanding(ctx, c.Order, standing.Verb(strings.TrimPrefix(c.Cmd, "standing_")))
}
