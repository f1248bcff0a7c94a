package mcp

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpOf is the client of a way to a server behind an address.
func httpOf(way sdk.Transport) *http.Client { return way.(*sdk.StreamableClientTransport).HTTPClient }

// Questions are marked, and all else of an answer comes as it was sent, whole or not.
func TestMarking(t *testing.T) {
	long := "data: " + strings.Repeat(`{"method":"elicitation/create"}`, biggestMarked/10) + "\n\n"
	for sent, want := range map[string]string{
		"": "",
		"event: message\ndata: {\"id\":1,\"result\":{}}\n\n":                                                            "event: message\ndata: {\"id\":1,\"result\":{}}\n\n",
		"data: {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"<?>\"}}\n\ndata: rest":             "data: {\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"_meta\":{\"agentchat/call\":\"M\"},\"message\":\"\\u003c?\\u003e\"}}\n\ndata: rest",
		"data:{\"method\":\"elicitation/create\",\"params\":{\"_meta\":{\"agentchat/call\":\"of another\",\"a\":1}}}\n": "data: {\"method\":\"elicitation/create\",\"params\":{\"_meta\":{\"a\":1,\"agentchat/call\":\"M\"}}}\n",
		"data: {\"result\":\"elicitation/create\"}\ndata: elicitation/create {\n":                                       "data: {\"result\":\"elicitation/create\"}\ndata: elicitation/create {\n",
		long + "data: {}\n": long + "data: {}\n",
	} {
		for _, slow := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, iotest.HalfReader} {
			broken := errors.New("the line broke")
			m := newMarking(io.NopCloser(slow(io.MultiReader(strings.NewReader(sent), iotest.ErrReader(broken)))), "M")
			got, err := io.ReadAll(m)
			if string(got) != want || !errors.Is(err, broken) {
				t.Errorf("%.100q: %.200q, %v", sent, got, err)
			}
		}
	}
}
