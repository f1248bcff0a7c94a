// Package fakemodel is a model server for tests that speaks Ollama's HTTP and OpenAI's, as a process of its own. What it
// does is chosen by the name of the model a call asks for: each name is a scenario, and what follows an @ or a colon in the
// name is ignored, so that a test can have a scenario to itself ("status-503x2@retry").
package fakemodel

import (
	"encoding/json"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

// Options say what kind of server it is.
type Options struct {
	Key     string // OpenAI calls must carry it; "": none needed
	NoModel bool   // no model is installed
	Plain   bool   // it is no model server at all: every page is the same page
	Rules   []Rule // what the shop scenario answers, before its own answers
	Acts    []Act  // what the scenario call-script does
}

// Call is one call that arrived. State is running, done or aborted (the client went away before the end).
type Call struct {
	ID    int             `json:"id"`
	Path  string          `json:"path"`
	Model string          `json:"model"`
	Body  json.RawMessage `json:"body"`
	State string          `json:"state"`
	Ended time.Time       `json:"ended"`
	Made  []string        `json:"made,omitempty"` // the tools that the answer called, of scenarios that call any
}

// Server is the fake. Make one with New.
type Server struct {
	o   Options
	mux *http.ServeMux

	mu       sync.Mutex
	changed  chan struct{} // closed at every change of a call
	calls    []*Call
	received int64                    // bytes of all calls
	times    map[string]int           // calls so far, by full model name
	released map[string]chan struct{} // for scenarios that wait to be released
	loaded   map[string]bool
	arrived  map[string]int    // bytes of a download that was broken off, by model
	pulled   map[string]bool   // models that were downloaded
	prompts  map[string]string // the last prompt by model: the prefix cache
}

// New makes a server.
func New(o Options) *Server {
	s := &Server{
		o: o, mux: http.NewServeMux(), changed: make(chan struct{}), times: map[string]int{},
		released: map[string]chan struct{}{}, loaded: map[string]bool{}, prompts: map[string]string{},
		arrived: map[string]int{}, pulled: map[string]bool{},
	}
	if o.Plain {
		s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html><body>It works!</body></html>")
		})
		return s
	}
	s.control()
	s.ollama()
	s.openai()
	return s
}

// ServeHTTP serves both dialects and the controls.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// control is what a test uses to see and steer: GET /fake/calls lists them, GET
// /fake/heard tells how many bytes they have, GET /fake/await?model=&state=&path= answers when
// a call of that model (to that path, if one is given) is in that state, POST /fake/release?model= lets go of a scenario that waits.
func (s *Server) control() {
	s.mux.HandleFunc("GET /fake/calls", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answer(w, http.StatusOK, s.calls)
	})
	s.mux.HandleFunc("GET /fake/heard", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		answer(w, http.StatusOK, s.received)
	})
	s.mux.HandleFunc("GET /fake/await", func(w http.ResponseWriter, r *http.Request) {
		model, state, path := r.FormValue("model"), r.FormValue("state"), r.FormValue("path")
		for {
			call, changed := s.find(model, state, path)
			if call != nil {
				answer(w, http.StatusOK, call)
				return
			}
			select {
			case <-changed:
			case <-r.Context().Done():
				return
			}
		}
	})
	s.mux.HandleFunc("POST /fake/release", func(w http.ResponseWriter, r *http.Request) {
		close(s.gate(r.FormValue("model")))
		w.WriteHeader(http.StatusNoContent)
	})
}

func (s *Server) find(model, state, path string) (*Call, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Model == model && c.State == state && (path == "" || c.Path == path) {
			found := *c
			return &found, s.changed
		}
	}
	return nil, s.changed
}

func (s *Server) gate(model string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.released[model] == nil {
		s.released[model] = make(chan struct{})
	}
	return s.released[model]
}

// begin enters a call; the function it gives enters its end.
func (s *Server) begin(r *http.Request, model string, body []byte) (times int, end func()) {
	_, times, end = s.enter(r, model, body)
	return times, end
}

func (s *Server) enter(r *http.Request, model string, body []byte) (call *Call, times int, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !json.Valid(body) { // whoever called left before all of it was sent
		body = nil
	}
	call = &Call{ID: len(s.calls), Path: r.URL.Path, Model: model, Body: body, State: "running"}
	s.calls = append(s.calls, call)
	s.received += int64(len(body))
	s.times[model]++
	s.tell()
	return call, s.times[model], func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		call.State, call.Ended = "done", time.Now()
		if r.Context().Err() != nil {
			call.State = "aborted"
		}
		s.tell()
	}
}

func (s *Server) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// made enters which tools an answer called.
func (s *Server) made(call *Call, tools []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call.Made = tools
}

// cached is how many bytes of a prompt the model has read before, and remembers it.
func (s *Server) cached(model, prompt string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.prompts[model]
	s.prompts[model] = prompt
	s.loaded[model] = true
	return prefix(last, prompt)
}

// prefix is how many bytes two texts have in common from the start.
func prefix(a, b string) int {
	return sort.Search(min(len(a), len(b)), func(n int) bool { return a[:n+1] != b[:n+1] })
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// scenarioOf is a model's name up to the @ or its tag.
func scenarioOf(model string) string {
	if i := strings.IndexAny(model, "@:"); i >= 0 {
		return model[:i]
	}
	return model
}
