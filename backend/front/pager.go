package front

import (
	"context"

	"agentchat/backend/shop"
)

// pagerCommand does what concerns the phones that are paired.
func pagerCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "pager_pair":
		return s.InvitePhone()
	case "pager_unpair":
		return struct{}{}, s.RemovePhone(ctx, c.Phone)
	default: // pager
		return s.Pager(ctx)
	}
}
