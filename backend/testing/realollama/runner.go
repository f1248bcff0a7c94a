package realollama

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"
)

// started is the server's own line about a model that it reads into memory: each load is one runner, with a port.
var started = regexp.MustCompile(`msg="starting llama-server".* --port (\d+) `)

func (s *Server) runners(t testing.TB) (ports []string) {
	t.Helper()
	text, err := os.ReadFile(s.log)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range started.FindAllSubmatch(text, -1) {
		ports = append(ports, string(m[1]))
	}
	return ports
}

// Loads is how often the server has read a model into memory so far, for whatever reason.
func (s *Server) Loads(t testing.TB) int {
	t.Helper()
	return len(s.runners(t))
}

// runner is the process that holds the model which was loaded last.
func (s *Server) runner(t testing.TB) (*Server, bool) {
	t.Helper()
	ports := s.runners(t)
	if len(ports) == 0 {
		return nil, false
	}
	return &Server{Addr: "127.0.0.1:" + ports[len(ports)-1]}, true
}

// Tokens is how many tokens a text is to the model that was loaded last.
func (s *Server) Tokens(t testing.TB, text string) int {
	t.Helper()
	runner, ok := s.runner(t)
	if !ok {
		t.Fatal("no model is loaded")
	}
	body, err := json.Marshal(map[string]any{"content": text, "parse_special": true})
	if err != nil {
		t.Fatal(err)
	}
	status, answer, err := runner.do(t.Context(), http.MethodPost, "/tokenize", bytes.NewReader(body))
	var found struct {
		Tokens []int `json:"tokens"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(answer), &found)
	}
	if err != nil || status != http.StatusOK {
		t.Fatalf("the runner's tokens: %d %s %v", status, answer, err)
	}
	return len(found.Tokens)
}

// Busy tells whether the model that was loaded last is writing or reading right now, as its runner says.
func (s *Server) Busy(t testing.TB) bool {
	t.Helper()
	runner, ok := s.runner(t)
	if !ok {
		return false
	}
	status, text, err := runner.do(t.Context(), http.MethodGet, "/slots", nil)
	var slots []struct {
		Working bool `json:"is_processing"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &slots)
	}
	if err != nil || len(slots) == 0 {
		t.Fatalf("the runner's slots: %d %s %v", status, text, err)
	}
	for _, slot := range slots {
		if slot.Working {
			return true
		}
	}
	return false
}

// AwaitIdle returns once no model works any more; a minute is too long.
func (s *Server) AwaitIdle(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for s.Busy(t) {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatal("the model went on working")
		}
	}
}
