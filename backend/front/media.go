package front

import (
	"context"

	"agentchat/backend/media"
	"agentchat/backend/shop"
)

// mediaCommand does something with what plays: {"cmd":"media","act":"pause","device":"deck1"}; volume, louder and quieter take a level.
func mediaCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	now, err := s.MediaControl(ctx, media.Order{Act: c.Act, Level: c.Level, Device: c.Device})
	return one("media", now), err
}
