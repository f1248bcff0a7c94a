package main

import (
	"context"

	"agentchat/backend/shop"
)

// Letters lists the newest exchanges with interpreters, newest first; chat and job filter when not empty.
func (a *App) Letters(chat, job string, limit int) ([]shop.LetterRow, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]shop.LetterRow, error) {
		return s.LetterRows(ctx, chat, job, limit)
	})
}

// Readings lists how the newest messages of a chat ("" for all) were read, newest first, and how far that is to be believed.
func (a *App) Readings(chat string, limit int) (shop.ReadingsView, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.ReadingsView, error) {
		return s.Readings(ctx, chat, limit)
	})
}

// Letter gives one exchange whole: what was sent and what came back, with secrets taken out.
func (a *App) Letter(id string) (shop.LetterDetail, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.LetterDetail, error) { return s.Letter(ctx, id) })
}

// ReplayLetter sends the very same request again to the interpreter now on duty and gives the new exchange. Nothing else
// comes of it.
func (a *App) ReplayLetter(id string) (shop.LetterDetail, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (shop.LetterDetail, error) { return s.ReplayLetter(ctx, id) })
}
