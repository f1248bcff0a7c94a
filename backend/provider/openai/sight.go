package openai

import (
	"context"
	"slices"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

var _ provider.Seer = (*Provider)(nil)

// listedModel is a model as services list it. Only its id is in every list; what it takes is said by some, each in its own way.
type listedModel struct {
	ID           string   `json:"id"`
	Type         string   `json:"type"`         // LM Studio: vlm
	Capabilities any      `json:"capabilities"` // llama.cpp: a list; Mistral: an object
	Modalities   []string `json:"input_modalities"`
	Architecture struct {
		Modalities []string `json:"input_modalities"` // OpenRouter
	} `json:"architecture"`
}

// sight is what is known of whether a model looks at pictures.
type sight int

const (
	untold sight = iota
	seeing
	blind
)

// sight says what the list tells of it.
func (m listedModel) sight() sight {
	told := sight(untold)
	note := func(sees bool) {
		if sees {
			told = seeing
		} else if told == untold {
			told = blind
		}
	}
	for _, takes := range [][]string{m.Modalities, m.Architecture.Modalities} {
		if len(takes) > 0 {
			note(slices.Contains(takes, "image"))
		}
	}
	switch able := m.Capabilities.(type) {
	case []any:
		note(slices.ContainsFunc(able, func(a any) bool { return a == "vision" || a == "multimodal" || a == "image" }))
	case map[string]any:
		if sees, said := able["vision"].(bool); said {
			note(sees)
		}
	}
	if m.Type == "vlm" {
		note(true)
	}
	return told
}

// Sees implements provider.Seer, by what the service's list says of the model. Of one that the list says nothing of it is true until the
// service turns a picture down.
func (p *Provider) Sees(ctx context.Context) bool {
	base, err := p.base()
	if err != nil {
		return false
	}
	model, err := p.model(ctx, base, wire.CardOf(p.o.Cards, provider.RoleResponder).Model)
	if err != nil || p.dialect(model).blind {
		return false
	}
	told := untold
	err = p.Line.Call(ctx, func(ctx context.Context) error {
		models, err := p.listed(ctx, base)
		for _, m := range models {
			if m.ID == model {
				told = m.sight()
			}
		}
		return err
	})
	return err == nil && told != blind
}

// turnsDown notes that a service turned a request down because of its pictures.
func (p *Provider) turnsDown(r *refusal, model string, prompt provider.Prompt) bool {
	pictures := slices.ContainsFunc(prompt.Messages, func(m provider.PromptMessage) bool { return len(m.Pictures) > 0 })
	if !pictures || !r.about("image", "vision", "multimodal", "mmproj", "content type") {
		return false
	}
	how := p.dialect(model)
	how.blind = true
	p.setDialect(model, how)
	return true
}
