package main

import (
	"context"

	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// Favourites gives all favourites, and those that can be taken back.
func (a *App) Favourites() (shop.FavouritesView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.FavouritesView, error) { return s.Favourites(ctx) })
}

// KeepFavourite keeps words under a name, or with an id changes a favourite. was says what stood in a blank before it was one.
func (a *App) KeepFavourite(id, name, text string, was map[string]string) (shop.FavouriteView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.FavouriteView, error) {
		return s.KeepFavourite(ctx, id, name, text, was)
	})
}

// DeleteFavourite puts a favourite into the trash; RestoreFavourite takes it out again.
func (a *App) DeleteFavourite(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.DeleteFavourite(ctx, id) })
}

// RestoreFavourite undoes DeleteFavourite.
func (a *App) RestoreFavourite(id string) error {
	return run(a, func(ctx context.Context, s *shop.Shop) error { return s.RestoreFavourite(ctx, id) })
}

// RunFavourite says a favourite in a chat ("" for the main one), as the customer's own message; words are what they made of its text, ""
// for that text itself. What is left blank is asked.
func (a *App) RunFavourite(chat, id, words string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.RunFavourite(ctx, chat, id, words)
	})
}

// ScheduleFavourite says a favourite in a chat with when it shall be done again and again: the card of a standing order is the answer.
func (a *App) ScheduleFavourite(chat, id, when string) (event.ChatMessage, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (event.ChatMessage, error) {
		return s.ScheduleFavourite(ctx, chat, id, when)
	})
}

// FavouriteArguments are the stretches of a text that can be blanks of a favourite.
func (a *App) FavouriteArguments(text string) ([]shop.ArgumentView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.ArgumentView, error) {
		return s.FavouriteArguments(ctx, text), nil
	})
}
