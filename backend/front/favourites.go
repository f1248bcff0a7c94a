package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// favouriteCommand does what concerns the favourites.
func favouriteCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "favourites":
		return s.Favourites(ctx)
	case "favourite_keep":
		return s.KeepFavourite(ctx, c.Favourite, c.Name, c.Text, c.Was)
	case "favourite_arguments":
		return one("arguments", s.FavouriteArguments(ctx, c.Text)), nil
	}
	if c.Favourite == "" {
		return nil, apperr.New(apperr.BadCommand, "detail", c.Cmd+" needs favourite")
	}
	switch c.Cmd {
	case "favourite_run":
		msg, err := s.RunFavourite(ctx, c.Chat, c.Favourite, c.Text)
		return one("message", msg), err
	case "favourite_schedule":
		msg, err := s.ScheduleFavourite(ctx, c.Chat, c.Favourite, c.When)
		return one("message", msg), err
	case "favourite_delete":
		return one("favourite", c.Favourite), s.DeleteFavourite(ctx, c.Favourite)
	default:
		return one("favourite", c.Favourite), s.RestoreFavourite(ctx, c.Favourite)
	}
}
