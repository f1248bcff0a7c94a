package openai

import (
	"context"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

var _ provider.NativeCaller = (*Provider)(nil)

// NativeCalls says whether solver requests call tools natively: unless a setting says otherwise, until the service turns
// them down. Such services keep many prefixes at once, so requests with another head cost them nothing (docs/adr/0005).
func (p *Provider) NativeCalls(ctx context.Context) bool {
	if p.o.Native != nil && p.o.Native() == provider.CallsJSON {
		return false
	}
	base, err := p.base()
	if err != nil {
		return false
	}
	model, err := p.model(ctx, base, wire.CardOf(p.o.Cards, provider.RoleSolver).Model)
	return err == nil && !p.dialect(model).noTools
}
