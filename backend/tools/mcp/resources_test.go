package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/mcp"
)

// shelvesServer has resources beside a tool.
func shelvesServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "shelves", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "look", Description: "looks", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	})
	text := func(texts ...string) sdk.ResourceHandler {
		return func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			out := &sdk.ReadResourceResult{}
			for _, t := range texts {
				out.Contents = append(out.Contents, &sdk.ResourceContents{URI: r.Params.URI, MIMEType: "text/markdown", Text: t})
			}
			return out, nil
		}
	}
	add := func(uri, name, about string, read sdk.ResourceHandler) {
		s.AddResource(&sdk.Resource{URI: uri, Name: name, Description: about, MIMEType: "text/markdown", Size: 40}, read)
	}
	add("notes://a", "정산\u202e", "what a\nhotel costs "+os.Getenv("API_TOKEN"), text("# 정산\n\n숙박비는 8만원이다.\u200b "+os.Getenv("API_TOKEN")))
	add("notes://many", "many", "", text("first", "second"))
	add("notes://empty", "empty", "", text("\u200b"))
	add("notes://huge", "huge", "", text(strings.Repeat("a", 5<<20+1)))
	add("notes://gone", "gone", "", func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	})
	add("notes://secret/"+os.Getenv("API_TOKEN"), "secret", "", text("x"))
	add("notes://dies", "dies", "", func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		os.Exit(3)
		return nil, nil
	})
	add("notes://picture", "picture", "", func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "image/png", Blob: []byte{1, 2}}}}, nil
	})
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "notes://by/{month}/{name}", Name: "by month"}, func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "of " + r.Params.URI}}}, nil
	})
	// It lists everything twice.
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			out, err := next(ctx, method, r)
			switch list := out.(type) {
			case *sdk.ListResourcesResult:
				list.Resources = append(list.Resources, list.Resources...)
			case *sdk.ListResourceTemplatesResult:
				list.ResourceTemplates = append(list.ResourceTemplates, list.ResourceTemplates...)
			}
			return out, err
		}
	})
	return s
}

// What a server has to be read is listed once its tools were agreed to, in words that can be shown, and read by its address or a form filled in.
func TestResources(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{"shelves": h.stdio("shelves", entry{"title": "책장"}), "good": h.stdio("good", nil)})
	v := h.until("shelves", "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
	if list := h.Resources(t.Context()); len(list) != 0 {
		t.Errorf("before anybody agreed: %+v", list)
	}
	if _, err := h.Read(t.Context(), "shelves", "notes://a", nil); apperr.CodeOf(err) != apperr.AttachmentRefused {
		t.Errorf("before anybody agreed: %v", err)
	}
	if err := h.Consent(t.Context(), "shelves", v.Digest); err != nil {
		t.Fatal(err)
	}
	list := h.Resources(t.Context())
	at := func(address string) mcp.Resource {
		i := slices.IndexFunc(list, func(r mcp.Resource) bool { return r.Address == address })
		if i < 0 {
			t.Fatalf("%s is missing in %+v", address, list)
		}
		return list[i]
	}
	if a := at("notes://a"); a.Server != "shelves" || a.Title != "책장" || a.Name != "정산" || a.About != "what a hotel costs [redacted]" || a.Type != "text/markdown" || a.Bytes != 40 || a.Fields != nil {
		t.Errorf("%+v", a)
	}
	addresses := map[string]bool{}
	for _, r := range list {
		if addresses[r.Address] {
			t.Errorf("%s is listed twice", r.Address)
		}
		addresses[r.Address] = true
	}
	if f := at("notes://by/{month}/{name}").Fields; !slices.Equal(f, []string{"month", "name"}) {
		t.Errorf("fields %v", f)
	}
	if slices.ContainsFunc(list, func(r mcp.Resource) bool { return strings.Contains(r.Address, token) }) {
		t.Error("an address that holds a key is listed")
	}
	c, err := h.Read(t.Context(), "shelves", "notes://a", nil)
	if err != nil || string(c.Data) != "# 정산\n\n숙박비는 8만원이다. [redacted]\n" || !c.Words || c.Address != "notes://a" || c.Title != "책장" || c.Type != "text/markdown" {
		t.Errorf("%+v %q, %v", c, c.Data, err)
	}
	c, err = h.Read(t.Context(), "shelves", "notes://by/{month}/{name}", map[string]string{"month": "3월", "name": "a/b"})
	if err != nil || c.Address != "notes://by/3%EC%9B%94/a%2Fb" || string(c.Data) != "of "+c.Address+"\n" {
		t.Errorf("%+v %q, %v", c, c.Data, err)
	}
	if c, err = h.Read(t.Context(), "shelves", "notes://picture", nil); err != nil || c.Words || !slices.Equal(c.Data, []byte{1, 2}) {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = h.Read(t.Context(), "shelves", "notes://many", nil); err != nil || string(c.Data) != "notes://many\n\nfirst\nnotes://many\n\nsecond\n" {
		t.Errorf("%q, %v", c.Data, err)
	}
}

// What cannot be read is said in a sentence, and nothing else ends by it.
func TestResourcesThatCannotBeRead(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("shelves", h.stdio("shelves", nil))
	for address, says := range map[string]string{
		"notes://empty": "is empty", "notes://huge": "larger than 5 MB", "notes://gone": "no such thing", "notes://nowhere": "no such thing",
		"notes://" + strings.Repeat("a", 9000): "too long",
	} {
		_, err := h.Read(t.Context(), "shelves", address, nil)
		if e := apperr.From(err); e == nil || e.Code != apperr.AttachmentRefused || !strings.Contains(e.Text(bilingual.EN), says) {
			t.Errorf("%.40s: %v", address, err)
		}
	}
	if _, err := h.Read(t.Context(), "nobody", "notes://a", nil); !strings.Contains(apperr.From(err).Text(bilingual.EN), "not running") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Read(ctx, "shelves", "notes://a", nil); apperr.CodeOf(err) != apperr.Canceled {
		t.Error(err)
	}
	if _, err := h.Read(t.Context(), "shelves", "notes://dies", nil); !strings.Contains(apperr.From(err).Text(bilingual.EN), "connection to the server was lost") {
		t.Error(err)
	}
	h.until("shelves", "it is up again", func(mcp.ServerView) bool {
		_, err := h.Read(t.Context(), "shelves", "notes://a", nil)
		return err == nil
	})
}
