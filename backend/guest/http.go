package guest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/pairing"
)

// Path is where guests call on this computer.
const Path = "/mcp"

// idle is how long a session that nothing is heard of is kept.
const idle = time.Hour

// Counter is the door on this computer's own network for guests. It is closed until it is opened. Safe for concurrent use.
type Counter struct {
	book *Book

	mu     sync.Mutex
	server *http.Server
	at     string
	end    context.CancelFunc // of its sessions
}

// NewCounter makes a closed one.
func NewCounter(b *Book) *Counter { return &Counter{book: b} }

// Open listens on a port of this computer's, and nowhere else; 0 takes any that is free. Errors: of the network.
func (c *Counter) Open(port int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server != nil {
		return nil
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	c.at = l.Addr().String()
	over, end := context.WithCancel(context.Background())
	c.end = end
	c.server = &http.Server{
		Handler: c.book.handlerAt(over, c.at), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10, IdleTimeout: 2 * time.Minute,
	}
	go func(s *http.Server) { _ = s.Serve(l) }(c.server)
	return nil
}

// Close ends all sessions and listens no more.
func (c *Counter) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server != nil {
		_ = c.server.Close()
		c.end()
		c.server, c.at, c.end = nil, "", nil
	}
}

// Address is where guests call; "" while it is closed.
func (c *Counter) Address() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == "" {
		return ""
	}
	return "http://" + c.at + Path
}

// handlerAt is the door at one address. A page of a browser cannot come in by a name that leads here, nor from elsewhere; who comes in must
// have a key, and a session belongs to the key that began it. Sessions end with over.
func (b *Book) handlerAt(over context.Context, at string) http.Handler {
	stream := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		g, err := b.deps.Store.GuestOf(r.Context(), pairing.Hashed(bearer(r))) //nolint:contextcheck // over is of the door, not of a request
		if err != nil {
			return nil
		}
		return b.server(over, g, false)
	}, &sdk.StreamableHTTPOptions{SessionTimeout: idle, MaxRequestBodyBytes: mostLetter})
	keyed := auth.RequireBearerToken(func(ctx context.Context, key string, _ *http.Request) (*auth.TokenInfo, error) {
		g, err := b.Of(ctx, key)
		if apperr.CodeOf(err) == apperr.GuestUnknown {
			return nil, errors.Join(auth.ErrInvalidToken, err)
		}
		if err != nil {
			return nil, err
		}
		return &auth.TokenInfo{UserID: g.ID}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(seated(stream))
	mux := http.NewServeMux()
	mux.Handle(Path, keyed)
	_, port, _ := net.SplitHostPort(at)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !here(r.Host, port) || !fromHere(r.Header.Get("Origin")) {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func bearer(r *http.Request) string {
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key
}

// here tells whether a request names this computer by an address of its own.
func here(host, port string) bool {
	name, p, err := net.SplitHostPort(host)
	return err == nil && p == port && loopback(name)
}

// fromHere tells whether a request comes of no page, or of one of this computer's own.
func fromHere(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && loopback(u.Hostname())
}

func loopback(name string) bool {
	return name == "127.0.0.1" || name == "localhost" || name == "::1"
}
