package shop_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/provider"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
)

// foreign opens a shop whose interpreter is a model of the fake server. A shop opens before its server has answered; here nobody enters it until then.
func foreign(t *testing.T, server *fakemodel.Process, dir, model string) *customer {
	t.Helper()
	c := enterAs(t, dir, nil, "AGENTCHAT_PROVIDER=ollama", "AGENTCHAT_OLLAMA_HOST="+server.Addr, "AGENTCHAT_MODEL="+model)
	c.onDuty("ollama")
	c.again()
	return c
}

// streamOf is what the window saw of a message before it was whole.
func (c *customer) streamOf(id string) (words string, tokens int) {
	c.t.Helper()
	for _, e := range c.seen {
		var token event.ChatToken
		if e.Kind != event.KindChatToken || json.Unmarshal(e.Data, &token) != nil || token.ID != id {
			continue
		}
		if token.Reset {
			words = ""
		}
		words += token.Delta
		tokens++
	}
	return words, tokens
}

// answered says something and gives the shop's message that came of it.
func (c *customer) answered(text string) event.ChatMessage {
	c.t.Helper()
	c.say(text)
	return until(c, "the shop answers", func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleShop })
}

func TestAnAnswerStreamsIntoTheMessageThatFollows(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "think-and-call")
	m := c.answered("안녕?")
	words, tokens := c.streamOf(m.ID)
	if m.Text != "안녕하세요." || words != m.Text || tokens == 0 || m.Reasoning != "비밀" {
		t.Errorf("%+v after %q in %d", m, words, tokens)
	}
	thought := ""
	for _, e := range c.seen {
		var th event.Thinking
		if e.Kind == event.KindThinking && json.Unmarshal(e.Data, &th) == nil && th.Step == "generating" {
			thought += th.Text
		}
		if e.Kind == event.KindChatToken && strings.Contains(string(e.Data), "비밀") {
			t.Errorf("reasoning in %s", e.Data)
		}
	}
	if thought != "비밀" {
		t.Errorf("thinking was told as %q", thought)
	}
	history, err := c.History(t.Context(), "main", "", 10)
	if err != nil || history[len(history)-1].Reasoning != "비밀" || history[len(history)-1].ID != m.ID {
		t.Errorf("%+v, %v", history, err)
	}
}

func TestAReportStreamsIntoItsMessage(t *testing.T) {
	t.Parallel()
	c := foreign(t, serve(t), t.TempDir(), "shop")
	c.hurry()
	id := c.job("노래 한 곡 틀고 그다음에 영화 틀어줘") // two steps: one would be told by code
	c.state(id, "succeeded")
	m := until(c, "the job reports", func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleJob && m.JobID == id })
	if words, tokens := c.streamOf(m.ID); words != m.Text || tokens == 0 {
		t.Errorf("%q after %q in %d", m.Text, words, tokens)
	}
}

// Stopping a reply ends the server's work; what it had written stays, under the id that streamed, and nothing comes after it.
func TestStopReplyReachesTheServer(t *testing.T) {
	t.Parallel()
	server := serve(t)
	c := foreign(t, server, t.TempDir(), "endless-answer")
	msg, err := c.Say(t.Context(), "main", "이야기해줘", "", "")
	if err != nil {
		t.Fatal(err)
	}
	token := until(c, "words come", func(event.Envelope, event.ChatToken) bool { return true })
	if err := c.StopReply("main"); err != nil {
		t.Fatal(err)
	}
	until(c, "the turn is over", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	c.again()
	m := until(c, "the shop answers", func(_ event.Envelope, m event.ChatMessage) bool { return m.Role == event.RoleShop })
	if m.ID != token.ID || m.Code != string(apperr.Stopped) || m.Text == "" {
		t.Errorf("%+v after tokens of %s", m, token.ID)
	}
	if _, err := server.Await(t.Context(), "endless-answer", "aborted"); err != nil {
		t.Error(err)
	}
	whole := false
	for _, e := range c.seen {
		whole = whole || e.Kind == event.KindChatMessage && strings.Contains(string(e.Data), m.ID)
		if whole && e.Kind == event.KindChatToken {
			t.Errorf("%s after the message", e.Data)
		}
	}
}

// Canceling a job ends what the server writes for it.
func TestCancelingAJobReachesTheServer(t *testing.T) {
	t.Parallel()
	server := serve(t)
	c := foreign(t, server, t.TempDir(), "endless-report")
	c.hurry()
	id := c.job("노래 한 곡 틀고 그다음에 영화 틀어줘")
	until(c, "the report is being written", func(e event.Envelope, _ event.ChatToken) bool { return e.Job == id })
	if err := c.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Await(t.Context(), "endless-report", "aborted"); err != nil {
		t.Error(err)
	}
	until(c, "the job is over", func(_ event.Envelope, s event.JobState) bool {
		return s.ID == id && slices.Contains([]string{"canceled", "succeeded"}, s.To)
	})
}

// A model that has to be read into memory first is shown as loading, stays on duty meanwhile, and is well again with the
// first word.
func TestLoadingIsShown(t *testing.T) {
	t.Parallel()
	server := serve(t)
	c := foreign(t, server, t.TempDir(), "waits")
	until(c, "the model is on duty", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == "ollama" && p.Health == "ok" })
	msg, err := c.Say(t.Context(), "main", "안녕?", "", "")
	if err != nil {
		t.Fatal(err)
	}
	p := until(c, "it loads", func(_ event.Envelope, p event.ProviderState) bool { return p.Health == "starting" })
	if p.Provider != "ollama" || p.Reason != "loading" || p.Model != "waits" || p.Detail == "" {
		t.Errorf("%+v", p)
	}
	if snap := c.snapshot(); snap.Provider != p {
		t.Errorf("the snapshot says %+v", snap.Provider)
	}
	if err := server.Release(t.Context(), "waits"); err != nil {
		t.Fatal(err)
	}
	until(c, "it is well", func(_ event.Envelope, p event.ProviderState) bool { return p.Provider == "ollama" && p.Health == "ok" })
	until(c, "the turn is over", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
}

func TestLettersAreKeptAndSentAgain(t *testing.T) {
	t.Parallel()
	server, dir := serve(t), t.TempDir()
	c := foreign(t, server, dir, "shop")
	c.names("인사")
	c.say("안녕? 내 토큰은 sk-abcdefghijklmnopqrstuvwx 이야")
	c.leave()
	c = foreign(t, server, dir, "shop")
	ctx := t.Context()
	rows, err := c.LetterRows(ctx, "main", "", 10)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%+v, %v", rows, err)
	}
	i := slices.IndexFunc(rows, func(r shop.LetterRow) bool { return r.Role == string(provider.RolePlanner) })
	if i < 0 {
		t.Fatalf("%+v", rows)
	}
	row := rows[i]
	if row.Provider != "ollama" || row.Model != "shop" || row.Attempt != 1 || row.TokensIn == 0 || row.TokensOut == 0 || row.Error != "" || strings.Contains(row.Request, "sk-abc") {
		t.Errorf("%+v", row)
	}
	d, err := c.Letter(ctx, row.ID)
	if err != nil || d.Row != row || !strings.Contains(d.System, "- song(") || len(d.Messages) == 0 || len(d.Schema) == 0 || !strings.Contains(d.Reply, `"route"`) {
		t.Errorf("%+v, %v", d, err)
	}
	if last := d.Messages[len(d.Messages)-1].Text; !strings.Contains(last, "안녕?") || strings.Contains(last, "sk-abc") {
		t.Errorf("the last message: %s", last)
	}
	c.again()
	seq := c.Bus.Seq()
	again, err := c.ReplayLetter(ctx, row.ID)
	if err != nil || again.Row.ReplayOf != row.ID || again.Row.ID == row.ID || again.System != d.System || !slices.Equal(again.Messages, d.Messages) || again.Reply == "" || again.Row.Error != "" {
		t.Errorf("%+v, %v", again, err)
	}
	for seq++; seq <= c.Bus.Seq(); seq++ {
		batch, err := c.Bus.SubscribeFrom(seq).Next(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		if k := batch[0].Kind; k != event.KindProviderState && k != event.KindLibraryVectors { // those come by themselves
			t.Errorf("a replay made %s %s", k, batch[0].Data)
		}
	}
	whole, err := c.Letters(ctx, "", "", 1000)
	if err != nil || len(whole) != len(rows)+1 || whole[len(whole)-1].ReplayOf != row.ID || len(whole[0].Request.Tools) == 0 {
		t.Errorf("%d letters, %v", len(whole), err)
	}
	if _, err := c.ReplayLetter(ctx, "none"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("no such letter: %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.ReplayLetter(gone, row.ID); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("nobody waits for it: %v", err)
	}
}

// No secret gets into the ledger, wherever in a request it stands.
func TestLettersAreRedacted(t *testing.T) {
	t.Parallel()
	const key = "customers-own-key-1234"
	secrets := []string{key, "hunter2secret", "sk-abcdefghijklmnopqrstuvwx", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"}
	text := "key " + key + " password=hunter2secret sk-abcdefghijklmnopqrstuvwx Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"
	req := provider.Request{
		Summary: text, Facts: []string{text}, Transcript: []provider.Turn{{Speaker: "customer", Text: text}}, Message: text,
		State: provider.State{
			Running: []provider.RunningJob{{Title: text}}, Results: []provider.StepResult{{Text: text}}, Correction: text, Problem: text, Repair: text,
			Previous: json.RawMessage(`{"password":"hunter2secret","note":"` + key + `","n":12345678901234567890}`),
		},
	}
	args := json.RawMessage(`{"password":"hunter2secret","note":"` + key + `"}`)
	req.Native, req.Rounds = true, []provider.Round{
		{Said: text, Calls: []provider.CallRequest{{Tool: "t", Args: args, Problem: text}}, Results: []provider.CallResult{{Tool: "t", Text: text}}},
		{Ask: text, Answer: text},
	}
	x := interpreter.Exchange{
		Request: req, Prompt: provider.Adapter{}.NormalizePrompt(req), Problem: text,
		Reply: provider.Reply{Text: `{"reply":"` + text + `"}`, Thinking: text, Calls: []provider.RawCall{{Name: "t", Arguments: string(args)}}},
	}
	got := x.Redacted([]string{key, "short"})
	raw, err := json.Marshal(struct {
		X interpreter.Exchange
		P provider.Prompt
	}{got, got.Prompt})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if strings.Contains(string(raw), secret) {
			t.Errorf("%s is still in\n%s", secret, raw)
		}
	}
	if x.Request.Facts[0] != text || x.Prompt.Messages[0].Text == got.Prompt.Messages[0].Text {
		t.Error("the exchange itself was changed, or nothing was")
	}
	if got.Request.State.Running[0].Title == "" || !strings.Contains(string(got.Request.State.Previous), "12345678901234567890") {
		t.Errorf("more than secrets is gone: %+v", got.Request.State)
	}
}
