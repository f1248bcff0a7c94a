package ollama

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"
	ollamamodel "github.com/ollama/ollama/types/model"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Models lists what is installed, newest first. Errors are those of Chat.
func (p *Provider) Models(ctx context.Context) (models []provider.Model, err error) {
	err = p.call(ctx, "", func(ctx context.Context, c *api.Client) error {
		models, err = list(ctx, c)
		return err
	})
	return models, err
}

func list(ctx context.Context, c *api.Client) ([]provider.Model, error) {
	installed, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	running, err := c.ListRunning(ctx)
	if err != nil {
		return nil, err
	}
	models := make([]provider.Model, 0, len(installed.Models))
	for _, m := range installed.Models {
		models = append(models, provider.Model{
			Name: m.Name, Bytes: m.Size, Embedding: embeds(m),
			Loaded: slices.ContainsFunc(running.Models, func(r api.ProcessModelResponse) bool { return sameModel(r.Name, m.Name) }),
		})
	}
	return models, nil
}

// embeds tells whether a model makes vectors and no text. Servers before 0.10 list no capabilities, only the family.
func embeds(m api.ListModelResponse) bool {
	if len(m.Capabilities) > 0 {
		return slices.Contains(m.Capabilities, ollamamodel.CapabilityEmbedding) && !slices.Contains(m.Capabilities, ollamamodel.CapabilityCompletion)
	}
	return strings.Contains(m.Details.Family, "bert")
}

// sameModel compares names as Ollama does: without a tag means latest.
func sameModel(a, b string) bool {
	tagged := func(name string) string {
		if i := strings.LastIndexByte(name, ':'); i < 0 || strings.Contains(name[i:], "/") {
			return name + ":latest"
		}
		return name
	}
	return strings.EqualFold(tagged(a), tagged(b))
}

var errNoModel = errors.New("no model is installed")

// model is who answers a request.
func (p *Provider) model(ctx context.Context, c *api.Client, card string) (string, error) {
	return p.ModelFor(card, p.o.Model, func() ([]provider.Model, error) {
		models, err := list(ctx, c)
		return models, p.failure(err, "")
	}, errNoModel)
}

// thinking tells whether a model can reason before it answers. It is asked of the server once for each model.
func (p *Provider) thinking(ctx context.Context, c *api.Client, model string) (bool, error) {
	able, err := p.abilities(ctx, c, model)
	return slices.Contains(able, ollamamodel.CapabilityThinking), err
}

// Sees implements provider.Seer, by what the server says that the model can do.
func (p *Provider) Sees(ctx context.Context) (sees bool) {
	card := wire.CardOf(p.o.Cards, provider.RoleResponder)
	err := p.call(ctx, card.Model, func(ctx context.Context, c *api.Client) error {
		model, err := p.model(ctx, c, card.Model)
		if err != nil {
			return err
		}
		able, err := p.abilities(ctx, c, model)
		sees = slices.Contains(able, ollamamodel.CapabilityVision)
		return err
	})
	return err == nil && sees
}

// abilities are what a model can do. They are asked of the server once for each model.
func (p *Provider) abilities(ctx context.Context, c *api.Client, model string) ([]ollamamodel.Capability, error) {
	p.mu.Lock()
	able, asked := p.able[model]
	p.mu.Unlock()
	if asked {
		return able, nil
	}
	shown, err := c.Show(ctx, &api.ShowRequest{Model: model})
	if err != nil {
		return nil, p.failure(err, model)
	}
	p.mu.Lock()
	if p.able != nil {
		p.able[model] = shown.Capabilities
		p.far[model] = shown.RemoteHost
	}
	p.mu.Unlock()
	return shown.Capabilities, nil
}

// EmbedModel implements provider.Embedder.
func (p *Provider) EmbedModel(ctx context.Context) (string, error) {
	return wire.EmbedModel(ctx, p.o.EmbedModel, p.Models)
}

// Embed turns texts into vectors of one length, in the order given. not_available without an embedding model; otherwise
// the errors of Chat.
func (p *Provider) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return wire.Embed(ctx, p, texts)
}

// EmbedWith implements provider.Embedder.
func (p *Provider) EmbedWith(ctx context.Context, model string, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	var vectors [][]float32
	err := p.call(ctx, model, func(ctx context.Context, c *api.Client) error {
		if err := p.mayAsk(ctx, c, model); err != nil {
			return err
		}
		no := false
		r, err := c.Embed(ctx, &api.EmbedRequest{Model: model, Input: texts, KeepAlive: p.keepAlive(), Truncate: &no})
		if err != nil {
			return err
		}
		vectors = r.Embeddings
		return wire.CheckVectors(vectors, len(texts))
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}
