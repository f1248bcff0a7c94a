package ollama_test

import (
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

func TestAModelIsMadeOfAFile(t *testing.T) {
	server := realollama.Start(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr)})
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(path, tinygguf.Random(1), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time its bytes are there
		var last ollama.Progress
		if err := p.Bring(t.Context(), "tiny", path, func(at ollama.Progress) { last = at }); err != nil {
			t.Fatal(err)
		}
		if last.Done == 0 || last.Done > last.Total {
			t.Errorf("%+v", last)
		}
	}
	if list, err := p.Models(t.Context()); err != nil || len(list) != 1 || !ollama.SameModel(list[0].Name, "tiny") {
		t.Errorf("%+v, %v", list, err)
	}
	if err := p.Load(t.Context(), "tiny"); err != nil {
		t.Error(err)
	}
	if err := p.Bring(t.Context(), "none", filepath.Join(t.TempDir(), "none.gguf"), nil); apperr.CodeOf(err) != apperr.NotFound {
		t.Error(err)
	}
}
