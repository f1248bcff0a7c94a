package ollama

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/ollama/ollama/api"
	ollamamodel "github.com/ollama/ollama/types/model"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

var _ provider.NativeCaller = (*Provider)(nil)

// NativeCalls says whether solver requests call tools natively. Left to itself it does so only with a model whose template
// knows tools, on a server that answers several requests at once. Native tools stand at the very head of what the template
// makes of a request, in front of everything the roles share: a server with one slot would read the whole request anew
// when a todo is solved and again when it is reported (docs/adr/0005). With several slots the solver's requests keep one.
func (p *Provider) NativeCalls(ctx context.Context) bool {
	style := provider.CallStyle("")
	if p.o.Native != nil {
		style = p.o.Native()
	}
	if style == provider.CallsJSON || style == "" && p.Parallel() < 2 {
		return false
	}
	card := wire.CardOf(p.o.Cards, provider.RoleSolver)
	able := false
	err := p.call(ctx, card.Model, func(ctx context.Context, c *api.Client) error {
		model, err := p.model(ctx, c, card.Model)
		if err != nil {
			return err
		}
		abilities, err := p.abilities(ctx, c, model)
		able = slices.Contains(abilities, ollamamodel.CapabilityTools)
		return err
	})
	return err == nil && able
}

// say writes one message of a prompt.
func say(m provider.PromptMessage) (api.Message, error) {
	message := api.Message{Role: m.Role, Content: m.Text, ToolName: m.Tool, ToolCallID: m.CallID}
	for _, p := range m.Pictures {
		message.Images = append(message.Images, p.Data)
	}
	for i, c := range m.Calls {
		call := api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{Index: i, Name: c.Tool}}
		if err := json.Unmarshal(c.Arguments, &call.Function.Arguments); err != nil {
			return api.Message{}, apperr.Wrap(err, apperr.Internal)
		}
		message.ToolCalls = append(message.ToolCalls, call)
	}
	return message, nil
}

// functions writes tools as Ollama takes them. Of a schema it takes the part that its templates show.
func functions(tools []provider.PromptTool) (api.Tools, error) {
	list := make(api.Tools, len(tools))
	for i, t := range tools {
		list[i] = api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		if err := json.Unmarshal(t.Params, &list[i].Function.Parameters); err != nil {
			return nil, apperr.Wrap(err, apperr.Internal)
		}
	}
	return list, nil
}
