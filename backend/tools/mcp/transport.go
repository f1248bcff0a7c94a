package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/outbound"
)

// How long an address may take before it has said anything at all.
const (
	dialWithin    = 10 * time.Second
	goodbyeWithin = 3 * time.Second // for the request that ends a session
)

var errStray = errors.New("the server sent the request to another address")

// remote makes the way to a server behind an address. closeIdle drops its connections.
func remote(s Server, who *account, line *outbound.Line) (t sdk.Transport, closeIdle func()) {
	way := outbound.Way{Room: outbound.RoomOutside, Connect: dialWithin, Proxy: true, Shape: func(t *http.Transport) {
		t.TLSHandshakeTimeout, t.ForceAttemptHTTP2 = dialWithin, true
	}}
	if who != nil {
		way.Control = who.reached
	}
	client := line.Client(way)
	drop := client.CloseIdleConnections
	client.Transport = &courier{base: client.Transport, headers: s.Headers}
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
	return transport, drop
}

// courier adds the person's headers to every request and bounds the answers.
type courier struct {
	base    http.RoundTripper
	headers map[string]string
}

// RoundTrip implements http.RoundTripper.
func (c *courier) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if req.Method == http.MethodDelete { // a server that does not answer the goodbye is left
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, goodbyeWithin)
		defer cancel()
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
		resp.Body = &bounded{ReadCloser: resp.Body, left: maxFrame}
	}
	return resp, nil
}

// bounded refuses to read more than it should.
type bounded struct {
	io.ReadCloser
	left int
}

var errTooMuch = errors.New("the server's answer is too large")

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
