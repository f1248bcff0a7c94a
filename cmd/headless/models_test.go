package main

import (
	"encoding/json"
	"slices"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/models"
	"agentchat/backend/testing/fakemodel"
)

// A download survives kill -9: what was under way goes on by itself, what was paused stays paused.
func TestADownloadSurvivesAKill(t *testing.T) {
	server, err := fakemodel.Start("-no-model")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	dir := t.TempDir()
	args := []string{"--provider", "ollama", "--ollama-host", server.Addr}
	pull := func(s *session, model, state string) event.ModelPull {
		t.Helper()
		var p event.ModelPull
		s.await(model+" "+state, func(l line) bool {
			p = event.ModelPull{}
			return l.Kind == event.KindModelPull && json.Unmarshal(l.Data, &p) == nil && p.Model == model && p.State == state
		})
		return p
	}
	view := func(s *session) (v models.View) {
		t.Helper()
		s.must("models", nil, &v)
		return v
	}

	s := start(t, dir, args...)
	if v := view(s); v.Trouble.Reason != "no_model" || v.Trouble.Action != models.ActionPull || len(v.Installed) != 0 {
		t.Errorf("%+v", v.Trouble)
	}
	for _, model := range []string{"waits:one", "stuck:two"} {
		s.must("pull", map[string]any{"model": model}, nil)
	}
	pull(s, "waits:one", "pulling")
	s.must("pause_pull", map[string]any{"model": "stuck:two"}, nil)
	pull(s, "stuck:two", "paused")
	if a := s.do("pull", map[string]any{"model": "../x y"}); a.Error.Code != "invalid_args" {
		t.Errorf("%+v", a)
	}
	if _, err := server.Await(t.Context(), "waits:one", "running"); err != nil {
		t.Fatal(err)
	}
	s.kill()
	if _, err := server.Await(t.Context(), "waits:one", "aborted"); err != nil {
		t.Fatal(err)
	}

	s = start(t, dir, args...)
	pull(s, "waits:one", "pulling")
	if err := server.Release(t.Context(), "waits:one"); err != nil {
		t.Fatal(err)
	}
	if p := pull(s, "waits:one", "done"); p.Percent != 100 || p.Error != nil {
		t.Errorf("%+v", p)
	}
	v := view(s)
	if len(v.Installed) != 1 || v.Trouble.Health != "ok" {
		t.Errorf("%+v, %+v", v.Trouble, v.Installed)
	}
	if !slices.ContainsFunc(v.Pulls, func(p event.ModelPull) bool { return p.Model == "stuck:two" && p.State == "paused" }) {
		t.Errorf("%+v", v.Pulls)
	}
	s.must("cancel_pull", map[string]any{"model": "stuck:two"}, nil)
	s.must("load_model", map[string]any{"model": "waits:one"}, nil)
	if v := view(s); !v.Installed[0].Loaded {
		t.Errorf("%+v", v.Installed)
	}
	s.must("unload_model", map[string]any{"model": "waits:one"}, nil)
	s.must("delete_model", map[string]any{"model": "waits:one"}, nil)
	if v := view(s); len(v.Installed) != 0 || len(v.Pulls) != 1 {
		t.Errorf("%+v, %+v", v.Installed, v.Pulls)
	}
	s.quit()
}
