package ollama_test

import (
	"strings"
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/tinygguf"
)

// lampScripts are a model that knows its tools, and one that means a tool or a value that there is not.
var lampScripts = []tinygguf.Script{
	{Say: "모르는 부탁이에요."},
	{After: "request:\n등 켜 줘", Say: lampPlan("lamp", `{"colour":"red"}`)},
	{After: "request:\n파란 등 켜 줘", Say: lampPlan("lamp", `{"colour":"blue"}`)},
	{After: "request:\n로켓 켜 줘", Say: lampPlan("rocket", `{"colour":"red"}`)},
	{After: "request:\n노래 틀어 줘", Say: lampPlan("song", `{"title":"아리랑"}`)},
}

func lampPlan(tool, args string) string {
	return `{"route":"jobs","reply":"네, 할게요.","jobs":[{"title":"일","todos":[{"title":"일","tool":"` + tool + `","request":"켜 줘","args":` + args + `}]}]}`
}

// The server holds a plan to the tools that the request shows: what fits is taken word for word, and a tool or a value that is not
// there cannot be said. The form is no part of what the model reads.
func realForms(t *testing.T, p *ollama.Provider) {
	say := func(request string, held bool) provider.Reply {
		t.Helper()
		l := realLetter(provider.RolePlanner, request)
		l.Shown, l.Schema = []string{"lamp"}, provider.PlanSchema
		if held {
			l.Schema = provider.Format(l)
		}
		reply, err := p.Chat(t.Context(), l, nil)
		if err != nil && reply.Text == "" {
			t.Fatalf("%s: %v", request, err)
		}
		return reply
	}
	for _, c := range []struct{ request, want string }{
		{"등 켜 줘", lampScripts[1].Say}, {"노래 틀어 줘", lampScripts[4].Say},
	} {
		loose, held := say(c.request, false), say(c.request, true)
		if loose.Text != c.want || held.Text != c.want {
			t.Errorf("%s: %q, held %q", c.request, loose.Text, held.Text)
		}
		if held.TokensIn != loose.TokensIn || held.TokensIn-held.TokensCached > 1 {
			t.Errorf("%s: %d tokens, with another form %d, %d of them from the cache", c.request, loose.TokensIn, held.TokensIn, held.TokensCached)
		}
		t.Logf("first token after %v, held after %v", loose.FirstToken, held.FirstToken)
	}
	for request, never := range map[string]string{"파란 등 켜 줘": `"blue"`, "로켓 켜 줘": `"rocket"`} {
		if loose, held := say(request, false), say(request, true); !strings.Contains(loose.Text, never) || strings.Contains(held.Text, never) {
			t.Errorf("%s: %q, held %q", request, loose.Text, held.Text)
		}
	}
}
