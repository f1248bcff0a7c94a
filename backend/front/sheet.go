package front

import (
	"context"

	"agentchat/backend/shop"
)

// sheetCommand does what concerns what happened while nobody was there.
func sheetCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "sheet":
		return s.Sheet(ctx)
	case "sheet_looked":
		return struct{}{}, s.LookedAtSheet(ctx)
	case "present":
		s.Present(c.Here)
		return struct{}{}, nil
	default: // approve
		list, err := s.Approve(ctx, c.Shown)
		return one("answers", list), err
	}
}
