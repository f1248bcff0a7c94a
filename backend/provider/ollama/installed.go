package ollama

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/ollama/ollama/api"
	ollamamodel "github.com/ollama/ollama/types/model"
)

// shown is what a model's header tells. It is asked for once for each version of a model.
type shown struct {
	digest string
	info   map[string]any
	able   []ollamamodel.Capability
	tokens int
}

// Installed lists every model of the server with its details, newest first. A model whose details the server does not
// tell is listed without them. Errors are those of Models.
func (p *Provider) Installed(ctx context.Context) (list []Details, err error) {
	err = p.call(ctx, "", func(ctx context.Context, c *api.Client) error {
		installed, err := c.List(ctx)
		if err != nil {
			return err
		}
		running, err := c.ListRunning(ctx)
		if err != nil {
			return err
		}
		list = make([]Details, 0, len(installed.Models))
		for _, m := range installed.Models {
			list = append(list, p.detail(ctx, c, m, running.Models))
		}
		return ctx.Err()
	})
	return list, err
}

func (p *Provider) detail(ctx context.Context, c *api.Client, m api.ListModelResponse, running []api.ProcessModelResponse) Details {
	d := Details{
		Name: m.Name, Family: m.Details.Family, Parameters: m.Details.ParameterSize, Quantization: m.Details.QuantizationLevel, Bytes: m.Size,
		Embedding: embeds(m),
	}
	able := m.Capabilities
	if h, err := p.header(ctx, c, m.Name, m.Digest); err == nil {
		d.ContextLength, able = h.tokens, h.able
		d.Memory = Memory(m.Size, h.info, p.NumCtx())
	}
	for _, a := range able {
		d.Capabilities = append(d.Capabilities, a.String())
	}
	d.Thinking = slices.Contains(able, ollamamodel.CapabilityThinking)
	if i := slices.IndexFunc(running, func(r api.ProcessModelResponse) bool { return sameModel(r.Name, m.Name) }); i >= 0 {
		d.Loaded, d.LoadedBytes, d.LoadedContext = true, running[i].Size, running[i].ContextLength
	}
	return d
}

// header asks for a model's header, or remembers it.
func (p *Provider) header(ctx context.Context, c *api.Client, model, digest string) (shown, error) {
	p.mu.Lock()
	known, ok := p.shown[model]
	p.mu.Unlock()
	if ok && known.digest == digest {
		return known, nil
	}
	r, err := c.Show(ctx, &api.ShowRequest{Model: model})
	if err != nil {
		return shown{}, err
	}
	h := shown{digest: digest, info: modelInfo(r.ModelInfo).sizes(), able: r.Capabilities}
	h.tokens = int(modelInfo(h.info).arch("context_length"))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown == nil {
		p.shown = map[string]shown{}
	}
	p.shown[model] = h
	return h, nil
}

// SameModel compares two names as Ollama does: without a tag means latest.
func SameModel(a, b string) bool { return sameModel(a, b) }

// ValidName tells whether a name could be a model's: "qwen3:4b", "bge-m3", "hf.co/someone/model:Q4_K_M". What Ollama would
// read as an address or a digest is none.
func ValidName(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII || r == '\\' || r == '@' }
	return len(name) <= 256 && !strings.ContainsFunc(name, odd) && !strings.Contains(name, "://") && ollamamodel.ParseName(name).IsValid()
}
