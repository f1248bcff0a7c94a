package models_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/outbound"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
	"agentchat/backend/testing/tinygguf"
)

// What a real server can do on a computer without a network.
func TestARealServerOffline(t *testing.T) {
	server := realollama.Start(t)
	server.Create(t, "scripted", tinygguf.Scripted([]tinygguf.Script{{Say: "네!"}}), tinygguf.Template)
	p := ollama.New(ollama.Options{
		Line: outbound.New(outbound.Options{}),
		Host: func() string { return server.Addr }, NumThread: 1, NumCtx: func() int { return 2048 },
		Timeouts: func() (connect, first, gap time.Duration) { return 5 * time.Second, time.Minute, time.Minute },
	})
	t.Cleanup(func() { _ = p.Close() })
	only := func() models.Installed {
		t.Helper()
		have, err := p.Installed(t.Context())
		if err != nil || len(have) != 1 {
			t.Fatalf("%+v, %v", have, err)
		}
		return models.ListInstalled(have, models.ReadRAM(), models.Roles(nil), "scripted")[0]
	}
	m := only()
	if m.Name != "scripted:latest" || m.Bytes < 1<<18 || m.Memory <= m.Bytes || !m.Fits || m.Loaded || m.Embedding || m.Parameters == "" || len(m.Roles) != len(models.Roles(nil)) {
		t.Errorf("%+v", m)
	}
	if err := p.Load(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}
	if m = only(); !m.Loaded || m.LoadedBytes <= 0 || m.Context != 2048 {
		t.Errorf("loaded: %+v", m)
	}
	if err := p.Unload(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}

	told := make(chan event.ModelPull, 100)
	desk := models.NewPullQueue(models.Deps{
		Server: p, Store: newShelf(), Publisher: wall(told), Lang: func() bilingual.Lang { return bilingual.KO }, Log: zerolog.Nop(),
	})
	if err := desk.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer desk.Stop()
	if err := desk.Add(t.Context(), "qwen3:0.6b", 0); err != nil {
		t.Fatal(err)
	}
	for at := range told {
		if at.State == "failed" {
			if at.Error.Code != "offline" || !strings.Contains(at.Error.Message, "qwen3:0.6b") {
				t.Errorf("%+v", at.Error)
			}
			break
		}
	}
	if err := p.Delete(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}
	if have, err := p.Installed(t.Context()); err != nil || len(have) != 0 {
		t.Errorf("%+v, %v", have, err)
	}
}

// wall passes on what is told about downloads.
type wall chan<- event.ModelPull

func (w wall) Publish(events ...event.Event) {
	for _, e := range events {
		if p, ok := e.Data.(event.ModelPull); ok {
			w <- p
		}
	}
}
