package ollama_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/providertest"
)

const soon = 150 * time.Millisecond

func TestPull(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr)})
	var last ollama.Progress
	err := p.Pull(t.Context(), "shop", func(at ollama.Progress) {
		if at.Done < last.Done || at.Percent > 100 || at.Speed < 0 {
			t.Errorf("%+v after %+v", at, last)
		}
		if at.Total > 0 {
			last = at
		}
	})
	if err != nil || last.Done != 2000 || last.Total != 2000 || last.Percent != 100 {
		t.Errorf("%+v, %v", last, err)
	}
	for model, want := range map[string]apperr.Code{"offline": apperr.Offline, "nothing": apperr.ModelMissing, "full": apperr.StorageFull} {
		if err := p.Pull(t.Context(), model, nil); apperr.CodeOf(err) != want {
			t.Errorf("%s ended with %v", model, err)
		}
	}
}

func TestAPullIsPausedAndGoesOn(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr)})
	ctx, pause := context.WithCancel(t.Context())
	defer pause()
	err := p.Pull(ctx, "stuck", func(at ollama.Progress) {
		if at.Total > 0 {
			pause()
		}
	})
	if apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("ended with %v", err)
	}
	if _, err := server.Await(t.Context(), "stuck", "aborted"); err != nil {
		t.Error(err)
	}
}

func TestModelsAreLoadedWithTheOptionsOfEveryLetter(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed("shop"), NumCtx: func() int { return 4096 }, NumThread: 2, KeepAlive: func() time.Duration { return 10 * time.Minute }})
	if err := p.Load(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	for _, role := range []provider.Role{provider.RolePlanner, provider.RoleToolChooser, provider.RoleSolver, provider.RoleSummarizer, provider.RoleReporter} {
		if _, err := p.Chat(t.Context(), providertest.Request(role, bilingual.KO, "안녕?"), nil); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := server.Calls(t.Context())
	if err != nil || len(calls) != 6 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	type message struct{ Role, Content string }
	var system string
	for _, c := range calls {
		var sent struct {
			Options   map[string]any `json:"options"`
			KeepAlive string         `json:"keep_alive"`
			Truncate  *bool          `json:"truncate"`
			Shift     *bool          `json:"shift"`
			Messages  []message      `json:"messages"`
		}
		if err := json.Unmarshal(c.Body, &sent); err != nil {
			t.Fatal(err)
		}
		if sent.Options["num_ctx"] != 4096.0 || sent.Options["num_thread"] != 2.0 || sent.KeepAlive != "10m0s" {
			t.Errorf("%s: %s", c.Path, c.Body)
		}
		if c.Path != "/api/chat" {
			continue
		}
		if sent.Truncate == nil || *sent.Truncate || sent.Shift == nil || *sent.Shift || sent.Options["num_predict"] == nil {
			t.Errorf("it may forget silently or talk for ever: %s", c.Body)
		}
		if system == "" {
			system = sent.Messages[0].Content
		}
		if sent.Messages[0] != (message{"system", system}) {
			t.Error("the system block differs from role to role")
		}
	}
	if err := p.Unload(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	if err := p.Delete(t.Context(), "missing"); apperr.CodeOf(err) != apperr.ModelMissing {
		t.Errorf("deleted: %v", err)
	}
}

func TestThinkingIsTurnedOffOnlyWhereItExists(t *testing.T) {
	server := fake(t)
	for model, want := range map[string]string{"think-field": "false", "shop": ""} {
		p := open(t, ollama.Options{Host: fixed(server.Addr), Model: fixed(model)})
		if _, err := p.Chat(t.Context(), providertest.Request(provider.RoleSolver, bilingual.KO, "안녕?"), nil); err != nil {
			t.Fatal(err)
		}
		call, err := server.Await(t.Context(), model, "done")
		if err != nil {
			t.Fatal(err)
		}
		var sent struct {
			Think json.RawMessage `json:"think"`
		}
		if err := json.Unmarshal(call.Body, &sent); err != nil || string(sent.Think) != want {
			t.Errorf("%s: think %s, %v", model, sent.Think, err)
		}
	}
}

func TestShowAndMemory(t *testing.T) {
	server := fake(t)
	p := open(t, ollama.Options{Host: fixed(server.Addr)})
	d, err := p.Show(t.Context(), "think-field")
	if err != nil || d.ContextLength != 32768 || d.Bytes != 1<<30 || len(d.Capabilities) != 2 || d.Loaded {
		t.Fatalf("%+v, %v", d, err)
	}
	// 32 layers × 8 heads × 128 numbers × key and value × 2 bytes × 8192 tokens = 1 GiB, and room to compute.
	if d.Memory < 2<<30 || d.Memory > 2<<30+512<<20 {
		t.Errorf("memory %d", d.Memory)
	}
	if err := p.Load(t.Context(), "think-field"); err != nil {
		t.Fatal(err)
	}
	if d, err = p.Show(t.Context(), "think-field"); err != nil || !d.Loaded || d.Memory != 3<<30 {
		t.Errorf("%+v, %v", d, err)
	}
}
