package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/mcp"
)

// promptsServer has prompts beside a tool, which adds one more.
func promptsServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "prompts", Version: "1"}, &sdk.ServerOptions{
		CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			if r.Params.Ref.Name == "late" {
				return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{"soon"}}}, nil
			}
			if r.Params.Ref.Name != "review" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "which?"}
			}
			values := []string{"go", "go", "gleam\u202e", "rust", os.Getenv("API_TOKEN")}
			if r.Params.Context != nil && r.Params.Context.Arguments["code"] == "fn" {
				values = []string{"rust"}
			}
			if r.Params.Context != nil {
				for key, value := range r.Params.Context.Arguments {
					if value != "fn" {
						values = []string{"told " + key}
					}
				}
			}
			values = slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(v, r.Params.Argument.Value) })
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values}}, nil
		},
	})
	says := func(messages ...*sdk.PromptMessage) sdk.PromptHandler {
		return func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: messages}, nil
		}
	}
	text := func(role sdk.Role, words string) *sdk.PromptMessage {
		return &sdk.PromptMessage{Role: role, Content: &sdk.TextContent{Text: words}}
	}
	s.AddTool(&sdk.Tool{Name: "grow", Description: "adds a prompt", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddPrompt(&sdk.Prompt{Name: "late", Arguments: []*sdk.PromptArgument{{Name: "when"}}}, says(text("user", "late")))
		return &sdk.CallToolResult{}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "review", Title: "코드 검토\u202e", Description: "reviews\ncode " + os.Getenv("API_TOKEN"), Arguments: []*sdk.PromptArgument{
		{Name: "code", Title: "코드", Description: "what to review", Required: true}, {Name: "language"},
	}}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		given, _ := json.Marshal(r.Params.Arguments)
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{text("user", "Review:\u200b "+string(given)+" "+os.Getenv("API_TOKEN"))}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "talk"}, says(
		text("user", "How?"), text("assistant", "So."),
		&sdk.PromptMessage{Role: "user", Content: &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "notes://a", Text: "a note"}}},
		&sdk.PromptMessage{Role: "user", Content: &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "notes://b", MIMEType: "application/pdf", Blob: []byte{1}}}},
		&sdk.PromptMessage{Role: "user", Content: &sdk.ImageContent{MIMEType: "image/png", Data: []byte{1}}},
		&sdk.PromptMessage{Role: "user", Content: &sdk.ResourceLink{Name: "more", URI: "notes://c"}},
	))
	s.AddPrompt(&sdk.Prompt{Name: "picture"}, says(&sdk.PromptMessage{Role: "user", Content: &sdk.ImageContent{MIMEType: "image/png", Data: []byte{1}}}))
	s.AddPrompt(&sdk.Prompt{Name: "empty"}, says(text("user", "\u200b")))
	s.AddPrompt(&sdk.Prompt{Name: "huge"}, says(text("user", strings.Repeat("가", 16_001))))
	s.AddPrompt(&sdk.Prompt{Name: "hid\u200bden"}, says(text("user", "x")))
	s.AddPrompt(&sdk.Prompt{Name: "asks", Arguments: []*sdk.PromptArgument{{Name: "a\u200b"}}}, says(text("user", "x")))
	s.AddPrompt(&sdk.Prompt{Name: "secret-" + os.Getenv("API_TOKEN")}, says(text("user", "x")))
	s.AddPrompt(&sdk.Prompt{Name: "gone"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such prompt"}
	})
	s.AddPrompt(&sdk.Prompt{Name: "dies"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		os.Exit(3)
		return nil, nil
	})
	return s
}

// What a server has to be said is listed once its tools were agreed to, in words that can be shown; what it says holds neither its keys nor what
// cannot be seen.
func TestPrompts(t *testing.T) {
	h := newHouse(t, quick)
	h.mount(map[string]entry{"desk": h.stdio("prompts", entry{"title": "책상"}), "good": h.stdio("good", nil)})
	v := h.until("desk", "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
	if list := h.Prompts(t.Context()); len(list) != 0 {
		t.Errorf("before anybody agreed: %+v", list)
	}
	if _, err := h.Prompt(t.Context(), "desk", "talk", nil); apperr.CodeOf(err) != apperr.PromptRefused {
		t.Errorf("before anybody agreed: %v", err)
	}
	if err := h.Consent(t.Context(), "desk", v.Digest); err != nil {
		t.Fatal(err)
	}
	list := h.Prompts(t.Context())
	var names []string
	for _, p := range list {
		names = append(names, p.Prompt)
	}
	if !slices.Equal(names, []string{"dies", "empty", "gone", "huge", "picture", "review", "talk"}) {
		t.Errorf("%q", names)
	}
	review := list[slices.Index(names, "review")]
	if review.Server != "desk" || review.Title != "책상" || review.Name != "코드 검토" || review.About != "reviews code [redacted]" || !review.Completes || !slices.Equal(review.Fields, []mcp.PromptField{
		{Key: "code", Name: "코드", About: "what to review", Required: true}, {Key: "language", Name: "language"},
	}) {
		t.Errorf("%+v", review)
	}
	said, err := h.Prompt(t.Context(), "desk", "review", map[string]string{"code": " fn ", "language": " "})
	if err != nil || said.Text != `Review: {"code":"fn"} [redacted]` || said.Name != "코드 검토" || said.Title != "책상" || len(said.Left) != 0 {
		t.Errorf("%+v, %v", said, err)
	}
	said, err = h.Prompt(t.Context(), "desk", "talk", nil)
	if err != nil || said.Text != "[user]\nHow?\n\n[assistant]\nSo.\n\n[user]\nnotes://a\n\na note" || !slices.Equal(said.Left, []string{"notes://b, application/pdf", "image, image/png", "link, more, notes://c"}) {
		t.Errorf("%+v, %v", said, err)
	}
}

// manyValues are more than any prompt asks for.
func manyValues(n int) map[string]string {
	values := map[string]string{}
	for i := range n {
		values[strings.Repeat("k", i+1)] = "fn"
	}
	return values
}

// A server offers values for what a prompt asks for, knowing what was filled in before of it and nothing else; where it does not, none are offered.
func TestCompletions(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("desk", h.stdio("prompts", nil))
	for _, c := range []struct {
		prompt, typed string
		values        map[string]string
		want          []string
	}{
		{"review", "g", nil, []string{"go"}},
		{"review", "", map[string]string{"code": "fn"}, []string{"rust"}},
		{"review", "tok", nil, []string{}},
		{"review", "", map[string]string{"code": " fn ", "language": " "}, []string{"rust"}},
		{"review", "", map[string]string{"code": strings.Repeat("x", 4001)}, []string{}},
		{"review", "", map[string]string{"shoe": "42", "language": "g"}, []string{"go", "rust"}},
		{"review", "", manyValues(31), []string{"go", "rust"}},
		{"talk", "", nil, []string{}},
	} {
		if have := h.Completions(t.Context(), "desk", c.prompt, "language", c.typed, c.values); !slices.Equal(have, c.want) || have == nil {
			t.Errorf("%+v: %q", c, have)
		}
	}
	for _, c := range []struct{ server, argument string }{{"nobody", "language"}, {"desk", "shoe"}} {
		if have := h.Completions(t.Context(), c.server, "review", c.argument, "", nil); have == nil || len(have) != 0 {
			t.Errorf("%+v: %q", c, have)
		}
	}
	// What it has anew is completed once it said so.
	if have := h.Completions(t.Context(), "desk", "late", "when", "", nil); len(have) != 0 {
		t.Errorf("%q", have)
	}
	h.grows()
	h.until("desk", "it is completed", func(mcp.ServerView) bool {
		return slices.Equal(h.Completions(t.Context(), "desk", "late", "when", "", nil), []string{"soon"})
	})
}

// What a server does not say is told in a sentence, and nothing else ends by it.
func TestPromptsThatAreRefused(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("desk", h.stdio("prompts", nil))
	for _, c := range []struct {
		prompt string
		values map[string]string
		says   string
	}{
		{"nothing", nil, "does not have it any more"},
		{"secret-" + token, nil, "does not have it any more"},
		{"gone", nil, "no such thing"},
		{"review", nil, "“코드” has to be filled in"},
		{"review", map[string]string{"code": "x", "amount": "1000000"}, "does not ask for “amount”"},
		{"review", map[string]string{"code": strings.Repeat("x", 4001)}, "at most"},
		{"picture", nil, "no text, only what cannot be used here (image, image/png)"},
		{"empty", nil, "it is empty"},
		{"huge", nil, "longer than 16000"},
	} {
		_, err := h.Prompt(t.Context(), "desk", c.prompt, c.values)
		if e := apperr.From(err); e == nil || e.Code != apperr.PromptRefused || !strings.Contains(e.Text(bilingual.EN), c.says) {
			t.Errorf("%.40s: %v", c.prompt, err)
		}
	}
	if _, err := h.Prompt(t.Context(), "nobody", "talk", nil); !strings.Contains(apperr.From(err).Text(bilingual.KO), "켜져 있지 않아요") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Prompt(ctx, "desk", "talk", nil); apperr.CodeOf(err) != apperr.Canceled {
		t.Error(err)
	}
	if _, err := h.Prompt(t.Context(), "desk", "dies", nil); !strings.Contains(apperr.From(err).Text(bilingual.EN), "connection to the server was lost") {
		t.Error(err)
	}
}

// grows has the server make one prompt more. That the shop has heard of it comes later.
func (h *house) grows() {
	h.t.Helper()
	if c := h.run(h.t.Context(), "desk__grow", "{}"); c.err != nil {
		h.t.Fatal(c.err)
	}
}

// A server that says that its prompts changed is heard.
func TestChangedPromptsAreHeard(t *testing.T) {
	h := newHouse(t, quick)
	h.consented("desk", h.stdio("prompts", nil))
	h.Prompts(t.Context()) // they were listed before
	h.grows()
	h.until("desk", "its new prompt is listed", func(mcp.ServerView) bool {
		return slices.ContainsFunc(h.Prompts(t.Context()), func(p mcp.Prompt) bool { return p.Prompt == "late" })
	})
}
