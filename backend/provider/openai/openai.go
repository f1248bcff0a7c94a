// Package openai is the interpreter behind any service that speaks OpenAI's chat API: vLLM, llama-server, LM Studio, a
// cluster down the hall. It needs little of that API, so its client is small and its own.
package openai

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"agentchat/backend/outbound"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Name is the provider's name.
const Name = "openai"

// Options say which service and model to use. Functions are asked at every call, so that settings take effect at once;
// any may be nil.
type Options struct {
	ID   string        // what the provider is called where there are several; "": Name
	Base func() string // "http://host:8000/v1"; without a path, /v1 is meant; "": none is set
	// Key is sent as a bearer token; "": none is sent. It may take its time, but not beyond ctx.
	Key        func(ctx context.Context) string
	Model      func() string // "": the first one the service lists
	EmbedModel func() string // "": the first one whose name says that it embeds

	Parallel func() int // requests under way at once; 0: 4
	// Native says whether solver requests call tools natively; "": see NativeCalls.
	Native   func() provider.CallStyle
	Cards    func(provider.Role, wire.Card) wire.Card
	Timeouts func() (connect, first, gap time.Duration)
	Line     *outbound.Line // the way out; nil leads to this computer alone
	HTTP     *http.Client   // takes the place of the line's, for tests
}

// Provider talks with one service. Safe for concurrent use.
type Provider struct {
	wire.Service

	o Options

	mu       sync.Mutex
	known    string // the base that the rest is about
	dialects map[string]dialect
	used     string // the model that answered last
	usedAt   time.Time
}

var (
	_ provider.Provider   = (*Provider)(nil)
	_ provider.Embedder   = (*Provider)(nil)
	_ provider.FormReader = (*Provider)(nil)
	_ provider.Reader     = (*Provider)(nil)
)

// New makes a provider. It does not connect yet.
func New(o Options) *Provider {
	if o.ID == "" {
		o.ID = Name
	}
	p := &Provider{o: o}
	p.HTTP = wire.NewClient(o.HTTP, o.Line)
	p.Line.Name = o.ID
	p.Line.Limits(o.Timeouts)
	return p
}

// ReadsForm implements provider.FormReader: OpenAI's own service puts the schema of a reply in front of the system block, and one
// that is not near may do so too. The servers that people run themselves make a grammar of it, which no model reads.
func (p *Provider) ReadsForm() bool {
	base, err := p.base()
	return err == nil && !near(base)
}

// near tells whether an address is this computer's or one of its own network's.
func near(base *url.URL) bool {
	host := strings.ToLower(base.Hostname())
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return host == "localhost" || !strings.Contains(host, ".") || strings.HasSuffix(host, ".local")
}

// Parallel is how many requests may be under way at once: such services batch them.
func (p *Provider) Parallel() int {
	if p.o.Parallel != nil {
		if n := p.o.Parallel(); n > 0 {
			return n
		}
	}
	return 4
}

// Secret is the key that is sent; "" when there is none.
func (p *Provider) Secret() string { return p.key(context.Background()) }

func (p *Provider) key(ctx context.Context) string {
	if p.o.Key == nil {
		return ""
	}
	return strings.TrimSpace(p.o.Key(ctx))
}

// base is the address that is set now. Another one than before makes what was learned of the old one void.
func (p *Provider) base() (*url.URL, error) {
	text := wire.Set(p.o.Base)
	base, err := parseBase(text)
	if err != nil {
		return nil, wire.Unreachable(err, p.Name())
	}
	p.mu.Lock()
	if p.known != text {
		p.Line.Breaker.Wake() // whoever failed, it was another service
	}
	if p.known != text || p.dialects == nil {
		p.Pick("")
		p.known, p.used, p.dialects = text, "", map[string]dialect{}
	}
	p.mu.Unlock()
	return base, nil
}

// parseBase reads an address the way people write it.
func parseBase(text string) (*url.URL, error) {
	if text == "" {
		return nil, errNoAddress
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	base, err := url.Parse(strings.TrimSuffix(text, "/"))
	if err != nil {
		return nil, err
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" {
		return nil, errNoAddress
	}
	base.Path = strings.TrimSuffix(base.Path, "/chat/completions")
	if base.Path == "" {
		base.Path = "/v1"
	}
	return base, nil
}

// model is who answers a request.
func (p *Provider) model(ctx context.Context, base *url.URL, card string) (string, error) {
	return p.ModelFor(card, p.o.Model, func() ([]provider.Model, error) { return p.list(ctx, base) }, errNoModel)
}
