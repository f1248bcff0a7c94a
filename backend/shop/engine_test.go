package shop_test

import (
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/models"
	"agentchat/backend/shop"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// A computer without an Ollama, an engine that came with the shop, and a model file on a stick.
func TestTheShopsOwnEngineServesAModelFromAFile(t *testing.T) {
	program, ok := realollama.Find()
	if !ok {
		t.Skip("no real Ollama server here: set OLLAMA_BIN, or put ollama on the PATH")
	}
	path := filepath.Join(t.TempDir(), "Tiny.gguf")
	if err := os.WriteFile(path, tinygguf.Random(1), 0o600); err != nil {
		t.Fatal(err)
	}
	c := enterAs(t, t.TempDir(), func(o *shop.Options) { o.Engine = program }, "OLLAMA_HOST="+nobody(t))
	if err := c.StartOllama(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := c.models()
	if v.Engine.State != engine.StateRunning || v.Engine.Version == "" || v.Trouble.Host != v.Engine.Addr || v.Trouble.Action != models.ActionPull {
		t.Errorf("%+v, %+v", v.Engine, v.Trouble)
	}
	if _, err := c.ImportModel(t.Context(), filepath.Join(t.TempDir(), "none.gguf")); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
	for _, want := range []string{"tiny", "tiny-2"} { // a name is not taken twice
		name, err := c.ImportModel(t.Context(), path)
		if err != nil || name != want {
			t.Fatal(name, err)
		}
		until(c, want+" is made", func(_ event.Envelope, p event.ModelPull) bool { return p.Model == want && p.State == "done" })
	}
	if err := c.LoadModel(t.Context(), "tiny"); err != nil {
		t.Fatal(err)
	}
	v = c.models()
	if len(v.Installed) != 2 || v.Trouble.Health != "ok" || v.Engine.Memory == 0 {
		t.Errorf("%+v", v)
	}
	if _, err := c.SetSettings(map[string]any{"ollama_host": nobody(t)}); err != nil { // another server is meant
		t.Fatal(err)
	}
	until(c, "the engine rests", func(event.Envelope, event.ModelsChanged) bool { return c.models().Engine.State == engine.StateResting })
}
