package shop

import (
	"context"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
	"agentchat/backend/provider"
)

// embedder makes the library's vectors with the servers that are well. A model's name begins with the kind of its server: the same model makes the same
// vectors on any of them.
type embedder struct{ shop *Shop }

// Model implements library.Embedder.
func (e embedder) Model(ctx context.Context) (string, error) {
	err := error(apperr.New(apperr.NoEmbedder))
	for _, p := range e.servers() {
		able, ok := p.(provider.Embedder)
		if !ok {
			continue
		}
		var model string
		if model, err = able.EmbedModel(ctx); err == nil {
			return kindOf(p) + "/" + model, nil
		}
		if apperr.CodeOf(err) == apperr.NotAvailable {
			err = apperr.Wrap(err, apperr.NoEmbedder)
		}
	}
	return "", err
}

// servers are those that may make vectors, the preferred first.
func (e embedder) servers() (list []provider.Provider) {
	for _, s := range e.shop.failover.Well() {
		list = append(list, s.Provider)
	}
	if len(list) == 0 {
		list = append(list, e.shop.failover.Provider())
	}
	return list
}

// Embed implements library.Embedder. A question's vector does not wait in line: chat models and embedding models answer side
// by side.
func (e embedder) Embed(ctx context.Context, model string, texts []string, urgent bool) (list [][]float32, err error) {
	do := func(ctx context.Context, _ provider.Provider) (err error) {
		// Where none is left that has it, another provider came on duty.
		err = apperr.New(apperr.ProviderUnreachable, "provider", strings.SplitN(model, "/", 2)[0])
		for _, p := range e.servers() {
			able, ok := p.(provider.Embedder)
			name, its := strings.CutPrefix(model, kindOf(p)+"/")
			if !ok || !its {
				continue
			}
			if list, err = able.EmbedWith(outbound.With(ctx, outbound.Cause{Words: texts}), name, texts); err == nil || ctx.Err() != nil {
				return err
			}
		}
		return err
	}
	if urgent {
		err = do(ctx, nil)
		return list, err
	}
	err = e.shop.interp.Aside(ctx, do)
	return list, err
}
