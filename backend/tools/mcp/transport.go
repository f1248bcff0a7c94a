package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/outbound"
	"agentchat/backend/stream"
)

// How long an address may take before it has said anything at all.
const (
	dialWithin    = 10 * time.Second
	goodbyeWithin = 3 * time.Second // for the request that ends a session
)

var errStray = errors.New("the server sent the request to another address")

// remote makes the way to a server behind an address. drop ends its connections.
func remote(s Server, who *account, line *outbound.Line) (t sdk.Transport, drop func()) {
	client := line.Client(outbound.Way{Room: outbound.RoomOutside, Connect: dialWithin, Proxy: true, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout = dialWithin
	}})
	base := client.Transport
	client.Transport = &courier{base: base, headers: s.Headers, who: who}
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		// The headers are for the address the person named, and for no other.
		if first := via[0].URL; len(via) > 3 || req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
			return errStray
		}
		return nil
	}
	transport := &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxEventSize: maxFrame, MaxRetries: 2}
	if who != nil {
		transport.OAuthHandler = who
	}
	return transport, func() { closeIdle(base) }
}

func closeIdle(t http.RoundTripper) {
	if c, ok := t.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// courier adds the person's headers to every request, notes where it comes to and bounds the answers.
type courier struct {
	base    http.RoundTripper
	headers map[string]string
	who     *account // nil where nobody signs in
}

// RoundTrip implements http.RoundTripper.
func (c *courier) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if req.Method == http.MethodDelete { // a server that does not answer the goodbye is left
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, goodbyeWithin)
		defer cancel()
	}
	if c.who != nil {
		proxied := outbound.Proxied(req)
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
			c.who.reached(got.Conn.RemoteAddr().String(), proxied)
		}})
	}
	req = req.Clone(ctx)
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	resp, err := c.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // whose events are bounded one by one
		resp.Body = &stream.Bounded{ReadCloser: resp.Body, Left: maxFrame, TooMuch: errTooMuch}
	} else if mark, ok := ctx.Value(markKey{}).(string); ok {
		resp.Body = newMarking(resp.Body, mark)
	}
	return resp, nil
}

var errTooMuch = errors.New("the server's answer is too large")
