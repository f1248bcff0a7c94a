// Package ollama is the interpreter behind an Ollama server, through Ollama's own client. It is the only package that
// knows that client.
package ollama

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ollama/ollama/api"
	ollamamodel "github.com/ollama/ollama/types/model"

	"agentchat/backend/apperr"
	"agentchat/backend/outbound"
	"agentchat/backend/provider"
	"agentchat/backend/provider/wire"
)

// Name is the provider's name.
const Name = "ollama"

// Defaults of Options.
const (
	DefaultHost      = "127.0.0.1:11434"
	DefaultNumCtx    = 8192
	DefaultKeepAlive = 30 * time.Minute
)

// Options say which server and model to use, and how. Functions are asked at every call, so that settings take effect at
// once; any may be nil.
type Options struct {
	ID         string        // what the provider is called where there are several; "": Name
	Host       func() string // "host:port" or a URL; "": DefaultHost
	Usual      string        // where Ollama is when nobody chose another address; "": DefaultHost
	Model      func() string // "": the loaded model, else the newest one
	EmbedModel func() string // "": the first model that embeds

	// The runner options. They are the same for every role: another value makes the server load the model again.
	NumCtx    func() int           // tokens a request and its answer may have together; 0: DefaultNumCtx
	NumThread int                  // 0: the server decides
	KeepAlive func() time.Duration // how long the model stays in memory after a request; 0: DefaultKeepAlive

	// Key goes with every call, for a server behind a door of its own; "": none does. nil: there is none.
	Key func(ctx context.Context) string

	Parallel func() int // requests the server answers at once (its OLLAMA_NUM_PARALLEL); 0: 1
	// Native says whether solver requests call tools natively; "": see NativeCalls.
	Native   func() provider.CallStyle
	Cards    func(provider.Role, wire.Card) wire.Card
	Timeouts func() (connect, first, gap time.Duration)
	Line     *outbound.Line // the way out; nil leads to this computer alone
	HTTP     *http.Client   // takes the place of the line's, for tests

	// Seen hears which models there are whenever Status finds out; it must return at once.
	Seen func([]provider.Model)

	// LookPath finds a program on this machine; nil: exec.LookPath and the places Ollama's installers use.
	LookPath func(program string) (string, error)
}

// Provider talks with one Ollama server. Safe for concurrent use.
type Provider struct {
	wire.Service

	o       Options
	loading atomic.Int32 // calls of Load that are under way
	talks   talks

	mu    sync.Mutex
	known string                              // the host that the rest is about
	able  map[string][]ollamamodel.Capability // by model: what it can do
	far   map[string]string                   // by model: where it really runs, "": on the server
	shown map[string]shown
	hot   string // the model that answered last
	hotAt time.Time
}

var (
	_ provider.Provider = (*Provider)(nil)
	_ provider.Embedder = (*Provider)(nil)
	_ provider.Reader   = (*Provider)(nil)
	_ provider.Seer     = (*Provider)(nil)
)

// New makes a provider. It does not connect yet.
func New(o Options) *Provider {
	if o.ID == "" {
		o.ID = Name
	}
	p := &Provider{o: o}
	p.HTTP = wire.Keyed(wire.NewClient(o.HTTP, o.Line), o.Key)
	p.Line.Name = o.ID
	p.Line.Limits(o.Timeouts)
	return p
}

// Secret is the key that is sent; "" when there is none.
func (p *Provider) Secret() string {
	if p.o.Key == nil {
		return ""
	}
	return p.o.Key(context.Background())
}

// Parallel is how many requests the server was set up to answer at once.
func (p *Provider) Parallel() int {
	if p.o.Parallel == nil {
		return 1
	}
	return max(p.o.Parallel(), 1)
}

// NumCtx is how many tokens a request and its answer may have together.
func (p *Provider) NumCtx() int {
	if p.o.NumCtx != nil {
		if n := p.o.NumCtx(); n > 0 {
			return n
		}
	}
	return DefaultNumCtx
}

// client speaks to the host that is set now. Another host than before makes what was learned of the old one void.
func (p *Provider) client() (*api.Client, *url.URL, error) {
	host := wire.Set(p.o.Host)
	base, err := parseHost(host)
	if err != nil {
		return nil, nil, wire.Unreachable(err, p.Name())
	}
	p.mu.Lock()
	if p.known != host {
		p.Line.Breaker.Wake() // whoever failed, it was another server
		p.shown = nil
	}
	if p.known != host || p.able == nil {
		p.Pick("")
		p.known, p.able, p.far = host, map[string][]ollamamodel.Capability{}, map[string]string{}
	}
	p.mu.Unlock()
	return api.NewClient(base, p.HTTP), base, nil
}

// forget drops what was learned of the models.
func (p *Provider) forget() {
	p.mu.Lock()
	p.Pick("")
	p.able = nil
	p.mu.Unlock()
}

// parseHost reads an address the way people write it. An address that only a server can listen on becomes loopback.
func parseHost(host string) (*url.URL, error) {
	if host == "" {
		host = DefaultHost
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	base, err := url.Parse(host)
	if err != nil {
		return nil, err
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" {
		return nil, &url.Error{Op: "parse", URL: host, Err: errNoAddress}
	}
	name, port := base.Hostname(), base.Port()
	if ip := net.ParseIP(name); ip != nil && ip.IsUnspecified() {
		name = "127.0.0.1"
		if ip.To4() == nil {
			name = "::1"
		}
	}
	if port == "" && base.Scheme == "http" {
		port = "11434"
	}
	switch {
	case port != "":
		base.Host = net.JoinHostPort(name, port)
	case strings.Contains(name, ":"):
		base.Host = "[" + name + "]"
	default:
		base.Host = name
	}
	return base, nil
}

func loopback(base *url.URL) bool {
	ip := net.ParseIP(base.Hostname())
	return strings.EqualFold(base.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
}

// call makes one bounded call that is not a request.
func (p *Provider) call(ctx context.Context, model string, do func(context.Context, *api.Client) error) error {
	client, _, err := p.client()
	if err != nil {
		return apperr.From(err)
	}
	return p.Line.Call(ctx, func(ctx context.Context) error { return p.failure(do(ctx, client), model) })
}
