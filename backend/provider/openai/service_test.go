package openai_test

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/providertest"
	"agentchat/backend/testing/fakemodel"
)

func say(t *testing.T, p provider.Provider) (provider.Reply, error) {
	t.Helper()
	l := providertest.Request(provider.RolePlanner, bilingual.KO, "안녕?")
	l.Schema = json.RawMessage(`{"type":"object"}`)
	return p.Chat(t.Context(), l, nil)
}

// sent gives the bodies of the calls of a model.
func sent(t *testing.T, server *fakemodel.Process, model string) (bodies []map[string]any) {
	t.Helper()
	calls, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.Model != model {
			continue
		}
		var body map[string]any
		if err := json.Unmarshal(c.Body, &body); err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// A service that knows less is asked for less, and that is learned once.
func TestAServiceThatKnowsLess(t *testing.T) {
	server := fake(t)
	for _, c := range []struct {
		model string
		calls int // of the first request
		right func(last map[string]any) bool
	}{
		{"no-schema", 2, func(last map[string]any) bool {
			format, _ := last["response_format"].(map[string]any)
			return format["type"] == "json_object"
		}},
		{"no-format", 3, func(last map[string]any) bool { return last["response_format"] == nil }},
		{"no-usage", 2, func(last map[string]any) bool { return last["stream_options"] == nil }},
		{"new-limits", 2, func(last map[string]any) bool {
			return last["max_tokens"] == nil && last["max_completion_tokens"] != nil
		}},
	} {
		t.Run(c.model, func(t *testing.T) {
			p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed(c.model)})
			for range 2 {
				if reply, err := say(t, p); err != nil || reply.Text == "" {
					t.Fatalf("%+v, %v", reply, err)
				}
			}
			bodies := sent(t, server, c.model)
			if text, err := json.Marshal(bodies[len(bodies)-1]["messages"]); err != nil || strings.Contains(string(text), `\"type\":\"object\"`) {
				t.Errorf("the schema is told: %s, %v", text, err)
			}
			if len(bodies) != c.calls+1 || !c.right(bodies[len(bodies)-1]) {
				t.Errorf("%d calls, the last %v", len(bodies), bodies[len(bodies)-1])
			}
		})
	}
}

// A service that is near and in use reads ahead, a token to write and no more; one that nobody has used yet may have its model
// somewhere else than in memory, and one far away costs money and may show its model the form of a reply.
func TestOnlyAServiceThatIsNearReadsAhead(t *testing.T) {
	server := fake(t)
	const model = "shop@ahead"
	p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed(model)})
	l := providertest.Request(provider.RolePlanner, bilingual.KO, "안녕?")
	read := func(p *openai.Provider, want bool) {
		t.Helper()
		if reply, ok, err := p.Read(t.Context(), l); err != nil || ok != want || want != (reply.TokensIn > 0) {
			t.Errorf("%+v, %v, %v", reply, ok, err)
		}
	}
	read(p, false)
	if _, err := say(t, p); err != nil {
		t.Fatal(err)
	}
	read(p, true)
	bodies := sent(t, server, model)
	if last := bodies[len(bodies)-1]; len(bodies) != 2 || last["max_tokens"] != float64(1) || last["response_format"] != nil {
		t.Errorf("%d calls, the last %v", len(bodies), last)
	}
	for base, far := range map[string]bool{
		"http://127.0.0.1:1/v1": false, "localhost:1": false, "192.168.0.7:8000": false, "nas:8000": false, "nas.local": false, "[::1]:8000": false,
		"https://api.openai.com/v1": true, "https://8.8.8.8/v1": true, "": false,
	} {
		p := open(t, openai.Options{Base: fixed(base), Model: fixed(model)})
		if p.ReadsForm() != far {
			t.Errorf("%q shows a model the form: %v", base, !far)
		}
		read(p, false)
	}
}

func TestAServiceThatDoesNotStream(t *testing.T) {
	server := fake(t)
	p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed("whole")})
	reply, err := say(t, p)
	if err != nil || reply.Text != "한 번에 말해요." || reply.Thinking != "생각" || reply.TokensIn != 7 || reply.TokensOut != 3 {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestTokensAreCounted(t *testing.T) {
	server := fake(t)
	p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed("shop")})
	var reply provider.Reply
	for range 2 {
		var err error
		if reply, err = say(t, p); err != nil {
			t.Fatal(err)
		}
	}
	if reply.TokensIn == 0 || reply.TokensOut == 0 || reply.TokensCached != reply.TokensIn || reply.DoneReason != "stop" {
		t.Errorf("%+v", reply)
	}
}

func TestTheKey(t *testing.T) {
	const key = "sk-a-secret-of-the-customer"
	server := fake(t, "-key", key)
	right := open(t, openai.Options{Base: fixed(server.Addr + "/v1/"), Key: secret(key), Model: fixed("shop")})
	if _, err := say(t, right); err != nil {
		t.Error(err)
	}
	wrong := open(t, openai.Options{Base: fixed(server.Addr), Key: secret("sk-wrong-but-secret-too"), Model: fixed("shop")})
	_, err := say(t, wrong)
	if apperr.CodeOf(err) != apperr.ProviderRefused || strings.Contains(err.Error(), "secret") {
		t.Errorf("ended with %v", err)
	}
	if s := wrong.Status(t.Context()); s.Health != provider.HealthError || s.Reason != provider.ReasonRefused || strings.Contains(s.Detail, "secret") {
		t.Errorf("%+v", s)
	}
}

func TestVectorsComeInTheOrderOfTheTexts(t *testing.T) {
	server := fake(t)
	p := open(t, openai.Options{Base: fixed(server.Addr)})
	both, err := p.Embed(t.Context(), []string{"하나", "둘둘둘"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Embed(t.Context(), []string{"둘둘둘"})
	if err != nil || both[1][0] != second[0][0] || both[0][0] == both[1][0] {
		t.Errorf("%v, %v, %v", both, second, err)
	}
}

func TestStatusTellsWhatIsWrong(t *testing.T) {
	server, plain, empty := fake(t), fake(t, "-plain"), fake(t, "-no-model")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	_ = l.Close()
	for _, c := range []struct {
		name, base, model string
		health            provider.Health
		reason            provider.Reason
	}{
		{"fine", server.Addr, "shop", provider.HealthOK, ""},
		{"a model is picked", "http://" + server.Addr + "/v1/chat/completions", "", provider.HealthOK, ""},
		{"nothing there", closed, "shop", provider.HealthUnreachable, provider.ReasonNothingThere},
		{"something else there", plain.Addr, "shop", provider.HealthUnreachable, provider.ReasonWrongAddress},
		{"a wrong path", server.Addr + "/api", "shop", provider.HealthUnreachable, provider.ReasonWrongAddress},
		{"no address", "", "shop", provider.HealthUnreachable, provider.ReasonWrongAddress},
		{"no model", empty.Addr, "", provider.HealthNoModel, provider.ReasonNoModel},
		{"not that model", server.Addr, "nobody", provider.HealthNoModel, provider.ReasonNoModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := open(t, openai.Options{Base: fixed(c.base), Model: fixed(c.model)})
			if s := p.Status(t.Context()); s.Health != c.health || s.Reason != c.reason || s.Health != provider.HealthOK && s.Detail == "" {
				t.Errorf("%+v", s)
			}
		})
	}
}

func secret(key string) func(context.Context) string {
	return func(context.Context) string { return key }
}
