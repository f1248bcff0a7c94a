package ollama

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ollama/ollama/api"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// errDone ends a stream at its last message, whatever the server would send behind it.
var errDone = errors.New("done")

// Chat answers one request. Besides the errors of the contract there is provider_refused, when the server puts its trouble
// into words. On an error the reply holds what had arrived by then.
func (p *Provider) Chat(ctx context.Context, req provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	return p.ask(ctx, req, wire.CardFor(p.o.Cards, p.Name(), req), on)
}

// Read implements provider.Reader: the model reads the request and writes one token, which nobody hears.
func (p *Provider) Read(ctx context.Context, req provider.Request) (reply provider.Reply, ok bool, err error) {
	card := wire.CardFor(p.o.Cards, p.Name(), req)
	err = p.call(ctx, card.Model, func(ctx context.Context, c *api.Client) error {
		model, err := p.model(ctx, c, card.Model)
		if err == nil {
			ok, err = inMemory(ctx, c, model)
		}
		return err
	})
	if err != nil || !ok {
		return reply, false, err
	}
	return wire.ReadAhead(card, func(card wire.Card) (provider.Reply, error) { return p.ask(ctx, req, card, nil) })
}

func (p *Provider) ask(ctx context.Context, req provider.Request, card wire.Card, on func(provider.Delta)) (provider.Reply, error) {
	prompt := provider.Adapter{}.NormalizePrompt(req)
	question := wire.Question{Card: card, Structured: len(prompt.Format) > 0, Patience: req.Patience, On: on}
	_ = p.talks.wait(ctx) // not on the clock of the connection; Ask looks at ctx itself
	return p.Line.Ask(ctx, question, func(ctx context.Context, answer *wire.Answer) error {
		client, base, err := p.client()
		if err != nil {
			return err
		}
		model, err := p.model(ctx, client, card.Model)
		if err != nil {
			return err
		}
		if err := p.mayAsk(ctx, client, model); err != nil {
			return err
		}
		request, err := p.request(ctx, client, model, card, prompt)
		if err != nil {
			return err
		}
		answer.Model(model)
		loads := p.cold(ctx, client, model)
		if loads {
			defer p.lookOn(ctx, client, model, answer)()
		}
		err = p.converse(ctx, base, request, loads, func(r api.ChatResponse) error { return onChunk(answer, r) })
		if errors.Is(err, errDone) {
			p.warm(model)
			return nil
		}
		return p.failure(err, model)
	})
}

// request writes a prompt for Ollama. Nothing but the card's sampling differs from request to request, or the server would
// load the model again or read the whole prompt again.
func (p *Provider) request(ctx context.Context, client *api.Client, model string, card wire.Card, prompt provider.Prompt) (r *api.ChatRequest, err error) {
	no := false
	options := p.runner()
	options["temperature"] = card.Temperature
	if card.MaxTokens > 0 {
		options["num_predict"] = card.MaxTokens
	}
	r = &api.ChatRequest{
		Model: model, Format: prompt.Format, KeepAlive: p.keepAlive(), Options: options,
		Truncate: &no, Shift: &no, // never silently forget: the app keeps its own budget
	}
	r.Messages = append(r.Messages, api.Message{Role: "system", Content: prompt.System})
	for _, m := range prompt.Messages {
		message, err := say(m)
		if err != nil {
			return nil, err
		}
		r.Messages = append(r.Messages, message)
	}
	if len(prompt.Tools) > 0 {
		if r.Tools, err = functions(prompt.Tools); err != nil {
			return nil, err
		}
	}
	thinks, err := p.thinking(ctx, client, model)
	if err != nil {
		return nil, err
	}
	if thinks {
		r.Think = &api.ThinkValue{Value: false}
	}
	return r, nil
}

// runner are the options that decide how the server loads a model.
func (p *Provider) runner() map[string]any {
	options := map[string]any{"num_ctx": p.NumCtx()}
	if p.o.NumThread > 0 {
		options["num_thread"] = p.o.NumThread
	}
	return options
}

func (p *Provider) keepAlive() *api.Duration {
	keep := DefaultKeepAlive
	if p.o.KeepAlive != nil {
		if set := p.o.KeepAlive(); set > 0 {
			keep = set
		}
	}
	return &api.Duration{Duration: keep}
}

func onChunk(answer *wire.Answer, r api.ChatResponse) error {
	if err := answer.Thinking(r.Message.Thinking); err != nil {
		return err
	}
	if err := answer.Text(r.Message.Content); err != nil {
		return err
	}
	for _, c := range r.Message.ToolCalls {
		arguments, err := json.Marshal(c.Function.Arguments)
		if err != nil {
			return wire.Bad(err)
		}
		// Ollama gives every call whole and does not number them reliably: each is one of its own.
		if err := answer.Call(answer.Calls(), c.Function.Name, string(arguments)); err != nil {
			return err
		}
	}
	if !r.Done {
		return nil
	}
	cached := 0
	if r.PromptEvalCachedCount != nil {
		cached = *r.PromptEvalCachedCount
	}
	answer.Count(r.PromptEvalCount, cached, r.EvalCount)
	answer.Done(r.DoneReason)
	return errDone
}
