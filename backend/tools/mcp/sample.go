package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
)

// What a server may ask a model for.
const (
	maxPrompt   = 8000 // characters of all its words: a person reads them before they go
	maxMessages = 50
	// MostSampled is how many tokens the answer may have, whatever the server wants.
	MostSampled = 1024
)

// codeRefused is how the protocol's own examples number a refusal of a person.
const codeRefused = -1

// Sampled is what a model wrote for a server. Cut says that it would have gone on.
type Sampled struct {
	Text, Model string
	Cut         bool
}

// asking is what the server may ask for: a form to be filled in, and words of a model where a person allowed it.
func (v *server) asking() asking {
	a := asking{elicit: v.elicit, prompts: func() { v.opt.Changed(v.Name) }}
	if v.Sampling && v.opt.Sample != nil {
		a.sample = v.sample
	}
	return a
}

// sample shows a person what the server asks a model for and gives it what the model wrote, if they let it. Outside of a call, while another question of the
// server waits, after many of one call, and what is too long or no text, is refused, with the reason.
func (v *server) sample(ctx context.Context, x *session, p *sdk.CreateMessageParams) (*sdk.CreateMessageResult, error) {
	refuse := func(why string) (*sdk.CreateMessageResult, error) {
		v.log.Info().Str("why", why).Msg("a request of an outside server for words of a model was refused")
		return nil, &jsonrpc.Error{Code: codeRefused, Message: why}
	}
	prompt, why := v.promptOf(p)
	if why != "" {
		return refuse(why)
	}
	mark, _ := p.Meta[markName].(string)
	of := x.asks(mark)
	if len(of) == 0 {
		return refuse("words of a model may be asked for in the middle of a call alone, one at a time and at most 20 times in a call")
	}
	ctx, q, over := v.question(ctx, x, of)
	defer over()
	q.Prompt = prompt
	newest := of[len(of)-1]
	tell := func(text bilingual.Text) { // in the log of the call: that is where a person looks for what became of it
		for line := range strings.SplitSeq(text.In(q.Lang), "\n") {
			newest.call.Log("info", newest.tool+": "+brief.Cut(line, maxQuestion))
		}
	}
	wrote, err := v.opt.Sample(ctx, q)
	if err != nil {
		reason := apperr.From(err)
		tell(bilingual.Text{KO: "모델의 글을 서버에 주지 않았어요. " + reason.Text(bilingual.KO), EN: "The server got no words of the model. " + reason.Text(bilingual.EN)})
		return refuse(reason.Text(bilingual.EN))
	}
	text := v.cover().known(wrote.Text)
	tell(bilingual.Text{KO: "모델(" + wrote.Model + ")이 쓴 이 글이 서버로 갔어요:\n" + text, EN: "These words of the model " + wrote.Model + " went to the server:\n" + text})
	out := &sdk.CreateMessageResult{Content: &sdk.TextContent{Text: text}, Model: wrote.Model, Role: "assistant", StopReason: "endTurn"}
	if wrote.Cut {
		out.StopReason = "maxTokens"
	}
	return out, nil
}

// promptOf is what a server asks a model for, as a person is shown it: all of it, or it is refused, and why says so.
func (v *server) promptOf(p *sdk.CreateMessageParams) (prompt *event.AskPrompt, why string) {
	clean := func(text string) string { return strings.TrimSpace(v.cover().known(visible(text))) }
	prompt = &event.AskPrompt{System: clean(p.SystemPrompt), Messages: []event.AskPromptMessage{}, Most: MostSampled}
	if p.MaxTokens > 0 {
		prompt.Most = int(min(p.MaxTokens, MostSampled))
	}
	if len(p.Messages) == 0 || len(p.Messages) > maxMessages {
		return nil, fmt.Sprintf("between 1 and %d messages are needed", maxMessages)
	}
	long := utf8.RuneCountInString(prompt.System)
	for _, m := range p.Messages {
		text, ok := m.Content.(*sdk.TextContent)
		if !ok || m.Role != "user" && m.Role != "assistant" {
			return nil, "only text of user and assistant is taken"
		}
		said := clean(text.Text)
		long += utf8.RuneCountInString(said)
		prompt.Messages = append(prompt.Messages, event.AskPromptMessage{Assistant: m.Role == "assistant", Text: said})
	}
	if long > maxPrompt {
		return nil, fmt.Sprintf("the prompt is too long: at most %d characters", maxPrompt)
	}
	return prompt, ""
}
