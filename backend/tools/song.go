package tools

import (
	"context"

	"agentchat/backend/media"
	"agentchat/backend/toolbox"
)

// song plays a song on whichever of the two decks is free, until it ends.
type song struct{ deps Deps }

func (*song) Spec() toolbox.Spec { return manual("song") }

func (s *song) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	piece, err := s.deps.choose(ctx, call, media.KindSong)
	if err != nil {
		return toolbox.Result{}, err
	}
	return s.deps.play(ctx, call, piece, media.Decks()...)
}
