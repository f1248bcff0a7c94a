package ollama_test

import (
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/tinygguf"
)

// loopScripts are a model that calls the lamp and answers with what it brought. The scripted model knows what a request ends
// with, so the second round is told from the first by the result that stands last.
var loopScripts = []tinygguf.Script{
	{Role: "role: solver", After: "request:\n램프를 빨갛게 켜 줘", Say: `{"act":"call","calls":[{"tool":"lamp","args":{"colour":"red"}}]}`},
	{Role: "role: solver", After: "1. lamp ok: 켰어요", Say: `{"act":"answer","text":"램프를 빨갛게 켰어요."}`},
}

// The solve loop through a real server: the schema is its grammar, and the second round reads only what is new.
func realLoop(t *testing.T, p *ollama.Provider) {
	if p.NativeCalls(t.Context()) {
		t.Fatal("native calls with a model whose template knows no tools")
	}
	l := realLetter(provider.RoleSolver, "램프를 빨갛게 켜 줘")
	l.Schema = provider.SolveSchema
	reply, err := p.Chat(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := provider.Adapter{}.ParseSolution(reply)
	if err != nil || len(s.Calls) != 1 || s.Calls[0].Tool != "lamp" || string(s.Calls[0].Args) != `{"colour":"red"}` {
		t.Fatalf("%q: %+v, %v", reply.Text, s, err)
	}
	l.Rounds = []provider.Round{{Said: s.Said, Calls: s.Calls, Results: []provider.CallResult{{Tool: "lamp", Text: "켰어요", OK: true}}}}
	second, err := p.Chat(t.Context(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = (provider.Adapter{}).ParseSolution(second); err != nil || s.Text != "램프를 빨갛게 켰어요." {
		t.Errorf("%q: %+v, %v", second.Text, s, err)
	}
	t.Logf("first round: %d tokens, %d cached; second: %d, %d cached", reply.TokensIn, reply.TokensCached, second.TokensIn, second.TokensCached)
	if second.TokensCached > 0 && second.TokensCached < reply.TokensIn*9/10 {
		t.Errorf("of %d tokens read in the first round %d were read again", reply.TokensIn, reply.TokensIn-second.TokensCached)
	}
}
