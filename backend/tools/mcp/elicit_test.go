package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
)

// asking is a house with a person who is asked.
func asking(t *testing.T, limits mcp.Limits, person func(ctx context.Context, q mcp.Question) (map[string]any, error)) *house {
	t.Helper()
	h := newHouse(t, limits)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.ask = person
	h.open(limits)
	h.consented("good", h.stdio("good", nil))
	return h
}

func TestAQuestionInTheMiddleOfACall(t *testing.T) {
	var seen mcp.Question
	h := asking(t, quick, func(_ context.Context, q mcp.Question) (map[string]any, error) {
		seen = q
		for name, wrong := range map[string]map[string]any{
			"missing":    {"seats": 2.0},
			"too many":   {"seats": 9.0, "when": "noon"},
			"a fraction": {"seats": 2.5, "when": "noon"},
			"a word":     {"seats": "two", "when": "noon"},
			"no choice":  {"seats": 2.0, "when": "midnight"},
			"too long":   {"seats": 2.0, "when": "noon", "name": "Kimberly"},
			"no yes":     {"seats": 2.0, "when": "noon", "quiet": "yes"},
		} {
			if _, err := q.Fill(wrong); apperr.CodeOf(err) != apperr.InvalidArgs {
				t.Errorf("%s: %v", name, err)
			}
		}
		return q.Fill(map[string]any{"seats": 2.0, "when": "evening", "name": "김", "more": "nobody asked"})
	})
	c := h.run(t.Context(), "good__ask", `{}`)
	if c.err != nil || c.result.Text != `accept {"name":"김","seats":2,"when":"evening"}` {
		t.Fatalf("%+v, %v", c.result, c.err)
	}
	if seen.Server != "good" || seen.Tool != "good__ask" || len(seen.Fields) != 4 || strings.Contains(seen.Message, token) || !strings.Contains(seen.Message, "Which table") {
		t.Errorf("%+v", seen)
	}
	for _, f := range seen.Fields {
		if want := map[string]event.FieldKind{"seats": event.FieldInteger, "when": event.FieldOne, "name": event.FieldText, "quiet": event.FieldYesNo}[f.Name]; f.Kind != want {
			t.Errorf("%+v", f)
		}
	}
}

// With several calls under way, a question is shown where its call came from as far as the protocol tells: it does behind an address.
func TestWhoseQuestionItIs(t *testing.T) {
	url := address(t, nil)
	for name, c := range map[string]struct {
		of   func(h *house) entry
		want mcp.Question
	}{
		"behind an address": {func(*house) entry { return keyed(url) }, mcp.Question{Chat: "older", JobID: "job-older", Tool: "good__ask_in_turn", Calls: 1}},
		"a program":         {func(h *house) entry { return h.stdio("good", nil) }, mcp.Question{Chat: "newer", Calls: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, quick)
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var seen mcp.Question
			h.ask = func(_ context.Context, q mcp.Question) (map[string]any, error) { seen = q; return nil, nil }
			h.open(quick)
			h.consented("good", c.of(h))
			runs := func(ctx context.Context, chat, key string, log func(string, string)) toolbox.Result {
				tool, err := h.box.Tool(key)
				if err != nil {
					t.Error(err)
					return toolbox.Result{}
				}
				result, _ := tool.Run(ctx, toolbox.Call{Args: json.RawMessage(`{}`), Lang: bilingual.EN, Chat: chat, JobID: "job-" + chat, Log: log})
				return result
			}
			under := make(chan struct{}, 10)
			answered := make(chan toolbox.Result, 1)
			go func() {
				answered <- runs(t.Context(), "older", "good__ask_in_turn", func(string, string) { under <- struct{}{} })
			}()
			<-under
			over := make(chan struct{})
			go func() {
				defer close(over)
				runs(ctx, "newer", "good__turn", func(string, string) {})
			}()
			result := <-answered
			cancel()
			<-over
			if result.Text != "decline null" {
				t.Errorf("%+v", result)
			}
			if seen.Chat != c.want.Chat || seen.JobID != c.want.JobID || seen.Tool != c.want.Tool || seen.Calls != c.want.Calls {
				t.Errorf("%+v", seen)
			}
		})
	}
}

func TestAQuestionThatIsDeclined(t *testing.T) {
	asked := 0
	h := asking(t, quick, func(context.Context, mcp.Question) (map[string]any, error) { asked++; return nil, nil })
	if c := h.run(t.Context(), "good__ask", `{}`); c.err != nil || c.result.Text != "decline null" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	// A page that shall be opened is not shown at all: the server never said that it could ask so.
	if c := h.run(t.Context(), "good__ask", `{"text":"url"}`); c.err != nil || !strings.Contains(c.result.Text, "error") && !strings.HasPrefix(c.result.Text, "decline") {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	if asked != 1 {
		t.Errorf("a person was asked %d times", asked)
	}
}

// Nobody is asked any more when the call is called off. What time people and servers have is tested with a clock that moves by itself.
func TestAQuestionEndsWithItsCall(t *testing.T) {
	waits := make(chan struct{}, 1)
	left := make(chan struct{}, 1)
	h := asking(t, quick, func(ctx context.Context, _ mcp.Question) (map[string]any, error) {
		waits <- struct{}{}
		<-ctx.Done()
		left <- struct{}{}
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	c := h.begin(ctx, "good__ask", `{}`)
	<-waits
	cancel()
	<-left
	c.end()
	wantCode(t, c.err, apperr.InDoubt)
}
