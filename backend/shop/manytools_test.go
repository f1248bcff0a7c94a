package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job/jobtest"
	"agentchat/backend/provider"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// narrow is a model that goes by the settings' window, and counts what it is sent.
type narrow struct{ *jobtest.ScriptedModel }

func (narrow) Name() string { return "ollama" }

func (n narrow) Chat(ctx context.Context, l provider.Request, on func(provider.Delta)) (provider.Reply, error) {
	reply, err := n.ScriptedModel.Chat(ctx, l, on)
	p := provider.Adapter{}.NormalizePrompt(l)
	reply.TokensIn = utf8.RuneCountInString(p.System) / 4
	for _, m := range p.Messages {
		reply.TokensIn += utf8.RuneCountInString(m.Text) / 3
	}
	if reply.TokensIn > 8192*15/16 {
		return reply, apperr.New(apperr.ContextOverflow, "tokens", reply.TokensIn, "limit", 8192*15/16)
	}
	return reply, err
}

// outsiders are tools as servers bring them, of many servers, among them one for issues.
func outsiders(n int) (list []toolbox.Tool) {
	things := []string{"entity", "graph", "directory", "branch", "ticket", "calendar", "mail", "page", "column", "sprint"}
	for i := range n {
		thing := fmt.Sprintf("%s%d", things[i%len(things)], i)
		t := jobtest.NewTool(fmt.Sprintf("server%d__read_%s", i/25, thing))
		t.Manual.Description.EN = "[described by the outside server] Reads a " + thing + ". " + strings.Repeat("It takes the name and gives what is known of it. ", 3)
		t.Manual.Params = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"the name of what is to be read"}}}`)
		t.Manual.Outside = fmt.Sprintf("server%d", i/25)
		list = append(list, t)
	}
	return list
}

// crowded opens a shop with outside tools, whose model reads as much as the settings say without anything set.
func crowded(t *testing.T, n int) (*customer, *jobtest.ScriptedModel) {
	t.Helper()
	voice := &jobtest.ScriptedModel{}
	o := options(t.TempDir())
	o.Provider, o.Tools = narrow{voice}, outsiders(n)
	s, err := shop.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	c := &customer{Shop: s, t: t, reader: s.Bus.SubscribeFrom(1)}
	t.Cleanup(c.leave)
	return c, voice
}

func (c *customer) hears(text string) event.TurnDone {
	c.t.Helper()
	msg, err := c.Say(c.t.Context(), "main", text, "", "")
	if err != nil {
		c.t.Fatal(err)
	}
	return until(c, "the turn is over", func(_ event.Envelope, d event.TurnDone) bool { return d.MessageID == msg.ID })
}

// lastPlan is the newest planner request, and its first block.
func lastPlan(t *testing.T, voice *jobtest.ScriptedModel) (l provider.Request, system string) {
	t.Helper()
	for _, req := range voice.Requests() {
		if req.Role == provider.RolePlanner {
			l = req
		}
	}
	return l, provider.Adapter{}.NormalizePrompt(l).System
}

// However many tools outside servers bring, a greeting is answered, the shop's own tools stand there as if there were no
// others, and a message that calls for an outside tool has it.
func TestAnyNumberOfOutsideTools(t *testing.T) {
	t.Parallel()
	plain, voice := crowded(t, 0)
	plain.hears("hello there")
	_, ordinary := lastPlan(t, voice)
	for _, n := range []int{23, 500} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c, voice := crowded(t, n)
			if d := c.hears("hello there"); d.Message != "hello there" {
				t.Fatalf("the greeting is answered %q", d.Message)
			}
			first, system := lastPlan(t, voice)
			var own []string
			for line := range strings.SplitAfterSeq(system, "\n") {
				if !strings.HasPrefix(line, "- server") && !strings.HasPrefix(line, "More tools, by key alone") {
					own = append(own, line)
				}
			}
			if strings.Join(own, "") != ordinary {
				t.Error("the shop's own tools are shown in other words than without outside tools")
			}
			if n == 500 && len(first.More) == 0 || len(system) > len(ordinary)*4/3 {
				t.Errorf("%d keys, %d bytes; %d without outside tools", len(first.More), len(system), len(ordinary))
			}
			c.hears("read the calendar15 please")
			asked, withTool := lastPlan(t, voice)
			if !strings.Contains(withTool, "- server0__read_calendar15(") {
				t.Errorf("the tool that was asked for is not shown among %d", len(asked.Tools))
			}
			c.hears("thank you")
			if _, after := lastPlan(t, voice); after != withTool {
				t.Error("a message that calls for no tool changed the first block")
			}
		})
	}
}

// A tool of which the request shows only the key can be planned and called: what it takes is shown then.
func TestAToolIsLookedUpByItsKey(t *testing.T) {
	t.Parallel()
	c, voice := crowded(t, 500)
	const key = "server3__read_ticket94"
	voice.Say = func(_ context.Context, l provider.Request, _ func(provider.Delta)) (string, error) {
		switch {
		case l.Role == provider.RolePlanner:
			return jobtest.PlanJSON(provider.Plan{Route: provider.RouteJobs, Reply: "네.", Jobs: []provider.JobPlan{{
				Title: "알아보기", Todos: []provider.TodoPlan{{Title: "알아보기", Request: "알아봐 줘"}},
			}}}), nil
		case l.Role == provider.RoleSolver && len(l.Rounds) == 0:
			return `{"act":"call","calls":[{"tool":"` + key + `","args":{"name":7}}]}`, nil
		case l.Role == provider.RoleSolver:
			return `{"act":"answer","text":"알아봤어요."}`, nil
		}
		return "알아봤어요.", nil
	}
	c.state(c.job("알아봐 줘"), "succeeded")
	var shown []bool
	for _, l := range voice.Requests() {
		if l.Role == provider.RoleSolver {
			shown = append(shown, strings.Contains(provider.Adapter{}.NormalizePrompt(l).System, "- "+key+"("))
		}
	}
	if len(shown) != 2 || shown[0] || !shown[1] {
		t.Errorf("the manual of the tool is shown in the rounds: %v", shown)
	}
}
