package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
)

// shelf keeps consents in memory.
type shelf struct {
	mu     sync.Mutex
	held   map[string]mcp.Consent
	broken error // what it says instead of dropping anything
}

func (s *shelf) Consents(context.Context) (list []mcp.Consent, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.held {
		list = append(list, c)
	}
	return list, nil
}

func (s *shelf) SaveConsent(_ context.Context, c mcp.Consent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[c.Server] = c
	return nil
}

func (s *shelf) DropConsent(_ context.Context, server string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		delete(s.held, server)
	}
	return s.broken
}

// own is one of the shop's own tools.
type own string

func (o own) Spec() toolbox.Spec {
	return toolbox.Spec{Key: string(o), Capacity: 1, Confirm: toolbox.ConfirmNever, Effect: toolbox.EffectRead}
}

func (o own) Run(context.Context, toolbox.Call) (toolbox.Result, error) { return toolbox.Result{}, nil }

type nobody struct{}

func (nobody) Publish(...event.Event) {}

// log collects what is logged.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// house is a toolbox with outside servers.
type house struct {
	ring ring                                                              // the keyring
	page func(ctx context.Context, address string) error                   // the person's browser; nil: none
	late atomic.Int64                                                      // how much later it is
	held atomic.Pointer[mcp.Limits]                                        // the limits that hold
	ask  func(ctx context.Context, q mcp.Question) (map[string]any, error) // a person who is asked; nil: nobody
	// A person who lets a model write, and the model; nil: nobody.
	sample func(ctx context.Context, q mcp.Question) (mcp.Sampled, error)
	*mcp.Mounts
	t     *testing.T
	box   *toolbox.Box
	store *shelf
	dir   string
	log   *log
	moved chan struct{}
}

// quick are limits that keep tests short.
var quick = mcp.Limits{
	Start: patience, Answer: patience, Grace: 500 * time.Millisecond, Relist: time.Millisecond,
	Backoff: []time.Duration{time.Millisecond, time.Millisecond}, Steady: time.Hour,
}

// entry is a server in mcp.json.
type entry map[string]any

// stdio is a server of one kind as a child process; it keeps its notes in the house's folder.
func (h *house) stdio(play string, more entry) entry {
	var line bytes.Buffer
	if json.Compact(&line, []byte(play)) == nil { // a list of tools
		play = line.String()
	}
	e := entry{"command": os.Args[0], "env": map[string]any{playVar: play, "NOTES": h.dir, "API_TOKEN": token}}
	for k, v := range more {
		e[k] = v
	}
	return e
}

const token = "tok-4711-very-secret"

func newHouse(t *testing.T, limits mcp.Limits) *house {
	t.Helper()
	h := &house{t: t, store: &shelf{held: map[string]mcp.Consent{}}, dir: t.TempDir(), log: &log{}, moved: make(chan struct{}, 1)}
	h.open(limits)
	return h
}

func (h *house) open(limits mcp.Limits) {
	h.t.Helper()
	h.held.Store(&limits)
	var err error
	if h.box, err = toolbox.New(nobody{}, toolbox.Options{}); err != nil {
		h.t.Fatal(err)
	}
	if err := h.box.Register(own("nav"), own("weather")); err != nil {
		h.t.Fatal(err)
	}
	h.Mounts = mcp.New(mcp.Options{
		File: filepath.Join(h.dir, mcp.FileName), Box: h.box, Store: h.store,
		Own: func(key string) bool {
			spec, err := h.box.Spec(key)
			return err == nil && spec.Outside == ""
		},
		Limits: func() mcp.Limits { return *h.held.Load() },
		Changed: func(string) {
			select {
			case h.moved <- struct{}{}:
			default:
			}
		},
		Ask:    h.ask,
		Sample: h.sample,
		Browse: func(ctx context.Context, address string) error { return h.page(ctx, address) },
		Now:    func() time.Time { return time.Now().Add(time.Duration(h.late.Load())) },
		Keys:   &h.ring, Version: "test", Log: zerolog.New(h.log).Level(zerolog.DebugLevel),
	})
	mounts := h.Mounts
	h.t.Cleanup(func() {
		if err := mounts.Close(); err != nil {
			h.t.Error(err)
		}
	})
	if err := h.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// mount names servers in mcp.json.
func (h *house) mount(servers map[string]entry) {
	h.t.Helper()
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.Set(string(text)); err != nil {
		h.t.Fatal(err)
	}
}

// until waits until a server is as wanted.
func (h *house) until(server, what string, fits func(v mcp.ServerView) bool) mcp.ServerView {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	for {
		v := h.server(server)
		if fits(v) {
			return v
		}
		select {
		case <-h.moved:
		case <-ctx.Done():
			h.t.Fatalf("waiting until %s: %+v\n%s", what, v, h.log)
		}
	}
}

func (h *house) server(name string) mcp.ServerView {
	for _, v := range h.View(bilingual.EN).Servers {
		if v.Server == name {
			return v
		}
	}
	return mcp.ServerView{}
}

func is(state mcp.State) func(mcp.ServerView) bool {
	return func(v mcp.ServerView) bool { return v.State == state }
}

// consented mounts one server and consents to its tools as they are shown.
func (h *house) consented(name string, e entry) {
	h.t.Helper()
	h.mount(map[string]entry{name: e})
	v := h.until(name, "its tools are shown", func(v mcp.ServerView) bool { return v.Digest != "" })
	if err := h.Consent(h.t.Context(), name, v.Digest); err != nil {
		h.t.Fatal(err)
	}
	h.until(name, "it is ready", is(mcp.StateReady))
}

// call is one use of a tool. result and err count after end.
type call struct {
	h      *house
	key    string
	result toolbox.Result
	err    error
	done   chan struct{}
	heard  chan string
	mu     sync.Mutex
	lines  []string
}

func (c *call) logged() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines)
}

// run uses a tool in the box and waits for its end.
func (h *house) run(ctx context.Context, key, args string) *call {
	h.t.Helper()
	c := h.begin(ctx, key, args)
	c.end()
	return c
}

// begin uses a tool in the box.
func (h *house) begin(ctx context.Context, key, args string) *call {
	h.t.Helper()
	tool, err := h.box.Tool(key)
	if err != nil {
		h.t.Fatal(err)
	}
	canonical, err := h.box.ValidateArgs(key, json.RawMessage(args))
	if err != nil {
		h.t.Fatal(err)
	}
	c := &call{h: h, key: key, heard: make(chan string, 1000), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.result, c.err = tool.Run(ctx, toolbox.Call{Args: canonical, Lang: bilingual.EN, Log: func(_, line string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.lines = append(c.lines, line)
			c.heard <- line
		}})
	}()
	h.t.Cleanup(func() { <-c.done })
	return c
}

// end waits for the end of the call.
func (c *call) end() {
	c.h.t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.h.t.Fatalf("%s does not end", c.key)
	}
	if c.err == nil {
		if _, err := c.h.box.ValidateResult(c.key, c.result.Data); err != nil {
			c.h.t.Error(err)
		}
	}
}

// hears waits for a line in the log.
func (c *call) hears(part string) {
	c.h.t.Helper()
	select {
	case line := <-c.heard:
		mustHold(c.h.t, line, part)
	case <-c.done:
		c.h.t.Fatalf("it ended: %v", c.err)
	case <-time.After(patience):
		c.h.t.Fatal("nothing is heard")
	}
}

// keys are the tools of outside servers in the box.
func (h *house) keys() (keys []string) {
	for _, s := range h.box.Specs() {
		if s.Outside != "" {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

func find(v mcp.ServerView, name string) mcp.ToolView {
	for _, t := range v.Tools {
		if t.Name == name {
			return t
		}
	}
	return mcp.ToolView{}
}

func wantCode(t *testing.T, err error, code apperr.Code) {
	t.Helper()
	if apperr.CodeOf(err) != code {
		t.Errorf("have error %v, want %s", err, code)
	}
}

func mustHold(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in %.500q", p, text)
		}
	}
}
