package front

import (
	"context"

	"agentchat/backend/shop"
)

// guestCommand does what concerns the programs that use the shop's tools.
func guestCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "guest_add":
		return s.AddGuest(ctx, c.Guest)
	case "guest_change":
		return struct{}{}, s.ChangeGuest(ctx, c.Guest)
	case "guest_remove":
		return struct{}{}, s.RemoveGuest(ctx, c.Guest.ID)
	default: // guests
		return s.Guests(ctx)
	}
}
