package shop_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/models"
	"agentchat/backend/provider/servers"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
)

// among opens a shop whose own Ollama is away and that has these servers besides.
func among(t *testing.T, dir string, list ...servers.Server) *customer {
	t.Helper()
	return enterAs(t, dir, nil, "AGENTCHAT_PROVIDER=auto", "AGENTCHAT_OLLAMA_HOST="+nobody(t), "AGENTCHAT_MODEL_SERVERS="+servers.Encode(list))
}

func ollamaAt(name string, p *fakemodel.Process, model string) servers.Server {
	return servers.Server{Name: name, Kind: servers.KindOllama, Address: "http://" + p.Addr, Model: model}
}

func openAIAt(name string, p *fakemodel.Process, model string) servers.Server {
	return servers.Server{Name: name, Kind: servers.KindOpenAI, Address: "http://" + p.Addr + "/v1", Model: model}
}

// onDuty waits until a server answers, and until all the others have said how they are: whoever is well does not wait for them to answer customers.
func (c *customer) onDuty(name string) {
	c.t.Helper()
	c.again()
	until(c, name+" is on duty", func(_ event.Envelope, s event.ProviderState) bool { return s.Provider == name && s.Health == "ok" })
	if _, err := c.CheckProvider(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

// listed is the list of servers once it shows one of them as well: a look at it waits only so long for a server, which a busy computer may not keep to.
func (c *customer) listed(name string) []models.Listed {
	c.t.Helper()
	for end := time.Now().Add(patience); ; {
		view := c.Servers(c.t.Context())
		if time.Now().After(end) || slices.ContainsFunc(view, func(s models.Listed) bool { return s.Name == name && s.Health == "ok" }) {
			return view
		}
	}
}

// replyOf says something and gives what was answered, and which servers did not answer to the end.
func replyOf(c *customer, text string) (string, []event.RequestMoved) {
	c.t.Helper()
	m, _ := c.replied(text)
	var moves []event.RequestMoved
	for _, e := range c.seen {
		var moved event.RequestMoved
		if e.Kind == event.KindRequestMoved && json.Unmarshal(e.Data, &moved) == nil {
			moves = append(moves, moved)
		}
	}
	return m.Text, moves
}

// A model server that is killed in the middle of a letter loses nothing: the next one answers it from the beginning, once, and people are told.
func TestAServerIsKilledInTheMiddle(t *testing.T) {
	for _, kind := range []string{"ollama", "openai"} {
		t.Run(kind, func(t *testing.T) {
			first, second := serve(t), serve(t)
			model := "endless-answer"
			one := ollamaAt("GPU", first, model)
			if kind == "openai" {
				one = openAIAt("GPU", first, model)
			}
			c := among(t, t.TempDir(), one, ollamaAt("옆방", second, "shop"))
			c.onDuty("GPU")
			killed := make(chan error, 1)
			go func() {
				_, err := first.Await(context.Background(), model, "running")
				if err == nil {
					err = first.Stop()
				}
				killed <- err
			}()
			reply, moves := replyOf(c, "오늘 하루가 참 길었는데 저녁에는 뭐라고 인사하면 좋을지 한번 생각해 봐 줄래?")
			if err := <-killed; err != nil {
				t.Log(err) // it did not end well: it was killed
			}
			if reply == "" || strings.Contains(reply, "번째 말") {
				t.Errorf("the reply: %q", reply)
			}
			if len(moves) != 1 || moves[0].From != "GPU" || moves[0].To != "옆방" || moves[0].Text == "" {
				t.Errorf("told: %+v", moves)
			}
			list, err := c.Letters(t.Context(), "", "", 50)
			if err != nil {
				t.Fatal(err)
			}
			wrote := map[string][]string{}
			for _, x := range list {
				wrote[x.Provider] = append(wrote[x.Provider], x.Error)
			}
			if len(wrote["GPU"]) != 1 || wrote["GPU"][0] == "" || len(wrote["옆방"]) == 0 || wrote["옆방"][0] != "" {
				t.Errorf("letters: %v", wrote)
			}
		})
	}
}

// The list is kept with the settings, keys in the cupboard and speeds in the ledger; what is taken off is gone with all three.
func TestTheListOfServers(t *testing.T) {
	dir := t.TempDir()
	near, far := serve(t), serve(t, "-key", "sesame")
	c := among(t, dir)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(c.SaveServer(ctx, ollamaAt("가까운", near, "shop"), ""))
	must(c.SaveServer(ctx, openAIAt("cluster", far, "shop"), "sesame"))
	names := func(list []models.Listed) (names []string) {
		for _, s := range list {
			names = append(names, s.Name)
		}
		return names
	}
	view := c.listed("cluster")
	if got := names(view); !slices.Equal(got, []string{"ollama", "openai", "가까운", "cluster"}) {
		t.Fatalf("the list: %v", got)
	}
	if cluster := view[3]; cluster.Health != "ok" || !cluster.KeySet || cluster.Serves != "shop" || !slices.Contains(cluster.Models, "shop") {
		t.Errorf("%+v", cluster)
	}
	if view[1].Health != models.HealthOff || !view[1].Off || view[0].Health == "ok" {
		t.Errorf("%+v\n%+v", view[0], view[1])
	}
	tested, err := c.TestServer(ctx, "cluster")
	must(err)
	if tested.Writes <= 0 || tested.Requests != 1 {
		t.Errorf("measured: %+v", tested)
	}
	must(c.OrderServers([]string{"cluster", "가까운"}))
	c.leave()

	c = enterAs(t, dir, nil, "AGENTCHAT_PROVIDER=auto", "AGENTCHAT_OLLAMA_HOST="+nobody(t))
	view = c.listed("cluster")
	if got := names(view); !slices.Equal(got, []string{"cluster", "가까운", "ollama", "openai"}) || view[0].Writes != tested.Writes || view[0].Health != "ok" {
		t.Errorf("after a start: %v, %+v", got, view[0])
	}
	c.onDuty("cluster")
	must(c.RemoveServer(ctx, "cluster"))
	must(c.SaveServer(ctx, openAIAt("cluster", far, "shop"), ""))
	view = c.Servers(ctx)
	if last := view[3]; last.Name != "cluster" || last.KeySet || last.Health == "ok" || last.Writes != 0 {
		t.Errorf("taken off and back: %+v", last)
	}
	// A key is for the server that it was given for, not for its name.
	must(c.SaveServer(ctx, openAIAt("cluster", far, "shop"), "sesame"))
	must(c.SaveServer(ctx, ollamaAt("cluster", near, "shop"), ""))
	if last := c.Servers(ctx)[3]; last.KeySet {
		t.Errorf("another server has the key: %+v", last)
	}
	if c.SaveServer(ctx, servers.Server{Name: "openai", Kind: servers.KindOpenAI, Address: "http://elsewhere/v1"}, "sesame") == nil {
		t.Error("a key was taken for a server that has its own")
	}
	for _, wrong := range []servers.Server{{Name: ""}, {Name: "a/b", Kind: servers.KindOllama}, {Name: "auto", Kind: servers.KindOllama}, {Name: "x", Kind: "other", Address: "http://x"}, {Name: "x", Kind: servers.KindOpenAI}} {
		if c.SaveServer(ctx, wrong, "") == nil {
			t.Errorf("kept: %+v", wrong)
		}
	}
}

// A role that names servers has its letters answered there, however the list is ordered; the other roles go by the list.
func TestARoleChoosesItsServers(t *testing.T) {
	first, second := serve(t), serve(t)
	c := among(t, t.TempDir(), ollamaAt("first", first, "shop"), ollamaAt("second", second, "shop"))
	if _, err := c.SetSettings(map[string]any{config.RoleKey("planner", "servers"): "second, gone"}); err != nil {
		t.Fatal(err)
	}
	c.onDuty("first")
	if reply, _ := replyOf(c, "오늘 하루가 참 길었는데 저녁에는 뭐라고 인사하면 좋을지 한번 생각해 봐 줄래?"); reply == "" {
		t.Error("no reply")
	}
	list, err := c.Letters(t.Context(), "", "", 50)
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	for _, x := range list {
		if x.Request.Role == "planner" && x.Provider != "second" {
			t.Errorf("a plan by %s: %s", x.Provider, x.Error)
		}
	}
}

// aside makes a chat of its own and gives what is answered there, by which server and model, and which moves were told.
func (c *customer) aside(own shop.ChatSettings, text string) (server, model string, moves []event.RequestMoved) {
	c.t.Helper()
	made, err := c.NewChat(c.t.Context())
	if err == nil {
		err = c.SetChat(c.t.Context(), made.ID, own)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return c.answeredIn(made.ID, text)
}

func (c *customer) answeredIn(chat, text string) (server, model string, moves []event.RequestMoved) {
	c.t.Helper()
	c.again()
	msg, err := c.Say(c.t.Context(), chat, text, "", "")
	if err != nil {
		c.t.Fatal(err)
	}
	until(c, "the turn is done", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
	for _, e := range c.seen {
		var moved event.RequestMoved
		if e.Kind == event.KindRequestMoved && e.Chat == chat && json.Unmarshal(e.Data, &moved) == nil {
			moves = append(moves, moved)
		}
	}
	for _, x := range c.requests(chat) {
		if x.Error == "" && x.Request.Turn == msg.ID {
			return x.Provider, x.Reply.Model, moves
		}
	}
	c.t.Fatal("no model answered")
	return "", "", nil
}

// A chat's own model, and its project's, is asked on the server that has it, wherever that stands in the list; while it is away another server
// answers, and the chat says so.
func TestAChatsModelIsAskedOnItsServer(t *testing.T) {
	first, second := serve(t), serve(t)
	c := among(t, t.TempDir(), ollamaAt("first", first, "shop"), openAIAt("GPU", second, "shop"), ollamaAt("gone", first, "shop"))
	c.onDuty("first")
	const question = "오늘 하루가 참 길었는데 저녁에는 뭐라고 인사하면 좋을지 한번 생각해 봐 줄래?"
	if server, model, moves := c.aside(shop.ChatSettings{Model: "GPU/think-and-call"}, question); server != "GPU" || model != "think-and-call" || len(moves) > 0 {
		t.Errorf("a chat's model: %s of %s, %+v", model, server, moves)
	}
	p, err := c.SaveProject(t.Context(), shop.ProjectView{Title: "이사", Model: "GPU/think-and-call"})
	if err != nil {
		t.Fatal(err)
	}
	if server, model, _ := c.aside(shop.ChatSettings{Project: p.ID}, question); server != "GPU" || model != "think-and-call" {
		t.Errorf("a project's model: %s of %s", model, server)
	}
	if server, _, moves := c.aside(shop.ChatSettings{}, question); server != "first" || len(moves) > 0 {
		t.Errorf("a chat without a model of its own: %s, %+v", server, moves)
	}
	off := ollamaAt("gone", first, "shop")
	off.Off = true
	if err := c.SaveServer(t.Context(), off, ""); err != nil {
		t.Fatal(err)
	}
	server, _, moves := c.aside(shop.ChatSettings{Model: "gone/think-and-call"}, question)
	if server != "first" || len(moves) != 1 || moves[0].From != "gone" || moves[0].To != "first" || !strings.Contains(moves[0].Text, "gone") {
		t.Errorf("while its server is away: %s, %+v", server, moves)
	}
}

// A role whose model is on a server is played there.
func TestARolesModelIsAskedOnItsServer(t *testing.T) {
	first, second := serve(t), serve(t)
	c := among(t, t.TempDir(), ollamaAt("first", first, "shop"), ollamaAt("second", second, "shop"))
	if _, err := c.SetSettings(map[string]any{config.RoleKey("planner", "model"): "second/think-and-call"}); err != nil {
		t.Fatal(err)
	}
	c.onDuty("first")
	if reply, _ := replyOf(c, "오늘 하루가 참 길었는데 저녁에는 뭐라고 인사하면 좋을지 한번 생각해 봐 줄래?"); reply == "" {
		t.Error("no reply")
	}
	plans := 0
	for _, x := range c.requests("") {
		if x.Request.Role != "planner" {
			continue
		}
		plans++
		if x.Provider != "second" || x.Reply.Model != "think-and-call" {
			t.Errorf("a plan by %s of %s: %s", x.Reply.Model, x.Provider, x.Error)
		}
	}
	if plans == 0 {
		t.Error("nothing was planned")
	}
}

// A model that is chosen for all answers from then on: its server comes first, and is switched on.
func TestAModelIsChosenForAll(t *testing.T) {
	first, second := serve(t), serve(t)
	off := openAIAt("second", second, "shop")
	off.Off, off.Spare = true, true
	c := among(t, t.TempDir(), ollamaAt("first", first, "shop"), off)
	c.onDuty("first")
	if err := c.UseModel("second", "think-and-call"); err != nil {
		t.Fatal(err)
	}
	c.onDuty("second")
	if list := c.Servers(t.Context()); list[0].Name != "second" || list[0].Off || list[0].Spare || list[0].Model != "think-and-call" || list[0].Serves != "think-and-call" {
		t.Errorf("%+v", list[0])
	}
	if err := c.UseModel("ollama", "small"); err != nil {
		t.Fatal(err)
	}
	if s := c.Config.Get(); s.Model != "small" || s.Provider != "auto" || c.Servers(t.Context())[0].Name != "ollama" {
		t.Errorf("%s by %s", s.Model, s.Provider)
	}
	if err := c.UseModel("openai", "dear"); err != nil {
		t.Fatal(err)
	}
	if s := c.Config.Get(); s.Model != "dear" || s.Provider != "openai" {
		t.Errorf("%s by %s", s.Model, s.Provider)
	}
	if err := c.UseModel("first", "shop"); err != nil {
		t.Fatal(err)
	}
	c.onDuty("first")
	if err := c.UseModel("nobody", "shop"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("a server that is not there: %v", err)
	}
}

// A model of another server that is chosen for all leaves the server on that answered until then, also where the list did not name it.
func TestTheProviderStaysOnWhenAnotherModelIsChosen(t *testing.T) {
	first, second := serve(t), serve(t)
	c := enterAs(t, t.TempDir(), nil, "AGENTCHAT_PROVIDER=openai", "AGENTCHAT_OPENAI_BASE=http://"+second.Addr+"/v1", "AGENTCHAT_OLLAMA_HOST="+nobody(t),
		"AGENTCHAT_MODEL_SERVERS="+servers.Encode([]servers.Server{ollamaAt("first", first, "shop")}))
	c.onDuty("openai")
	if err := c.UseModel("first", "shop"); err != nil {
		t.Fatal(err)
	}
	c.onDuty("first")
	list := c.Servers(t.Context())
	at := slices.IndexFunc(list, func(v models.Listed) bool { return v.Name == "openai" })
	if list[0].Name != "first" || at < 0 || list[at].Off {
		t.Errorf("%+v", list)
	}
}
