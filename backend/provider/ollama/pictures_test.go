package ollama_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
)

func TestPictures(t *testing.T) {
	server := fake(t)
	if p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("shop")}); p.Sees(t.Context()) {
		t.Error("a model without vision sees")
	}
	fresh := func(t *testing.T, model string) provider.Provider {
		return open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(model)})
	}
	providertest.RunPictures(t, server, fresh, func(message json.RawMessage) (text string, pictures []string) {
		var m struct {
			Content string   `json:"content"`
			Images  []string `json:"images"`
		}
		if err := json.Unmarshal(message, &m); err != nil {
			t.Fatal(err)
		}
		return m.Content, m.Images
	})
}
