package ollama

import (
	"context"

	"github.com/ollama/ollama/api"

	"agentchat/backend/outbound"
)

// mayAsk tells whether a model may be asked. A model of the server here may really run elsewhere, to which the server passes the request on: then
// that leaves this computer, though the server does not. Error: nothing_leaves.
func (p *Provider) mayAsk(ctx context.Context, c *api.Client, model string) error {
	if _, err := p.abilities(ctx, c, model); err != nil {
		return err
	}
	p.mu.Lock()
	far := p.far[model]
	p.mu.Unlock()
	if far == "" {
		return nil
	}
	return p.o.Line.Leave(ctx, outbound.RoomModels, outbound.Where(far))
}
