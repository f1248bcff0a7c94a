package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
)

func TestRolesAreSetLiveAndKept(t *testing.T) {
	c := fresh(t)
	if len(c.Get().Roles) != 0 {
		t.Errorf("roles before anything was set: %+v", c.Get().Roles)
	}
	changed, err := c.Set(map[string]any{
		"roles.planner.model": " qwen3:4b ", "roles.planner.temperature": "0.3", "roles.planner.timeout": 90,
		"roles": map[string]any{"tool_chooser": map[string]any{"max_tokens": 256.0, "retries": 0}},
	})
	if err != nil || len(changed) != 5 {
		t.Fatalf("%v, %v", changed, err)
	}
	check := func(c *Config) {
		t.Helper()
		roles := c.Get().Roles
		p, chooser := roles["planner"], roles["tool_chooser"]
		if *p.Model != "qwen3:4b" || *p.Temperature != 0.3 || *p.Timeout != 90*time.Second || p.MaxTokens != nil || p.Retries != nil {
			t.Errorf("planner: %+v", p)
		}
		if *chooser.MaxTokens != 256 || *chooser.Retries != 0 || chooser.Model != nil {
			t.Errorf("tool_chooser: %+v", chooser)
		}
	}
	check(c)
	again, warnings := load(t, Options{File: c.path, DataDir: t.TempDir()})
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
	check(again)

	listed := 0
	for _, item := range again.View().Settings {
		if family, _, _, ok := splitKey(item.Key); ok && family == roleFamily {
			listed++
			if item.Title.KO == "" || item.Title.EN == "" || item.Default != nil || item.Source != SourceFile {
				t.Errorf("%+v", item)
			}
		}
	}
	if listed != 5 {
		t.Errorf("%d role settings are listed", listed)
	}
	if _, err := again.Set(map[string]any{"roles.planner.model": nil}); err != nil || again.Get().Roles["planner"].Model != nil {
		t.Errorf("the default does not come back: %v", err)
	}
}

func TestWrongRoleSettingsAreRefused(t *testing.T) {
	c := fresh(t)
	before := c.Get()
	for key, value := range map[string]any{
		"roles.baker.model": "x", "roles.planner.colour": "red", "roles.planner.temperature": 3, "roles.planner.max_tokens": -1,
		"roles.planner.timeout": 0.5, "roles.planner.retries": 11, "roles.planner.model": "two\nlines",
		"num_ctx": 100, "parallel": 0, "keep_alive": "1s", "embed_model": 7,
	} {
		if _, err := c.Set(map[string]any{key: value}); apperr.CodeOf(err) != apperr.InvalidSetting {
			t.Errorf("%s=%v: %v", key, value, err)
		}
	}
	if !reflect.DeepEqual(before, c.Get()) {
		t.Error("something was changed")
	}
}

func TestRolesComeFromTheEnvironment(t *testing.T) {
	c, warnings := load(t, Options{DataDir: t.TempDir(), Env: []string{"AGENTCHAT_ROLES__TOOL_CHOOSER__MAX_TOKENS=99", "AGENTCHAT_NUM_CTX=4096"}})
	if len(warnings) > 0 {
		t.Errorf("warnings: %v", warnings)
	}
	if got := c.Get().Roles["tool_chooser"].MaxTokens; got == nil || *got != 99 || c.Get().NumCtx != 4096 {
		t.Errorf("%v, %d", got, c.Get().NumCtx)
	}
}

func TestAKeyInTheEnvironmentIsNoSetting(t *testing.T) {
	c, warnings := load(t, Options{DataDir: t.TempDir(), Env: []string{EnvOpenAIKey + "=sk-secret"}})
	if text := fmt.Sprint(warnings, c.View()); len(warnings) > 0 || strings.Contains(text, "sk-secret") {
		t.Error(text)
	}
}

func TestKeepAlive(t *testing.T) {
	c := fresh(t)
	if c.Get().KeepAlive != 30*time.Minute {
		t.Errorf("default %s", c.Get().KeepAlive)
	}
	for raw, want := range map[any]string{"2h": "2h", "1h30m": "1h30m", "90": "1m30s", 60: "1m", "24h0m0s": "24h"} {
		if _, err := c.Set(map[string]any{KeyKeepAlive: raw}); err != nil {
			t.Errorf("%v: %v", raw, err)
		}
		if got := c.View().Values[KeyKeepAlive]; got != want {
			t.Errorf("%v became %v, want %s", raw, got, want)
		}
	}
}
