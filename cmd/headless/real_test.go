package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// realHouse is a real Ollama server with models made here, and a tap between it and the fronts that use it.
type realHouse struct {
	server *realollama.Server
	tap    *realollama.Tap
	reads  []string // what requests look like, for the models to read in few tokens
}

// house starts the server; the test is skipped where there is none.
func house(t testing.TB, env ...string) *realHouse {
	t.Helper()
	h := &realHouse{server: realollama.Start(t, env...)}
	h.tap = h.server.NewTap(t)
	s := start(t, t.TempDir())
	s.must("say", map[string]any{"text": "안녕?"}, nil)
	s.await("turn.done", func(l line) bool { return l.Kind == event.KindTurnDone })
	for _, x := range s.letters() {
		p := provider.Adapter{}.NormalizePrompt(x.Request)
		h.reads = append(h.reads, p.System, p.Messages[len(p.Messages)-1].Text)
	}
	s.quit()
	if len(h.reads) == 0 {
		t.Fatal("no letter to learn from")
	}
	return h
}

// scripted makes a model that says what the scripts say.
func (h *realHouse) scripted(t testing.TB, name string, scripts []tinygguf.Script) {
	t.Helper()
	reads := h.reads
	for _, s := range scripts {
		reads = append(reads, s.After, s.Say)
	}
	h.server.Create(t, name, tinygguf.Scripted(scripts, reads...), tinygguf.Template)
}

// loadedOnce checks that the model stayed in memory. A stop may lose its place at the server, which is found out and mended
// by loading it again.
func (h *realHouse) loadedOnce(t testing.TB) {
	t.Helper()
	if n, lost := h.server.Loads(t), h.tap.Unloads(); n != 1+lost {
		t.Errorf("the model was loaded %d times, with %d places lost", n, lost)
	}
}

// open starts a front whose interpreter is a model of the house, and waits until it is on duty.
func (h *realHouse) open(t testing.TB, model string, args ...string) *session {
	t.Helper()
	s := start(t, t.TempDir(), append([]string{"--provider", "ollama", "--ollama-host", h.tap.Addr, "--model", model}, args...)...)
	s.await("the model on duty", func(l line) bool {
		var p event.ProviderState
		return l.Kind == event.KindProviderState && json.Unmarshal(l.Data, &p) == nil && p.Provider == "ollama" && p.Health == "ok"
	})
	return s
}

// requests are the newest requests of a session, a thousand at most, oldest first.
func (s *session) letters() []interpreter.Exchange { return s.newest(1000) }

func (s *session) newest(limit int) []interpreter.Exchange {
	s.t.Helper()
	var found struct {
		Letters []interpreter.Exchange `json:"letters"`
	}
	s.must("letters", map[string]any{"limit": limit}, &found)
	return found.Letters
}

// printed are the lines so far.
func (s *session) printed() []line { return s.since(0) }

// since are the lines from a mark on.
func (s *session) since(mark int) []line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines[mark:])
}

// streamed puts together what was told piece by piece, by message.
func (s *session) streamed() map[string]string {
	s.t.Helper()
	texts := map[string]*strings.Builder{}
	for _, l := range s.printed() {
		var token event.ChatToken
		if l.Kind != event.KindChatToken || json.Unmarshal(l.Data, &token) != nil {
			continue
		}
		if texts[token.ID] == nil || token.Reset {
			texts[token.ID] = &strings.Builder{}
		}
		texts[token.ID].WriteString(token.Delta)
	}
	whole := map[string]string{}
	for id, b := range texts {
		whole[id] = b.String()
	}
	return whole
}

// plan is a planner's answer, its members in the order in which the grammar wants them.
func plan(reply string, jobs ...string) string {
	if len(jobs) == 0 {
		return `{"route":"answer","reply":` + quote(reply) + `}`
	}
	return `{"route":"jobs","reply":` + quote(reply) + `,"jobs":[` + strings.Join(jobs, ",") + `]}`
}

// work is one job of a plan, with one todo for a tool; args may be empty.
func work(title, tool, request, args string) string {
	todo := `{"title":` + quote(title+" 일") + `,"tool":"` + tool + `","request":` + quote(request)
	if args != "" {
		todo += `,"args":` + args
	}
	return `{"title":` + quote(title) + `,"todos":[` + todo + `}]}`
}

// wish are the scripts for one message: the plan, and the tool chooser's answer when the plan names no arguments.
func wish(text, plan, call string) []tinygguf.Script {
	scripts := []tinygguf.Script{{Role: "role: planner", After: text, Say: plan}}
	if call != "" {
		scripts = append(scripts, tinygguf.Script{Role: "role: tool_chooser", After: text, Say: call})
	}
	return scripts
}

// quote is a text as JSON has it.
func quote(s string) string { return strconv.Quote(s) }
