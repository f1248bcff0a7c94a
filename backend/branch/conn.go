package branch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/guest"
)

// conn is one session with the other shop.
type conn struct {
	session *sdk.ClientSession
	ctx     context.Context // ends with it
	drop    context.CancelFunc
}

// dial reaches the other shop, with this one's key, and takes no other for it than the one that was paired.
func (l *link) dial(ctx context.Context) (*conn, error) {
	way, err := l.book.client(l.partner.Pin, l.book.pace.Within)
	if err != nil {
		return nil, err
	}
	base := way.Transport
	way.Transport = brief{base}
	client := sdk.NewClient(&sdk.Implementation{Name: "agentchat", Title: l.book.deps.Name(), Version: l.book.deps.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	life, end := context.WithCancel(ctx)
	greeting, met := context.WithTimeout(life, l.book.pace.Within)
	defer met()
	session, err := client.Connect(greeting, &sdk.StreamableClientTransport{
		Endpoint: "https://" + l.address() + guest.Path, HTTPClient: way, MaxRetries: -1, MaxEventSize: mostSaid, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		end()
		idle(base)
		return nil, err
	}
	c := &conn{session: session, ctx: life, drop: sync.OnceFunc(func() {
		end()
		go func() { _ = session.Close(); idle(base) }() // its goodbye may wait for a connection that is cut
	})}
	return c, nil
}

func idle(t http.RoundTripper) {
	if c, ok := t.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// goodbye is how long the request that ends a session may take.
const goodbye = 3 * time.Second

// brief lets no goodbye wait, and no answer be too long.
type brief struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b brief) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodDelete {
		ctx, cancel := context.WithTimeout(r.Context(), goodbye)
		defer cancel()
		r = r.Clone(ctx)
	}
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return heard(resp)
}

// edition names the list that the other shop showed when the session began.
func (c *conn) edition() string {
	met := c.session.InitializeResult()
	if met == nil || met.Capabilities == nil {
		return ""
	}
	can, _ := met.Capabilities.Experimental[guest.Protocol].(map[string]any)
	edition, _ := can["edition"].(string)
	return edition
}

// manuals lists what the other shop lends.
func (c *conn) manuals(ctx context.Context, within time.Duration) (list []guest.Manual, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		said, ok := t.Meta[guest.MetaManual]
		if !ok {
			continue
		}
		var m guest.Manual
		text, err := json.Marshal(said)
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err == nil && m.Key == t.Name && len(list) < mostTools {
			list = append(list, m)
		}
	}
	return list, nil
}

// ask makes one call, within a time; 0: for as long as the session lives.
func (c *conn) ask(ctx context.Context, within time.Duration, tool string, args any, meta sdk.Meta) (got answer, err error) {
	result, err := c.call(ctx, within, tool, args, meta)
	if err != nil {
		return got, err
	}
	if err := structured(result, &got); err != nil {
		return got, err
	}
	for _, part := range result.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			got.text += text.Text
		}
	}
	got.text = plain(got.text)
	return got, nil
}

func (c *conn) read(ctx context.Context, within time.Duration, tool string, args, into any) error {
	result, err := c.call(ctx, within, tool, args, nil)
	if err == nil && result.IsError {
		err = errAway
	}
	if err != nil {
		return err
	}
	return structured(result, into)
}

func (c *conn) call(ctx context.Context, within time.Duration, tool string, args any, meta sdk.Meta) (*sdk.CallToolResult, error) {
	asked := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)() //nolint:contextcheck // the call ends with its session, too
	if within > 0 {
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args, Meta: meta})
	var told *jsonrpc.Error
	if err != nil && asked.Err() == nil && !errors.As(err, &told) {
		c.drop() // what was cut once is not waited for
	}
	return result, err
}

func structured(result *sdk.CallToolResult, into any) error {
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
