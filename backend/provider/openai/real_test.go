package openai_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/providertest"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// Ollama speaks this API too, so the same real server serves.
func TestRealServer(t *testing.T) {
	const plan = `{"route":"answer","reply":"안녕하세요, 손님!"}`
	server := realollama.Start(t, "OLLAMA_CONTEXT_LENGTH=8192")
	server.Create(t, "scripted", tinygguf.Scripted([]tinygguf.Script{
		{Say: "<think>손님이 왔다.</think>\n\n네, 알겠어요. 바로 할게요!"},
		{Role: "role: planner", Say: plan},
	}), tinygguf.Template)
	p := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed("scripted")})

	l := providertest.Request(provider.RoleSolver, bilingual.KO, "아무 말")
	reply, err := p.Chat(t.Context(), l, nil)
	if err != nil || reply.Text != "네, 알겠어요. 바로 할게요!" || reply.Thinking != "손님이 왔다." || reply.TokensIn == 0 {
		t.Errorf("%+v, %v", reply, err)
	}
	l = providertest.Request(provider.RolePlanner, bilingual.KO, "안녕?")
	l.Schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["route","reply"],"properties":{"route":{"enum":["answer"]},"reply":{"type":"string","maxLength":100}}}`)
	if reply, err = p.Chat(t.Context(), l, nil); err != nil || reply.Text != plan {
		t.Errorf("%+v, %v", reply, err)
	}
	if s := p.Status(t.Context()); s.Health != provider.HealthOK {
		t.Errorf("%+v", s)
	}
	missing := open(t, openai.Options{Base: fixed(server.Addr), Model: fixed("nobody")})
	if _, err := missing.Chat(t.Context(), l, nil); apperr.CodeOf(err) != apperr.ModelMissing {
		t.Errorf("ended with %v", err)
	}
}
