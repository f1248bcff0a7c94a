package shop_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/shop"
	"agentchat/backend/tools/mcp"
)

// address serves a server of the official library on this computer. It ends after a shop that is entered later, which holds its connections.
func address(t *testing.T, s *sdk.Server) string {
	t.Helper()
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(h.Close)
	return h.URL
}

// ready names a server in mcp.json that has no tools to agree to.
func (c *customer) ready(name, url string) {
	c.t.Helper()
	if err := c.SetMCP(`{"mcpServers":{"` + name + `":{"url":"` + url + `"}}}`); err != nil {
		c.t.Fatal(err)
	}
	c.server(name, mcp.StateReady)
}

// A resource of an outside server goes with a message as a file does: it is searched, and says where it came from. One that is gone says so, and
// nothing was said.
func TestAResourceGoesWithAMessage(t *testing.T) {
	var gone atomic.Bool
	s := sdk.NewServer(&sdk.Implementation{Name: "notes", Version: "1"}, nil)
	s.AddResource(&sdk.Resource{URI: "notes://trip/costs", Name: "출장비", MIMEType: "text/markdown"}, func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		if gone.Load() {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/markdown", Text: "# 출장비\n\n숙박비는 하루 8만원이다.\n"}}}, nil
	})
	url := address(t, s)
	c := enter(t, t.TempDir())
	c.ready("notes", url)
	list := c.ResourcesMCP(t.Context())
	if len(list) != 1 || list[0].Server != "notes" || list[0].Name != "출장비" {
		t.Fatalf("%+v", list)
	}
	which := shop.ResourceChoice{Server: "notes", Address: list[0].Address}
	a, err := c.AttachResource(t.Context(), which)
	if err != nil || a.Name != "costs.md" || a.Kind != event.AttachmentText || a.Format != "md" || a.From == nil || !reflect.DeepEqual(*a.From, event.AttachmentSource{Server: "notes", Address: "notes://trip/costs"}) {
		t.Fatalf("%+v, %v", a, err)
	}
	msg, err := c.SayWith(t.Context(), shop.Words{Chat: "main", Text: "숙박비가 얼마야?", Attachments: []event.Attachment{a}})
	if err != nil {
		t.Fatal(err)
	}
	answer := until(c, "it is answered", func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleShop && m.Turn == msg.ID })
	if !strings.Contains(answer.Text, "8만원") {
		t.Errorf("%q", answer.Text)
	}
	history, err := c.History(t.Context(), "main", "", 10)
	if err != nil || len(history) == 0 {
		t.Fatal(err)
	}
	kept := history[0]
	if len(kept.Attachments) != 1 || kept.Attachments[0].From == nil || kept.Attachments[0].From.Server != "notes" {
		t.Errorf("%+v", kept)
	}

	gone.Store(true)
	_, err = c.AttachResource(t.Context(), which)
	if e := apperr.From(err); e == nil || e.Code != apperr.AttachmentRefused || !strings.Contains(e.Text(bilingual.KO), "그런 것이 없다고") {
		t.Errorf("%v", err)
	}
}
