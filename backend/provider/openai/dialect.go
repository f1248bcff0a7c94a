package openai

import (
	"encoding/base64"
	"encoding/json"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// dialect is what a service was found not to know. The zero value hopes for everything.
type dialect struct {
	format      int // 0: a JSON schema, 1: any JSON object, 2: no format at all
	noUsage     bool
	newLimits   bool // max_completion_tokens instead of max_tokens
	noTempering bool
	noTools     bool // a request with native calls cannot be sent
	blind       bool // a request with pictures cannot be sent
}

func (p *Provider) dialect(model string) dialect {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialects[model]
}

func (p *Provider) setDialect(model string, d dialect) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dialects != nil {
		p.dialects[model] = d
	}
}

type chatRequest struct {
	Model          string         `json:"model"`
	Messages       []chatMessage  `json:"messages"`
	Stream         bool           `json:"stream"`
	StreamOptions  *streamOptions `json:"stream_options,omitempty"`
	Temperature    *float64       `json:"temperature,omitempty"`
	MaxTokens      int            `json:"max_tokens,omitempty"`
	MaxNewTokens   int            `json:"max_completion_tokens,omitempty"`
	ResponseFormat *format        `json:"response_format,omitempty"`
	Tools          []function     `json:"tools,omitempty"`
}

type chatMessage struct {
	Role      string     `json:"role"`
	Content   any        `json:"content"` // text, or a list of parts
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	ToolCall  string     `json:"tool_call_id,omitempty"`
}

// part is one piece of a message that is not text alone.
type part struct {
	Type  string   `json:"type"`
	Text  string   `json:"text,omitempty"`
	Image *address `json:"image_url,omitempty"`
}

type address struct {
	URL string `json:"url"`
}

// content is what a message holds: its text, or with pictures a list.
func content(m provider.PromptMessage) any {
	if len(m.Pictures) == 0 {
		return m.Text
	}
	parts := []part{{Type: "text", Text: m.Text}}
	for _, p := range m.Pictures {
		parts = append(parts, part{Type: "image_url", Image: &address{"data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(p.Data)}})
	}
	return parts
}

type function struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type format struct {
	Type   string      `json:"type"`
	Schema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// request writes a prompt in the dialect.
func (d dialect) request(model string, card wire.Card, prompt provider.Prompt) chatRequest {
	r := chatRequest{Model: model, Stream: true}
	r.Messages = append(r.Messages, chatMessage{Role: "system", Content: prompt.System})
	for _, m := range prompt.Messages {
		message := chatMessage{Role: m.Role, Content: content(m), ToolCall: m.CallID}
		for _, c := range m.Calls {
			message.ToolCalls = append(message.ToolCalls, toolCall{c.ID, "function", functionCall{c.Tool, string(c.Arguments)}})
		}
		r.Messages = append(r.Messages, message)
	}
	for _, t := range prompt.Tools {
		f := function{Type: "function"}
		f.Function.Name, f.Function.Description, f.Function.Parameters = t.Name, t.Description, t.Params
		r.Tools = append(r.Tools, f)
	}
	if !d.noUsage {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if !d.noTempering {
		r.Temperature = &card.Temperature
	}
	if d.newLimits {
		r.MaxNewTokens = card.MaxTokens
	} else {
		r.MaxTokens = card.MaxTokens
	}
	if len(prompt.Format) > 0 {
		switch d.format {
		case 0:
			r.ResponseFormat = &format{Type: "json_schema", Schema: &jsonSchema{Name: "answer", Schema: prompt.Format}}
		case 1:
			r.ResponseFormat = &format{Type: "json_object"}
		}
	}
	return r
}

// learn gives up what a refusal complains about. It is false when nothing is left to give up.
func (d *dialect) learn(r *refusal) bool {
	if r.inStream || r.status != 400 && r.status != 422 && r.status != 501 || r.tooLong() {
		return false
	}
	switch about := r.about; {
	case about("tools", "tool_choice", "tool call", "function call") && !d.noTools:
		d.noTools = true
	case about("response_format", "json_schema", "json_object", "grammar", "schema", "guided") && d.format < 2:
		d.format++
	case about("stream_options", "include_usage") && !d.noUsage:
		d.noUsage = true
	case about("max_tokens") && !d.newLimits:
		d.newLimits = true
	case about("temperature") && !d.noTempering:
		d.noTempering = true
	default:
		return false
	}
	return true
}
