package shop

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
	"agentchat/backend/provider"
)

// embedder makes the library's vectors with the provider on duty. A model's name begins with its provider's.
type embedder struct{ shop *Shop }

// Model implements library.Embedder.
func (e embedder) Model(ctx context.Context) (string, error) {
	p := e.shop.failover.Provider()
	able, ok := p.(provider.Embedder)
	if !ok {
		return "", apperr.New(apperr.NoEmbedder)
	}
	model, err := able.EmbedModel(ctx)
	if apperr.CodeOf(err) == apperr.NotAvailable {
		err = apperr.Wrap(err, apperr.NoEmbedder)
	}
	return p.Name() + "/" + model, err
}

// Embed implements library.Embedder. A question's vector does not wait in line: chat models and embedding models answer side
// by side.
func (e embedder) Embed(ctx context.Context, model string, texts []string, urgent bool) (list [][]float32, err error) {
	do := func(ctx context.Context, p provider.Provider) error {
		able, ok := p.(provider.Embedder)
		name, its := strings.CutPrefix(model, p.Name()+"/")
		if !ok || !its { // another provider came on duty
			return apperr.New(apperr.ProviderUnreachable, "provider", strings.SplitN(model, "/", 2)[0])
		}
		list, err = able.EmbedWith(outbound.With(ctx, outbound.Cause{Words: texts}), name, texts)
		return err
	}
	if urgent {
		err = do(ctx, e.shop.failover.Provider())
		return list, err
	}
	err = e.shop.interp.Aside(ctx, do)
	return list, err
}
