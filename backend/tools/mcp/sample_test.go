package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/tools/mcp"
)

// sampling is a house whose server may ask for words, or may not.
func sampling(t *testing.T, may bool, person func(ctx context.Context, q mcp.Question) (mcp.Sampled, error)) *house {
	t.Helper()
	h := newHouse(t, quick)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.sample = person
	h.open(quick)
	more := entry{}
	if may {
		more["sampling"] = true
	}
	h.consented("good", h.stdio("good", more))
	return h
}

func TestAServerThatMayAskForWords(t *testing.T) {
	var seen []mcp.Question
	h := sampling(t, true, func(_ context.Context, q mcp.Question) (mcp.Sampled, error) {
		seen = append(seen, q)
		return mcp.Sampled{Text: "By the window, " + token, Model: "gemma", Cut: len(seen) > 1}, nil
	})
	if c := h.run(t.Context(), "good__sample", `{"text":"may"}`); c.err != nil || c.result.Text != "true" {
		t.Errorf("it is not told that it may: %+v, %v", c.result, c.err)
	}
	c := h.run(t.Context(), "good__sample", `{"text":"Name a table","n":5}`)
	if c.err != nil || !strings.HasPrefix(c.result.Text, "gemma assistant endTurn: By the window") || strings.Contains(c.result.Text, token) {
		t.Fatalf("%+v, %v", c.result, c.err)
	}
	q := seen[0]
	if q.Server != "good" || q.Tool != "good__sample" || q.Calls != 1 || q.Prompt == nil || q.Prompt.Most != 5 || len(q.Prompt.Messages) != 2 {
		t.Fatalf("%+v", q)
	}
	if p := q.Prompt; !strings.HasPrefix(p.System, "Be brief") || strings.Contains(p.System, token) || p.Messages[0].Assistant || p.Messages[0].Text != "Name a table" || !p.Messages[1].Assistant || p.Messages[1].Text != "Well" {
		t.Errorf("%+v", p)
	}
	log := strings.Join(c.logged(), "\n")
	mustHold(t, log, "gemma", "By the window")
	if strings.Contains(log, token) {
		t.Errorf("a key stands in %q", log)
	}
	// More than the limit is wanted: the limit holds, and the server hears that the words are cut off.
	c = h.run(t.Context(), "good__sample", `{"text":"Tell all","n":1000000}`)
	if !strings.HasPrefix(c.result.Text, "gemma assistant maxTokens:") || len(seen) != 2 || seen[1].Prompt.Most != mcp.MostSampled {
		t.Errorf("%+v, %v", c.result, seen)
	}
}

func TestAServerThatMayNotAskForWords(t *testing.T) {
	asked := 0
	h := sampling(t, false, func(context.Context, mcp.Question) (mcp.Sampled, error) { asked++; return mcp.Sampled{Text: "no"}, nil })
	if c := h.run(t.Context(), "good__sample", `{"text":"may"}`); c.err != nil || c.result.Text != "false" {
		t.Errorf("%+v, %v", c.result, c.err)
	}
	if c := h.run(t.Context(), "good__sample", `{"text":"Name a table"}`); c.err != nil || !strings.HasPrefix(c.result.Text, "error: ") || asked != 0 {
		t.Errorf("%+v, %v, asked %d times", c.result, c.err, asked)
	}
}

// Nobody is asked about what cannot be shown whole; a refusal goes back with its reason, and stands in the log of the call.
func TestWordsThatAreRefused(t *testing.T) {
	asked := 0
	why := apperr.SamplingRefused
	h := sampling(t, true, func(context.Context, mcp.Question) (mcp.Sampled, error) {
		asked++
		return mcp.Sampled{}, apperr.New(why)
	})
	for text, reason := range map[string]string{"long": "too long", "picture": "only text", "none": "between 1 and"} {
		args, _ := json.Marshal(map[string]any{"text": text, "n": 5})
		if c := h.run(t.Context(), "good__sample", string(args)); c.err != nil || !strings.HasPrefix(c.result.Text, "error: ") || !strings.Contains(c.result.Text, reason) {
			t.Errorf("%s: %+v, %v", text, c.result, c.err)
		}
	}
	if asked != 0 {
		t.Errorf("a person was asked %d times", asked)
	}
	for code, reason := range map[apperr.Code]string{apperr.SamplingRefused: "refused to have the model asked", apperr.SamplingNoModel: "only the phrasebook"} {
		why = code
		c := h.run(t.Context(), "good__sample", `{"text":"Name a table","n":5}`)
		if c.err != nil || !strings.Contains(c.result.Text, reason) || !strings.Contains(strings.Join(c.logged(), "\n"), reason) {
			t.Errorf("%s: %+v, %v, %q", code, c.result, c.err, c.logged())
		}
	}
}

// A call that is called off takes its question along.
func TestWordsThatNobodyAnswersFor(t *testing.T) {
	waits, left := make(chan struct{}, 1), make(chan struct{}, 1)
	h := sampling(t, true, func(ctx context.Context, _ mcp.Question) (mcp.Sampled, error) {
		waits <- struct{}{}
		<-ctx.Done()
		left <- struct{}{}
		return mcp.Sampled{}, apperr.Wrap(ctx.Err(), apperr.SamplingUnanswered)
	})
	ctx, cancel := context.WithCancel(t.Context())
	c := h.begin(ctx, "good__sample", `{"text":"Name a table","n":5}`)
	<-waits
	cancel()
	<-left
	c.end()
	wantCode(t, c.err, apperr.InDoubt)
}

// The switch of the form writes mcp.json, and what was agreed to stays. What somebody pastes switches nothing on.
func TestTheSwitchForWords(t *testing.T) {
	h := sampling(t, false, func(context.Context, mcp.Question) (mcp.Sampled, error) {
		return mcp.Sampled{Text: "By the window", Model: "gemma"}, nil
	})
	for _, on := range []bool{true, false} {
		f, err := h.FormOf("good")
		if err != nil || f.Sampling == on {
			t.Fatalf("%+v, %v", f, err)
		}
		f.Sampling = on
		if err := h.Change(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		h.until("good", "it is ready, with nothing to agree to again", is(mcp.StateReady))
		text, err := os.ReadFile(filepath.Join(h.dir, mcp.FileName))
		if err != nil || strings.Contains(string(text), `"sampling"`) != on {
			t.Errorf("%s, %v", text, err)
		}
		if c := h.run(t.Context(), "good__sample", `{"text":"may"}`); (c.result.Text == "true") != on {
			t.Errorf("on %v: %+v, %v", on, c.result, c.err)
		}
	}
	list, err := h.Propose(`{"mcpServers":{"other":{"command":"x","sampling":true}}}`)
	if err == nil {
		for _, p := range list {
			if text, _ := json.Marshal(p); strings.Contains(string(text), `"sampling":true`) {
				t.Errorf("%s", text)
			}
		}
	}
	if s := mcp.ReadSettings([]byte(`{"mcpServers":{"other":{"command":"x","sampling":"yes"}}}`)); len(s.Problems) != 1 || len(s.Servers) != 0 {
		t.Errorf("%+v", s)
	}
}
