package web

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
)

var pictures = errand{
	outbound.RoomPicture, "shows one picture to a person", "image/png, image/jpeg, image/webp, image/gif;q=0.9, image/*;q=0.1", maxShown, apperr.PictureFailed,
}

// Pictures gets pictures that answers name by their address, when a person asks for one. Safe for concurrent use.
type Pictures struct{ fetcher *fetcher }

// NewPictures makes it.
func NewPictures(o Options) *Pictures { return &Pictures{newFetcher(o, pictures)} }

// Get fetches what lies at an address, under the guard that pages are read under. What it is, whoever asked has to see from its bytes.
// Errors: address_refused, picture_failed, nothing_leaves, offline, timeout, or that of ctx.
func (p *Pictures) Get(ctx context.Context, address string) ([]byte, error) {
	u, err := Read(address)
	if err != nil {
		return nil, err
	}
	a, err := p.fetcher.get(ctx, u)
	if err != nil {
		return nil, err
	}
	if a.cut {
		return nil, p.fetcher.nothing(a.url, bilingual.Text{KO: "12MB보다 커요", EN: "it is larger than 12 MB"})
	}
	return a.body, nil
}

// NoPicture is the error of bytes that are none that can be shown.
func NoPicture(address string, cause error) error {
	return apperr.Wrap(cause, apperr.PictureFailed, "url", short(address), "why", bilingual.Text{
		KO: "PNG, JPEG, WebP, GIF, BMP, TIFF 그림이 아니거나, 너무 크거나, 망가졌어요", EN: "it is not a PNG, JPEG, WebP, GIF, BMP or TIFF picture, or it is too large or broken",
	})
}
