package front

import (
	"context"

	"agentchat/backend/shop"
)

// House is a shop that was opened for one command, with its door. Others may come in meanwhile.
type House struct {
	shop *shop.Shop
	door *Door
}

// Open opens a shop and its door. Errors are *apperr.Error.
func Open(ctx context.Context, o shop.Options) (*House, error) {
	s, err := shop.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	d, err := Hang(s)
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return &House{s, d}, nil
}

// Close closes both when the last of those who came in has gone, or at once when ctx is over. What runs goes on at the next start. Who is let
// in at the last moment is heard like everybody else; who comes later finds no shop.
func (h *House) Close(ctx context.Context) {
	_ = h.door.Wait(ctx)
	h.door.admitNobody()
	_ = h.door.Wait(ctx)
	h.door.Close()
	_ = h.shop.Close()
}
