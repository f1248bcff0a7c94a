package ollama_test

import (
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
)

// program finds this path wherever it is asked for one.
func program(path string) func(string) (string, error) {
	return func(string) (string, error) { return path, nil }
}

func TestServeStartsTheInstalledServer(t *testing.T) {
	path, ok := realollama.Find()
	if !ok {
		t.Skip("no real Ollama server here: set OLLAMA_BIN, or put ollama on the PATH")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("OLLAMA_MODELS", filepath.Join(home, "models"))
	log := filepath.Join(home, "ollama.log")
	p := open(t, ollama.Options{Host: fixed(closedAddr(t)), LookPath: program(path)})
	pid, err := p.Serve(t.Context(), log)
	if pid != 0 {
		defer func() {
			server, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := server.Kill(); err != nil {
				t.Error(err)
			}
		}()
	}
	if err != nil || pid == 0 {
		t.Fatalf("process %d: %v", pid, err)
	}
	if s := p.Status(t.Context()); s.Reason != provider.ReasonNoModel {
		t.Errorf("%+v", s)
	}
	if text, err := os.ReadFile(log); err != nil || len(text) == 0 {
		t.Errorf("the server's output is not in its log: %v", err)
	}
	if again, err := p.Serve(t.Context(), log); err != nil || again != 0 {
		t.Errorf("a second server: process %d, %v", again, err)
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	log := filepath.Join(t.TempDir(), "ollama.log")
	for name, c := range map[string]struct {
		o    ollama.Options
		want apperr.Code
	}{
		"another computer": {ollama.Options{Host: fixed("192.0.2.1"), LookPath: program("ollama")}, apperr.NotAvailable},
		"not installed":    {ollama.Options{Host: fixed(closedAddr(t)), LookPath: absent}, apperr.NotAvailable},
		"no program":       {ollama.Options{Host: fixed(closedAddr(t)), LookPath: program(filepath.Join(t.TempDir(), "ollama"))}, apperr.NotAvailable},
		"ends at once":     {ollama.Options{Host: fixed(closedAddr(t)), LookPath: program(ending(t))}, apperr.ProviderRefused},
	} {
		if _, err := open(t, c.o).Serve(t.Context(), log); apperr.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// ending is a program that complains and ends.
func ending(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ollama")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho no room; exit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInstalledTellsEverything(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr), NumCtx: func() int { return 8192 }})
	if err := p.Load(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	list, err := p.Installed(t.Context())
	if err != nil || len(list) < 10 {
		t.Fatalf("%d models, %v", len(list), err)
	}
	byName := map[string]ollama.Details{}
	for _, d := range list {
		byName[d.Name] = d
	}
	shop, thinker, vectors := byName["shop:latest"], byName["think-field:latest"], byName["vectors:latest"]
	if !shop.Loaded || shop.LoadedBytes != 3<<30 || shop.LoadedContext != 8192 || shop.Memory < 3<<30 || shop.Thinking || shop.ContextLength != 32768 {
		t.Errorf("shop: %+v", shop)
	}
	if thinker.Loaded || !thinker.Thinking || thinker.Memory < 2<<30 {
		t.Errorf("thinker: %+v", thinker)
	}
	if !vectors.Embedding || shop.Embedding {
		t.Errorf("vectors: %+v", vectors)
	}
}

func TestNamesOfModels(t *testing.T) {
	for _, name := range []string{"qwen3:4b", "bge-m3", "someone/model", "hf.co/someone/model-GGUF:Q4_K_M", "exaone3.5:2.4b", "box:5000/a/b:c"} {
		if !ollama.ValidName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", " ", "모델", "a b", "a\nb", "../../etc/passwd", "http://x/y", "a@sha256:00", "-x;rm", "a:b:c", "a//b", string(make([]byte, 300))} {
		if ollama.ValidName(name) {
			t.Errorf("%q is taken", name)
		}
	}
}
