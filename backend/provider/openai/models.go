package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Models lists what the service serves. Errors are those of Chat.
func (p *Provider) Models(ctx context.Context) (models []provider.Model, err error) {
	base, err := p.base()
	if err != nil {
		return nil, apperr.From(err)
	}
	err = p.Line.Call(ctx, func(ctx context.Context) error {
		models, err = p.list(ctx, base)
		return err
	})
	return models, err
}

var errNoList = errors.New("the answer is no list of models")

func (p *Provider) list(ctx context.Context, base *url.URL) ([]provider.Model, error) {
	listed, err := p.listed(ctx, base)
	models := make([]provider.Model, 0, len(listed))
	for _, m := range listed {
		models = append(models, provider.Model{Name: m.ID, Loaded: true, Embedding: embeds(m.ID)})
	}
	return models, err
}

func (p *Provider) listed(ctx context.Context, base *url.URL) ([]listedModel, error) {
	resp, err := p.send(ctx, http.MethodGet, base.JoinPath("models"), nil)
	if err != nil {
		return nil, p.failure(err, "")
	}
	defer func() { _ = resp.Body.Close() }()
	var listed struct {
		Data []listedModel `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&listed); err != nil {
		return nil, wire.Unreachable(errors.Join(errNoList, err), p.Name())
	}
	if listed.Data == nil {
		return nil, wire.Unreachable(errNoList, p.Name())
	}
	return listed.Data, nil
}

// embeds guesses from a name: the API does not tell.
func embeds(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"embed", "bge-", "e5-", "gte-", "minilm"}, func(sign string) bool { return strings.Contains(name, sign) })
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
	base, err := p.base()
	if err != nil {
		return nil, apperr.From(err)
	}
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	var vectors [][]float32
	err = p.Line.Call(ctx, func(ctx context.Context) (err error) {
		vectors, err = p.embed(ctx, base, model, texts)
		return p.failure(err, model)
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

func (p *Provider) embed(ctx context.Context, base *url.URL, model string, texts []string) ([][]float32, error) {
	resp, err := p.send(ctx, http.MethodPost, base.JoinPath("embeddings"), map[string]any{"model": model, "input": texts})
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return nil, wire.Bad(err)
	}
	vectors := make([][]float32, len(texts))
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
			return nil, wire.Bad(fmt.Errorf("a vector for text %d of %d", d.Index, len(texts)))
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, wire.CheckVectors(vectors, len(texts))
}
