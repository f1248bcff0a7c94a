package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// maxLessons bounds how often one request may find out that the service knows less than was hoped.
const maxLessons = 5

// Chat answers one request. Besides the errors of the contract there is provider_refused, when the service puts its trouble
// into words. On an error the reply holds what had arrived by then.
func (p *Provider) Chat(ctx context.Context, req provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	return p.ask(ctx, req, wire.CardFor(p.o.Cards, p.Name(), req), on)
}

// inUse is how long a service that answered is taken to have its model in memory: there is no asking it.
const inUse = 5 * time.Minute

// Read implements provider.Reader, for a service that is near and in use: the model reads the request and writes one token, which
// nobody hears. Elsewhere reading costs money, and nobody knows for whom it is kept.
func (p *Provider) Read(ctx context.Context, req provider.Request) (reply provider.Reply, ok bool, err error) {
	base, err := p.base()
	if err != nil || !near(base) {
		return reply, false, nil
	}
	card := wire.CardFor(p.o.Cards, p.Name(), req)
	model, err := p.model(ctx, base, card.Model)
	if err != nil || !p.uses(model) {
		return reply, false, nil
	}
	return wire.ReadAhead(card, func(card wire.Card) (provider.Reply, error) { return p.ask(ctx, req, card, nil) })
}

// uses tells whether a model has answered just now.
func (p *Provider) uses(model string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used == model && time.Since(p.usedAt) < inUse
}

func (p *Provider) ask(ctx context.Context, req provider.Request, card wire.Card, on func(provider.Delta)) (provider.Reply, error) {
	reader := provider.Adapter{}
	prompt := reader.NormalizePrompt(req)
	question := wire.Question{Card: card, Structured: len(prompt.Format) > 0, Patience: req.Patience, On: on}
	return p.Line.Ask(ctx, question, func(ctx context.Context, answer *wire.Answer) error {
		base, err := p.base()
		if err != nil {
			return err
		}
		model, err := p.model(ctx, base, card.Model)
		if err != nil {
			return err
		}
		answer.Model(model)
		for range maxLessons {
			how := p.dialect(model)
			if how.noTools && len(prompt.Tools) > 0 {
				req.Native, req.Sent = false, nil // the same request for a service that has no calls of its own
				req.Schema = provider.SolveSchema
				prompt = reader.NormalizePrompt(req)
			}
			err = p.converse(ctx, base, how.request(model, card, prompt), model, answer)
			var refusal *refusal
			if !errors.As(err, &refusal) || p.turnsDown(refusal, model, prompt) || !how.learn(refusal) {
				break
			}
			p.setDialect(model, how)
		}
		if err == nil {
			p.mu.Lock()
			p.used, p.usedAt = model, time.Now()
			p.mu.Unlock()
		}
		return p.failure(err, model)
	})
}

// converse sends one request and hears the answer out.
func (p *Provider) converse(ctx context.Context, base *url.URL, request chatRequest, model string, answer *wire.Answer) error {
	resp, err := p.send(ctx, http.MethodPost, base.JoinPath("chat", "completions"), request)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	h := chunkReader{answer: answer, model: model}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") { // a service that does not stream
		var whole chatChunk
		if err := json.NewDecoder(resp.Body).Decode(&whole); err != nil {
			return wire.Bad(err)
		}
		if err := h.take(whole); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}
	return events(resp.Body, h.data)
}

// chatChunk is one event of a stream, or the whole answer of a service that does not stream.
type chatChunk struct {
	Choices []struct {
		Delta        chatPiece `json:"delta"`
		Message      chatPiece `json:"message"`
		FinishReason string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		In      int `json:"prompt_tokens"`
		Out     int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// chatPiece is text. Services do not agree on the name of reasoning.
type chatPiece struct {
	Content          string `json:"content"`
	ReasoningContent string `json:"reasoning_content"`
	Reasoning        string `json:"reasoning"`
	ToolCalls        []struct {
		Index    *int         `json:"index"`
		Function functionCall `json:"function"`
	} `json:"tool_calls"`
}

// chunkReader puts the events of one stream into an answer.
type chunkReader struct {
	answer *wire.Answer
	model  string
}

// data takes the data of one event; io.EOF means that it was the last one.
func (h chunkReader) data(data []byte) error {
	if string(data) == "[DONE]" {
		h.answer.Finish()
		return io.EOF
	}
	var chunk chatChunk
	if err := json.Unmarshal(data, &chunk); err != nil {
		return wire.Bad(err)
	}
	return h.take(chunk)
}

func (h chunkReader) take(chunk chatChunk) error {
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		return readRefusal(http.StatusInternalServerError, chunk.Error, true)
	}
	if u := chunk.Usage; u != nil {
		h.answer.Count(u.In, u.Details.Cached, u.Out)
	}
	if len(chunk.Choices) == 0 {
		return nil
	}
	choice := chunk.Choices[0]
	for _, piece := range []chatPiece{choice.Delta, choice.Message} {
		thought := piece.ReasoningContent
		if thought == "" {
			thought = piece.Reasoning
		}
		if err := h.answer.Thinking(thought); err != nil {
			return err
		}
		if err := h.answer.Text(piece.Content); err != nil {
			return err
		}
		for _, c := range piece.ToolCalls {
			number := h.answer.Calls() // a service that does not number its calls gives each whole
			if c.Index != nil {
				number = *c.Index
			}
			if err := h.answer.Call(number, c.Function.Name, c.Function.Arguments); err != nil {
				return err
			}
		}
	}
	if choice.FinishReason != "" {
		h.answer.Done(choice.FinishReason)
	}
	return nil
}
