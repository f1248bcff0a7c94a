package tools

import (
	"context"

	"agentchat/backend/media"
	"agentchat/backend/toolbox"
)

// movie shows a film on the Monitor, until it ends.
type movie struct{ deps Deps }

func (*movie) Spec() toolbox.Spec { return manual("movie") }

func (m *movie) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	piece, err := m.deps.choose(ctx, call, media.KindMovie)
	if err != nil {
		return toolbox.Result{}, err
	}
	return m.deps.play(ctx, call, piece, media.Monitor)
}
