package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpOf is the client of a way to a server behind an address.
func httpOf(way sdk.Transport) *http.Client { return way.(*sdk.StreamableClientTransport).HTTPClient }
