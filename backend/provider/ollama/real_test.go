package ollama_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
	"agentchat/backend/provider/wire"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// story is longer than what counts as saying the same thing again and again.
var story = func() string {
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, "%d번째 손님이 왔어요. ", i)
	}
	return b.String()
}()

var scripts = []tinygguf.Script{
	{Say: "네, 알겠어요. 바로 할게요!"},
	{Role: "role: reporter", Say: "다 됐어요. 편히 쉬세요."},
	{After: "request:\n생각해 줘", Say: "<think>손님이 생각을 부탁했다.</think>\n생각해 봤어요."},
	{After: "request:\n끝없이 말해 줘", Say: story, Endless: true},
	{Role: "role: planner", After: "request:\n안녕?", Say: `{"route":"answer","reply":"안녕하세요, 손님!"}`},
	{Role: "role: planner", After: "request:\n노래 틀어 줘", Say: `{"route":"jobs","reply":"노래를 틀게요.","jobs":[{"title":"노래","todos":[{"title":"노래 틀기","request":"노래 틀어 줘","tool":"song"}]}]}`},
}

var fullPlan = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["route","reply"],"properties":{"route":{"enum":["answer","jobs"]},"reply":{"type":"string","maxLength":200},` +
	`"jobs":{"type":"array","maxItems":4,"items":{"type":"object","additionalProperties":false,"required":["title","todos"],"properties":{"title":{"type":"string","maxLength":60},` +
	`"todos":{"type":"array","maxItems":4,"items":{"type":"object","additionalProperties":false,"required":["title","request"],"properties":{"title":{"type":"string","maxLength":60},"tool":{"type":"string","maxLength":32},"request":{"type":"string","maxLength":100}}}}}}}}}`)

// A request says that the model has to be loaded when it has, and only then.
func realLoading(t *testing.T, p *ollama.Provider) {
	chat := func() (loads int) {
		t.Helper()
		reply, err := p.Chat(t.Context(), realLetter(provider.RoleReporter, "다 됐어?"), func(d provider.Delta) {
			if d.Loading {
				loads++
			}
		})
		if err != nil || reply.Model != "scripted" {
			t.Errorf("%+v, %v", reply, err)
		}
		return loads
	}
	if err := p.Unload(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}
	if n := chat(); n != 1 {
		t.Errorf("told %d times that the model loads", n)
	}
	if n := chat(); n != 0 {
		t.Errorf("told %d times that a model in memory loads", n)
	}
}

func realLetter(role provider.Role, request string) provider.Request {
	l := provider.Request{ID: "l", Role: role, Lang: bilingual.KO, Tools: providertest.Tools(), Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Message: request}
	if role == provider.RolePlanner {
		l.Schema = fullPlan
	}
	return l
}

func TestRealServer(t *testing.T) {
	server := realollama.Start(t)
	server.Create(t, "scripted", tinygguf.Scripted(scripts), tinygguf.Template)
	server.Create(t, "thinker", tinygguf.Scripted(scripts), tinygguf.ThinkingTemplate)
	server.Create(t, "drunk", tinygguf.Random(7), tinygguf.Template)
	server.Create(t, "solver", tinygguf.Scripted(loopScripts), tinygguf.Template)
	with := func(t *testing.T, model string) *ollama.Provider {
		return open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(model), NumThread: 1, Cards: short})
	}
	t.Run("scripts", func(t *testing.T) { realScripts(t, with(t, "scripted")) })
	t.Run("a model that is not in memory", func(t *testing.T) { realLoading(t, with(t, "scripted")) })
	t.Run("a model that reasons", func(t *testing.T) { realThinker(t, with(t, "thinker")) })
	t.Run("the prefix is read once", func(t *testing.T) { realPrefix(t, with(t, "scripted")) })
	t.Run("cancel frees the slot", func(t *testing.T) {
		realCancel(t, open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("scripted"), NumThread: 1, Cards: endless}))
	})
	t.Run("stop after stop", func(t *testing.T) {
		realStops(t, open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("scripted"), NumThread: 1, Cards: endless}))
	})
	t.Run("too long a letter", func(t *testing.T) { realOverflow(t, with(t, "scripted")) })
	t.Run("a missing model", func(t *testing.T) {
		if _, err := with(t, "nobody").Chat(t.Context(), realLetter(provider.RoleSolver, "안녕?"), nil); apperr.CodeOf(err) != apperr.ModelMissing {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("a drunk interpreter ends in a defined way", func(t *testing.T) { realDrunk(t, with(t, "drunk")) })
	t.Run("the solve loop", func(t *testing.T) {
		realLoop(t, open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("solver"), NumThread: 1}))
	})
	server.Create(t, "planner", tinygguf.Scripted(lampScripts), tinygguf.Template)
	t.Run("a plan is held to its tools", func(t *testing.T) { realForms(t, with(t, "planner")) })
	t.Run("reading ahead", func(t *testing.T) { realRead(t, server, with(t, "scripted")) })
	t.Run("keeper", func(t *testing.T) { realKeeper(t, server, with(t, "scripted")) })
}

// endless cards end only where the context does.
func endless(_ provider.Role, c wire.Card) wire.Card {
	c.MaxTokens = 0
	return c
}

// short cards keep random answers short.
func short(_ provider.Role, c wire.Card) wire.Card {
	c.MaxTokens = min(c.MaxTokens, 200)
	return c
}

func realScripts(t *testing.T, p *ollama.Provider) {
	for _, c := range []struct {
		role          provider.Role
		request, want string
	}{
		{provider.RoleSolver, "아무 말", scripts[0].Say},
		{provider.RoleReporter, "아무 말", scripts[1].Say},
		{provider.RolePlanner, "안녕?", scripts[4].Say},
		{provider.RolePlanner, "노래 틀어 줘", scripts[5].Say},
		{provider.RoleReporter, "안녕?", scripts[1].Say},
	} {
		for range 2 { // deterministic
			var pieces strings.Builder
			reply, err := p.Chat(t.Context(), realLetter(c.role, c.request), func(d provider.Delta) { pieces.WriteString(d.Text) })
			if err != nil {
				t.Fatalf("%s %q: %v (%q)", c.role, c.request, err, reply.Text)
			}
			if reply.Text != c.want || pieces.String() != c.want || reply.DoneReason != "stop" || reply.TokensIn == 0 || reply.TokensOut == 0 {
				t.Errorf("%s %q: %+v", c.role, c.request, reply)
			}
		}
	}
	reply, err := p.Chat(t.Context(), realLetter(provider.RoleSolver, "생각해 줘"), nil)
	if err != nil || reply.Text != "생각해 봤어요." || reply.Thinking != "손님이 생각을 부탁했다." {
		t.Errorf("%+v, %v", reply, err)
	}
}

func realThinker(t *testing.T, p *ollama.Provider) {
	details, err := p.Show(t.Context(), "thinker")
	if err != nil || !strings.Contains(strings.Join(details.Capabilities, " "), "thinking") {
		t.Fatalf("%+v, %v", details, err)
	}
	reply, err := p.Chat(t.Context(), realLetter(provider.RoleSolver, "생각해 줘"), nil)
	if err != nil || reply.Text != "생각해 봤어요." || strings.Contains(reply.Text, "부탁") {
		t.Errorf("%+v, %v", reply, err)
	}
}

func realPrefix(t *testing.T, p *ollama.Provider) {
	l := realLetter(provider.RolePlanner, "안녕?")
	for i := range 6 {
		l.Role = []provider.Role{provider.RolePlanner, provider.RoleReporter}[i%2]
		l.Schema = nil
		l.Transcript = append(l.Transcript, provider.Turn{Speaker: "customer", Text: "오늘은 뭐 하지?"}, provider.Turn{Speaker: "shop", Text: "노래를 들어 보세요."})
		reply, err := p.Chat(t.Context(), l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && reply.TokensCached < reply.TokensIn*8/10 {
			t.Errorf("turn %d: only %d of %d tokens came from the cache", i, reply.TokensCached, reply.TokensIn)
		}
	}
}

func realCancel(t *testing.T, p *ollama.Provider) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		var once sync.Once
		_, err := p.Chat(ctx, realLetter(provider.RoleSolver, "끝없이 말해 줘"), func(provider.Delta) { once.Do(func() { close(began) }) })
		ended <- err
	}()
	select {
	case <-began:
	case err := <-ended:
		t.Fatalf("it ended before it was stopped: %v", err)
	}
	canceled := time.Now()
	cancel()
	if err := <-ended; apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("ended with %v", err)
	}
	t.Logf("the call ended %v after the cancel", time.Since(canceled))
	reply, err := p.Chat(t.Context(), realLetter(provider.RoleSolver, "아무 말"), nil)
	if err != nil {
		t.Errorf("the next letter: %v", err)
	}
	t.Logf("the next letter had its first token %v after the cancel", time.Since(canceled)-reply.Elapsed+reply.FirstToken)
}

// However often a story is stopped, and wherever, the model has a place for the next request and still knows what it read.
// (A story stopped at the wrong moment took the place with it for good, and the request ended with model_timeout.)
func realStops(t *testing.T, p *ollama.Provider) {
	const stops = 12
	again := 0
	for i := range stops {
		ctx, cancel := context.WithCancel(t.Context())
		pieces := 0
		_, err := p.Chat(ctx, realLetter(provider.RoleSolver, "끝없이 말해 줘"), func(d provider.Delta) {
			if d.Text == "" {
				return
			}
			if pieces++; pieces == i+1 {
				cancel()
			}
		})
		cancel()
		if apperr.CodeOf(err) != apperr.Canceled {
			t.Fatalf("stop %d ended with %v", i, err)
		}
		reply, err := p.Chat(t.Context(), realLetter(provider.RoleSolver, "아무 말"), nil)
		if err != nil || reply.Text != scripts[0].Say {
			t.Fatalf("the letter after stop %d: %+v, %v", i, reply, err)
		}
		if reply.TokensCached < reply.TokensIn*9/10 {
			again++
		}
	}
	// On a busy machine a place may still be lost and found again by loading the model; that must stay the exception.
	if again == stops {
		t.Errorf("after %d of %d stops the whole letter was read again", again, stops)
	}
	t.Logf("after %d of %d stops the whole letter was read again", again, stops)
}

func realOverflow(t *testing.T, p *ollama.Provider) {
	l := realLetter(provider.RoleSolver, strings.Repeat("길고 긴 이야기 ", 1000))
	if _, err := p.Chat(t.Context(), l, nil); apperr.CodeOf(err) != apperr.ContextOverflow {
		t.Errorf("ended with %v", err)
	}
}

func realDrunk(t *testing.T, p *ollama.Provider) {
	defined := map[apperr.Code]int{}
	for i := range 40 {
		l := realLetter([]provider.Role{provider.RolePlanner, provider.RoleSolver}[i%2], strings.Repeat("무슨 말이야? ", i%7+1))
		reply, err := p.Chat(t.Context(), l, nil)
		if err == nil && l.Role == provider.RolePlanner {
			_, err = provider.Adapter{}.ParsePlan(reply.Text, func(tool string) bool { return tool == "song" })
		}
		code := apperr.CodeOf(err)
		if code != "" && code != apperr.ModelBadOutput {
			t.Errorf("turn %d ended with %v", i, err)
		}
		defined[code]++
	}
	t.Logf("ends: %v", defined)
}

func realKeeper(t *testing.T, server *realollama.Server, p *ollama.Provider) {
	ctx := t.Context()
	loaded := func() bool {
		models, err := p.Models(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			if m.Name == "scripted:latest" {
				return m.Loaded
			}
		}
		t.Fatalf("it is not listed: %+v", models)
		return false
	}
	if err := p.Unload(ctx, "scripted"); err != nil {
		t.Fatal(err)
	}
	before := server.Loads(t)
	if err := p.Load(ctx, "scripted"); err != nil || !loaded() {
		t.Fatalf("loaded %t, %v", loaded(), err)
	}
	if _, err := p.Chat(ctx, realLetter(provider.RoleSolver, "아무 말"), nil); err != nil {
		t.Fatal(err)
	}
	if n := server.Loads(t) - before; n != 1 {
		t.Errorf("the model was read %d times for the first letter", n)
	}
	if s := p.Status(ctx); s.Health != provider.HealthOK || s.Model != "scripted" {
		t.Errorf("%+v", s)
	}
	if err := p.Unload(ctx, "scripted"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Embed(ctx, []string{"하나"}); apperr.CodeOf(err) != apperr.NotAvailable {
		t.Errorf("embedded: %v", err)
	}
	if err := p.Delete(ctx, "thinker"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Show(ctx, "thinker"); apperr.CodeOf(err) != apperr.ModelMissing {
		t.Errorf("shown: %v", err)
	}
}
