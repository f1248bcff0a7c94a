package shop_test

import (
	"encoding/json"
	"slices"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/testing/fakemodel"
)

// chatCall is what a call of the chat says.
type chatCall struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Format  json.RawMessage `json:"format"`
	Options struct {
		Most int `json:"num_predict"`
	} `json:"options"`
}

// chats are the calls of a model's chat so far, and which of them only read.
func chats(t *testing.T, server *fakemodel.Process, model string) (asked, ahead []chatCall) {
	t.Helper()
	calls, err := server.Calls(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		var c chatCall
		if call.Model != model || call.Path != "/api/chat" || json.Unmarshal(call.Body, &c) != nil {
			continue
		}
		if c.Options.Most == 1 {
			ahead = append(ahead, c)
		} else {
			asked = append(asked, c)
		}
	}
	return asked, ahead
}

// A model that comes into memory has the frozen block read in, byte for byte as the first request has it; before that it is left
// where it is, and sent out again it stays out.
func TestTheBlockIsReadInWhenAModelIsLoaded(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const model = "shop:latest"
	c := foreign(t, server, t.TempDir(), model)
	if _, ahead := chats(t, server, model); len(ahead) != 0 {
		t.Errorf("a model that is not in memory was asked to read %d times", len(ahead))
	}
	if err := c.LoadModel(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	if _, err := server.AwaitChat(t.Context(), model, "done"); err != nil {
		t.Fatal(err)
	}
	c.names("이야기")
	c.say("Could you tell me why the sky is blue?")
	if err := c.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked, ahead := chats(t, server, model)
	if len(asked) == 0 || len(ahead) == 0 { // whoever else wants the model meanwhile interrupts it, and it begins anew
		t.Fatalf("%d requests, %d read ahead", len(asked), len(ahead))
	}
	if read, first := ahead[0], asked[0]; read.Messages[0] != first.Messages[0] || len(read.Messages) != len(first.Messages) || len(read.Format) > 0 {
		t.Errorf("%d messages were read ahead, format %s; the request has %d", len(read.Messages), read.Format, len(first.Messages))
	}
	list := c.requests("main")
	if x := list[len(list)-1]; x.Request.Role != provider.RolePlanner || x.Reply.TokensCached < x.Reply.TokensIn*8/10 {
		t.Errorf("%s: %d of %d tokens were read", x.Request.Role, x.Reply.TokensIn-x.Reply.TokensCached, x.Reply.TokensIn)
	}
	if slices.ContainsFunc(list, func(x interpreter.Exchange) bool { return x.Request.Patience > 0 }) {
		t.Error("what was read ahead stands among the letters")
	}
	if err := c.UnloadModel(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	v, err := c.Models(t.Context())
	if err != nil || slices.ContainsFunc(v.Installed, func(m models.Installed) bool { return m.Name == model && m.Loaded }) {
		t.Errorf("it is in memory again: %v", err)
	}
}

// While a model says nothing it is told what it reads; the turn itself goes on.
func TestAModelThatTakesLongIsTold(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const model = "waits:latest"
	c := foreign(t, server, t.TempDir(), model)
	if _, err := c.Say(t.Context(), "main", "Could you tell me why the sky is blue?", "", ""); err != nil {
		t.Fatal(err)
	}
	told := until(c, "what the model reads", func(e event.Envelope, th event.Thinking) bool { return e.Chat == "main" && th.Work != nil })
	if told.Work.Read < 500 || told.Work.Wrote != 0 || told.Step != "planning" || told.Text == "" {
		t.Errorf("%+v, %+v", told, told.Work)
	}
	if err := server.Release(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	if err := c.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
}
