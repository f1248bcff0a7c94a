package fakemodel

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// openai serves the part of OpenAI's API that the app uses.
func (s *Server) openai() {
	s.mux.HandleFunc("GET /v1/models", s.keyed(func(w http.ResponseWriter, _ *http.Request) {
		data := []any{}
		if !s.o.NoModel {
			for _, name := range append([]string{"shop", "text-embedding-vectors"}, slices.Sorted(maps.Keys(scenarios))...) {
				listed := map[string]any{"id": name, "object": "model"}
				if name == sees {
					listed["capabilities"] = []string{"completion", "multimodal"}
				}
				data = append(data, listed)
			}
		}
		answer(w, http.StatusOK, map[string]any{"object": "list", "data": data})
	}))
	s.mux.HandleFunc("POST /v1/chat/completions", s.keyed(s.openaiChat))
	s.mux.HandleFunc("POST /v1/embeddings", s.keyed(s.openaiEmbed))
}

func (s *Server) keyed(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); s.o.Key != "" && given != s.o.Key {
			refuseOpenAI(w, http.StatusUnauthorized, "Incorrect API key provided: "+given, "invalid_request_error", "")
			return
		}
		next(w, r)
	}
}

func (s *Server) openaiChat(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	var b struct {
		Messages []message `json:"messages"`
		Format   *struct {
			Type string `json:"type"`
		} `json:"response_format"`
		Options   json.RawMessage `json:"stream_options"`
		Tools     json.RawMessage `json:"tools"`
		MaxTokens int             `json:"max_tokens"`
	}
	_ = json.Unmarshal(raw, &b)
	scenario := scenarioOf(model)
	refused := "" // a parameter this server does not know
	switch {
	case scenario == "no-schema" && b.Format != nil && b.Format.Type == "json_schema", scenario == "no-format" && b.Format != nil:
		refused = "response_format"
	case scenario == "no-usage" && len(b.Options) > 0:
		refused = "stream_options"
	case scenario == blind && strings.Contains(string(raw), `"image_url"`):
		refused = "image_url"
	case scenario == "call-no-tools" && len(b.Tools) > 0:
		refused = "tools"
	case scenario == "new-limits" && b.MaxTokens > 0:
		refused = "max_tokens"
	}
	if refused != "" {
		_, end := s.begin(r, model, raw)
		defer end()
		refuseOpenAI(w, http.StatusBadRequest, "Unsupported parameter: '"+refused+"'", "invalid_request_error", refused)
		return
	}
	if scenario == "whole" { // a server that does not stream
		_, end := s.begin(r, model, raw)
		defer end()
		answer(w, http.StatusOK, map[string]any{
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": "한 번에 말해요.", "reasoning_content": "생각"}}},
			"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 3},
		})
		return
	}
	s.chat(w, r, openaiDialect{}, model, raw, b.Messages, b.Format != nil)
}

func (s *Server) openaiEmbed(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	if !strings.Contains(model, "vectors") {
		refuseOpenAI(w, http.StatusNotFound, "no such embedding model", "invalid_request_error", "model")
		return
	}
	var b struct {
		Input []string `json:"input"`
	}
	_ = json.Unmarshal(raw, &b)
	data := []any{}
	for i, v := range slices.Backward(vectors(b.Input)) { // the order is not promised
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	answer(w, http.StatusOK, map[string]any{"data": data})
}

func refuseOpenAI(w http.ResponseWriter, status int, words, kind, param string) {
	answer(w, status, map[string]any{"error": map[string]any{"message": words, "type": kind, "param": param, "code": status}})
}

// openaiDialect is server-sent events.
type openaiDialect struct{}

func (openaiDialect) mime() string { return "text/event-stream" }

func (openaiDialect) piece(kind, quoted string) string {
	if kind == "thinking" {
		kind = "reasoning_content"
	}
	return `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"` + kind + `":` + quoted + `}}]}` + "\n\n"
}

// calls gives every call in three pieces, as services do: its name, and its arguments in two.
func (openaiDialect) calls(list []fakeCall) string {
	var b strings.Builder
	piece := func(call map[string]any) {
		b.WriteString("data: " + encode(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"tool_calls": []any{call}}}}}) + "\n\n")
	}
	for i, c := range list {
		half := len(c.arguments) / 2
		for half > 0 && !utf8.RuneStart(c.arguments[half]) { // a piece is JSON, which cannot hold half a character
			half--
		}
		piece(map[string]any{"index": i, "id": "call_" + c.tool, "type": "function", "function": map[string]string{"name": c.tool, "arguments": ""}})
		piece(map[string]any{"index": i, "function": map[string]string{"arguments": c.arguments[:half]}})
		piece(map[string]any{"index": i, "function": map[string]string{"arguments": c.arguments[half:]}})
	}
	return b.String()
}

func (openaiDialect) fault(words string) string {
	return "data: " + encode(map[string]any{"error": map[string]any{"message": words, "code": http.StatusInternalServerError}}) + "\n\n"
}

func (openaiDialect) done(reason string, u usage) string {
	finish := map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}}
	count := map[string]any{"choices": []any{}, "usage": map[string]any{
		"prompt_tokens": u.in, "completion_tokens": u.out, "prompt_tokens_details": map[string]any{"cached_tokens": u.cached},
	}}
	var b strings.Builder
	for _, v := range []any{finish, count} {
		_, _ = io.WriteString(&b, "data: "+encode(v)+"\n\n")
	}
	return b.String() + "data: [DONE]\n\n"
}

func (openaiDialect) refuse(w http.ResponseWriter, status int, words, kind string) {
	refuseOpenAI(w, status, words, kind, "")
}
