// Package builtin is the phrasebook interpreter: a provider without a model and without a network. It reads a request like any other
// provider, matches the request against the tool cards in it, fills arguments with slot grammars and answers in the same JSON. It
// knows language — speech acts, politeness, particles, numerals, typing slips — and takes everything about tools from their cards.
package builtin

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/told"
	"agentchat/backend/names"
	"agentchat/backend/provider"
)

// Name is the provider's name, and that of its only model.
const Name = "builtin"

// Provider is the phrasebook interpreter. The zero value is ready and safe for concurrent use.
type Provider struct {
	Names names.Rooms // the names there are; set before the first use

	catalogs catalogs
	patterns sync.Map // by its text, a compiled pattern of a service
}

var _ provider.Provider = (*Provider)(nil)

// New makes a phrasebook interpreter.
func New() *Provider { return &Provider{} }

// Name is "builtin".
func (p *Provider) Name() string { return Name }

// Parallel is generous: a request takes well under a millisecond of one core.
func (p *Provider) Parallel() int { return 16 }

// Models lists the phrasebook itself.
func (p *Provider) Models(ctx context.Context) ([]provider.Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, apperr.From(err)
	}
	return []provider.Model{{Name: Name, Loaded: true}}, nil
}

// Status is always ok.
func (p *Provider) Status(context.Context) provider.Status {
	return provider.Status{Health: provider.HealthOK, Model: Name}
}

// Embed is not available: a phrasebook has no vectors.
func (p *Provider) Embed(context.Context, []string) ([][]float32, error) {
	return nil, apperr.New(apperr.NotAvailable, "what", "embed")
}

// Chat answers one request. The only error is that ctx ended.
func (p *Provider) Chat(ctx context.Context, req provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	began := time.Now()
	if err := ctx.Err(); err != nil {
		return provider.Reply{}, apperr.From(err)
	}
	text, calls := p.answer(req)
	first := time.Since(began)
	for piece := range pieces(text) {
		if err := ctx.Err(); err != nil {
			return provider.Reply{}, apperr.From(err)
		}
		if on != nil {
			on(provider.Delta{Text: piece})
		}
	}
	return provider.Reply{Text: text, Calls: calls, FirstToken: first, Elapsed: time.Since(began), DoneReason: "stop"}, nil
}

// answer writes the reply by role. A solver's request that lets it call tools may get calls.
func (p *Provider) answer(req provider.Request) (string, []provider.RawCall) {
	if req.Lang != bilingual.EN {
		req.Lang = bilingual.KO
	}
	if req.Now.IsZero() {
		req.Now = time.Now()
	}
	cat := p.catalogs.of(req.Tools, p.Names)
	if req.Role == provider.RoleSolver && (req.Native || len(req.Schema) > 0) {
		return said(cat.solution(req), req.Native)
	}
	return p.words(cat, req), nil
}

// words writes the replies that are nothing but text.
func (p *Provider) words(cat *catalog, req provider.Request) string {
	if req.Role == provider.RolePlanner || req.Role == provider.RoleIntent || req.Role == provider.RoleSlot {
		req.Message = told.Order(req.Message) // what is told before an order is not read with it
	}
	switch req.Role {
	case provider.RolePlanner:
		return write(cat.plan(req))
	case provider.RoleToolChooser:
		return write(cat.choose(req))
	case provider.RoleIntent:
		if req.State.Counter != nil {
			return write(p.service(cat, req))
		}
		return write(cat.intent(req))
	case provider.RoleSlot:
		return write(slots(req))
	case provider.RoleSolver:
		return cat.solve(req)
	case provider.RoleSummarizer:
		return summarize(req)
	case provider.RoleReporter:
		return report(req)
	case provider.RoleResponder:
		return quote(req)
	case provider.RoleOutside, provider.RolePrompt:
		return "" // a phrasebook has no words for strangers or what they ask for, and is never asked for them
	case provider.RoleLibrarian:
		return "{}" // fits no form: the library's own rules know more of documents than a phrasebook
	}
	return cat.solve(req)
}

// write encodes one of our own structs, which always encode.
func write(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "{}"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// pieces cuts a reply as a service would stream it: a few runes at a time, at spaces where there are any.
func pieces(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := strings.IndexByte(text[min(len(text), 1):], ' ') + 2
			if n < 2 || n > 48 {
				n = min(len(text), 48)
			}
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
