package ollama

import (
	"context"
	"slices"

	"github.com/ollama/ollama/api"

	"agentchat/backend/provider"
)

// Details are what is worth knowing of a model before it is chosen.
type Details struct {
	Name          string   `json:"name"`
	Family        string   `json:"family,omitempty"`
	Parameters    string   `json:"parameters,omitempty"`   // "4.0B"
	Quantization  string   `json:"quantization,omitempty"` // "Q4_K_M"
	Capabilities  []string `json:"capabilities,omitempty"` // completion, tools, thinking, vision, embedding
	ContextLength int      `json:"contextLength,omitempty"`
	Bytes         int64    `json:"bytes,omitempty"` // on disk
	Memory        int64    `json:"memory,omitempty"`
	Loaded        bool     `json:"loaded,omitempty"`
	LoadedBytes   int64    `json:"loadedBytes,omitempty"`   // in memory now
	LoadedContext int      `json:"loadedContext,omitempty"` // tokens it was loaded for; 0: the server does not tell
	Embedding     bool     `json:"embedding,omitempty"`
	Thinking      bool     `json:"thinking,omitempty"`
}

// Show tells about an installed model. Memory is what it takes once loaded, with the context that is set: measured when
// it is loaded, estimated before. Errors: model_missing and those of Chat.
func (p *Provider) Show(ctx context.Context, model string) (d Details, err error) {
	err = p.call(ctx, model, func(ctx context.Context, c *api.Client) error {
		shown, err := c.Show(ctx, &api.ShowRequest{Model: model})
		if err != nil {
			return err
		}
		models, err := list(ctx, c)
		if err != nil {
			return err
		}
		running, err := c.ListRunning(ctx)
		if err != nil {
			return err
		}
		info := modelInfo(shown.ModelInfo)
		d = Details{
			Name: model, Family: shown.Details.Family, Parameters: shown.Details.ParameterSize,
			Quantization: shown.Details.QuantizationLevel, ContextLength: int(info.arch("context_length")),
		}
		for _, able := range shown.Capabilities {
			d.Capabilities = append(d.Capabilities, able.String())
		}
		d.Thinking = slices.Contains(d.Capabilities, "thinking")
		d.Embedding = slices.Contains(d.Capabilities, "embedding") && !slices.Contains(d.Capabilities, "completion")
		if i := slices.IndexFunc(models, func(m provider.Model) bool { return sameModel(m.Name, model) }); i >= 0 {
			d.Bytes = models[i].Bytes
		}
		d.Memory = Memory(d.Bytes, shown.ModelInfo, p.NumCtx())
		for _, r := range running.Models {
			if sameModel(r.Name, model) {
				d.Loaded, d.Memory, d.LoadedBytes, d.LoadedContext = true, r.Size, r.Size, r.ContextLength
			}
		}
		return nil
	})
	return d, err
}

// Memory estimates how many bytes a model takes once loaded: its weights, the attention cache for numCtx tokens at 16
// bits, and the room its computations need. info is the model_info of /api/show.
func Memory(weights int64, info map[string]any, numCtx int) int64 {
	m := modelInfo(info)
	if most := m.arch("context_length"); most > 0 {
		numCtx = min(numCtx, int(most))
	}
	heads := m.arch("attention.head_count")
	width := m.arch("embedding_length")
	perHead := m.arch("attention.key_length")
	if perHead == 0 && heads > 0 {
		perHead = width / heads
	}
	kv := m.arch("attention.head_count_kv")
	if kv == 0 {
		kv = heads
	}
	cache := 2 * 2 * m.arch("block_count") * kv * perHead * float64(numCtx)
	const fixed, batch = 150 << 20, 512
	compute := 4 * batch * (6*width + float64(numCtx))
	return weights + int64(cache+compute) + fixed
}

// modelInfo reads the numbers of a model's header.
type modelInfo map[string]any

// sizes is the part of a header that Memory reads: a whole one holds the model's vocabulary.
func (m modelInfo) sizes() map[string]any {
	small := map[string]any{"general.architecture": m["general.architecture"]}
	name, _ := m["general.architecture"].(string)
	for _, key := range []string{"context_length", "attention.head_count", "attention.head_count_kv", "attention.key_length", "embedding_length", "block_count"} {
		if v, ok := m[name+"."+key]; ok {
			small[name+"."+key] = v
		}
	}
	return small
}

// arch gives a number of the model's own architecture; the largest where it is a list with one for each layer.
func (m modelInfo) arch(key string) float64 {
	name, _ := m["general.architecture"].(string)
	switch v := m[name+"."+key].(type) {
	case float64:
		return v
	case []any:
		most := 0.0
		for _, each := range v {
			if n, ok := each.(float64); ok {
				most = max(most, n)
			}
		}
		return most
	}
	return 0
}
