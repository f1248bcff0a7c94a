package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// ollama serves the part of Ollama's API that the app uses.
func (s *Server) ollama() {
	s.mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {})
	s.mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"version": "0.34.4"})
	})
	s.mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"models": s.models()})
	})
	s.mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		models := []any{}
		for _, name := range slices.Sorted(maps.Keys(s.loaded)) {
			if s.loaded[name] {
				models = append(models, map[string]any{"name": name, "model": name, "size": 3 << 30, "context_length": 8192})
			}
		}
		answer(w, http.StatusOK, map[string]any{"models": models})
	})
	s.mux.HandleFunc("POST /api/show", s.show)
	s.mux.HandleFunc("POST /api/chat", s.ollamaChat)
	s.mux.HandleFunc("POST /api/generate", s.load)
	s.mux.HandleFunc("POST /api/embed", s.ollamaEmbed)
	s.mux.HandleFunc("POST /api/pull", s.pull)
	s.mux.HandleFunc("DELETE /api/delete", s.remove)
}

func (s *Server) models() []any {
	models := s.pulledModels()
	if s.o.NoModel {
		return models
	}
	models = append(models,
		map[string]any{"name": "shop:latest", "model": "shop:latest", "size": 2 << 30, "capabilities": []string{"completion"}},
		map[string]any{"name": "vectors:latest", "model": "vectors:latest", "size": 1 << 28, "capabilities": []string{"embedding"}},
	)
	for _, name := range slices.Sorted(maps.Keys(scenarios)) {
		if name != "missing" {
			models = append(models, map[string]any{"name": name + ":latest", "model": name + ":latest", "size": 1 << 30, "capabilities": []string{"completion"}})
		}
	}
	return models
}

func body(r *http.Request) (model string, raw []byte) {
	raw, _ = io.ReadAll(r.Body)
	var b struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(raw, &b)
	return b.Model, raw
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	model, _ := body(r)
	if scenarioOf(model) == "missing" || s.o.NoModel && !s.hasPulled(model) {
		answer(w, http.StatusNotFound, map[string]string{"error": fmt.Sprintf("model '%s' not found", model)})
		return
	}
	able := []string{"completion"}
	if strings.HasPrefix(model, "think-") {
		able = append(able, "thinking")
	}
	if scenarioOf(model) == sees {
		able = append(able, "vision")
	}
	if strings.HasPrefix(model, "call-") {
		able = append(able, "tools")
	}
	answer(w, http.StatusOK, map[string]any{
		"capabilities": able,
		"details":      map[string]any{"family": "llama", "parameter_size": "4.0B", "quantization_level": "Q4_K_M"},
		"model_info": map[string]any{
			"general.architecture": "llama", "llama.context_length": 32768, "llama.block_count": 32, "llama.embedding_length": 2560,
			"llama.attention.head_count": 32, "llama.attention.head_count_kv": 8, "llama.attention.key_length": 128,
		},
	})
}

type message struct {
	Role    string   `json:"role"`
	Content said     `json:"content"`
	Images  []string `json:"images,omitempty"`
}

// said is a text, or the parts of a message as OpenAI's API has them.
type said struct {
	text     string
	pictures int
}

func (s said) MarshalJSON() ([]byte, error) { return json.Marshal(s.text) }

func (s *said) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &s.text) == nil {
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	err := json.Unmarshal(data, &parts)
	for _, p := range parts {
		s.text += p.Text
		if p.Type == "image_url" {
			s.pictures++
		}
	}
	return err
}

func (s *Server) ollamaChat(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	var b struct {
		Messages []message       `json:"messages"`
		Format   json.RawMessage `json:"format"`
	}
	_ = json.Unmarshal(raw, &b)
	if format := strings.TrimSpace(string(b.Format)); strings.HasPrefix(format, `"`) && format != `"json"` && format != `""` {
		// The model is not bothered with it, and it counts as no call.
		answer(w, http.StatusInternalServerError, map[string]string{"error": "invalid format: " + format + `; expected "json" or a valid JSON Schema object`})
		return
	}
	s.chat(w, r, ollamaDialect{model}, model, raw, b.Messages, len(b.Format) > 0)
}

// chat plays the scenario of a model in a dialect.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, d dialect, model string, raw []byte, messages []message, format bool) {
	call, times, end := s.enter(r, model, raw)
	defer end()
	var given struct {
		Tools []json.RawMessage `json:"tools"`
	}
	_ = json.Unmarshal(raw, &given)
	p := &pen{w: w, ctx: r.Context(), dialect: d, format: format, times: times, tools: len(given.Tools) > 0, acts: s.o.Acts}
	var prompt strings.Builder
	for _, m := range messages {
		p.pictures += len(m.Images) + m.Content.pictures
		prompt.WriteString(m.Role + "\n" + m.Content.text + "\n")
		if m.Role == "system" {
			p.system = m.Content.text
		}
		p.last = m.Content.text
		switch {
		case m.Role == "assistant":
			p.turn++
		case m.Role == "tool":
			p.given++
		case m.Role == "user" && strings.HasPrefix(m.Content.text, "role: "):
			p.asked, p.given, p.turn = m.Content.text, 0, 0
		case m.Role == "user" && strings.HasPrefix(m.Content.text, "results:"):
			p.given += strings.Count(m.Content.text, " ok: ") + strings.Count(m.Content.text, " failed: ")
		}
	}
	if p.asked == "" {
		p.asked = p.last
	}
	name := scenarioOf(model)
	if name == "waits" {
		p.gate = s.gate(model)
	} else {
		p.usage.cached = s.cached(model, prompt.String()) / 4
	}
	p.usage.in = prompt.Len() / 4
	s.play(name, p)
	s.made(call, p.made)
}

func (s *Server) load(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	_, end := s.begin(r, model, raw)
	defer end()
	var b struct {
		KeepAlive json.RawMessage `json:"keep_alive"`
	}
	_ = json.Unmarshal(raw, &b)
	if scenarioOf(model) == "waits" {
		select {
		case <-s.gate(model):
		case <-r.Context().Done():
			return
		}
	}
	s.mu.Lock()
	s.loaded[model] = string(b.KeepAlive) != `"0s"`
	s.mu.Unlock()
	answer(w, http.StatusOK, map[string]any{"model": model, "done": true, "done_reason": "load"})
}

func (s *Server) ollamaEmbed(w http.ResponseWriter, r *http.Request) {
	model, raw := body(r)
	var b struct {
		Input []string `json:"input"`
	}
	_ = json.Unmarshal(raw, &b)
	if scenarioOf(model) != "vectors" {
		answer(w, http.StatusNotImplemented, map[string]string{"error": "this model does not support embeddings"})
		return
	}
	answer(w, http.StatusOK, map[string]any{"model": model, "embeddings": vectors(b.Input)})
}

func vectors(texts []string) [][]float32 {
	all := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float32, 8)
		for k := range len(text) {
			v[k%8] += float32(text[k]) / 255
		}
		all[i] = v
	}
	return all
}

// ollamaDialect is newline-separated JSON.
type ollamaDialect struct{ model string }

func (ollamaDialect) mime() string { return "application/x-ndjson" }

func (d ollamaDialect) piece(kind, quoted string) string {
	content := `"content":` + quoted
	if kind == "thinking" {
		content = `"content":"","thinking":` + quoted
	}
	return fmt.Sprintf(`{"model":%q,"created_at":%q,"message":{"role":"assistant",%s},"done":false}`+"\n", d.model, time.Now().UTC().Format(time.RFC3339Nano), content)
}

func (d ollamaDialect) calls(list []fakeCall) string {
	made := make([]string, len(list))
	for i, c := range list {
		made[i] = fmt.Sprintf(`{"function":{"index":%d,"name":%q,"arguments":%s}}`, i, c.tool, c.arguments)
	}
	return fmt.Sprintf(`{"model":%q,"created_at":%q,"message":{"role":"assistant","content":"","tool_calls":[%s]},"done":false}`+"\n",
		d.model, time.Now().UTC().Format(time.RFC3339Nano), strings.Join(made, ","))
}

func (d ollamaDialect) fault(words string) string {
	return encode(map[string]string{"error": words}) + "\n"
}

func (d ollamaDialect) done(reason string, u usage) string {
	return encode(map[string]any{
		"model": d.model, "created_at": time.Now().UTC(), "message": message{Role: "assistant"}, "done": true, "done_reason": reason,
		"prompt_eval_count": u.in, "prompt_eval_cached_count": u.cached, "eval_count": u.out, "total_duration": 1000000,
	}) + "\n"
}

func (d ollamaDialect) refuse(w http.ResponseWriter, status int, words, _ string) {
	answer(w, status, map[string]string{"error": words})
}
