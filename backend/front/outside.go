package front

import (
	"context"
	"encoding/json"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/shop"
)

// outsideCommand does what is done with outside servers and what they lend.
func outsideCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	switch c.Cmd {
	case "mcp_consent":
		err := s.ConsentMCP(ctx, c.Server, c.Digest)
		return s.MCP(), err
	case "mcp_sign_in":
		return s.MCP(), s.SignInMCP(ctx, c.Server)
	case "mcp_sign_in_cancel":
		return s.MCP(), s.CancelSignInMCP(c.Server)
	case "mcp_sign_out":
		err := s.SignOutMCP(ctx, c.Server)
		return s.MCP(), err
	case "mcp_reload":
		s.ReloadMCP()
		return s.MCP(), nil
	case "mcp_prompts":
		return one("prompts", s.PromptsMCP(ctx)), nil
	case "mcp_prompt", "mcp_complete":
		which := shop.PromptChoice{Chat: c.Chat, Server: c.Server, Prompt: c.Prompt}
		if len(c.Args) > 0 && json.Unmarshal(c.Args, &which.Values) != nil {
			return nil, apperr.New(apperr.InvalidArgs, "detail", "args")
		}
		if c.Cmd == "mcp_complete" {
			return one("values", s.CompletePrompt(ctx, which, c.Field, c.Text)), nil
		}
		return prompt(ctx, s, which)
	}
	return s.MCP(), nil
}

// prompt gives what a prompt says, whole, and what stands for it in a message.
func prompt(ctx context.Context, s *shop.Shop, which shop.PromptChoice) (any, error) {
	a, err := s.AttachPrompt(ctx, which)
	if err != nil {
		return nil, err
	}
	text, err := s.PromptText(ctx, a.ID)
	return struct {
		Attachment event.Attachment `json:"attachment"`
		Text       string           `json:"text"`
	}{a, text}, err
}
