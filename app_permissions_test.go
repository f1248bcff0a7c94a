package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/config"
	"agentchat/backend/policy"
	"agentchat/backend/shop"
)

// The bound methods of the permissions page and the audit log do what the page needs.
func TestPermissionsOfTheWindow(t *testing.T) {
	dir := t.TempDir()
	s, err := shop.Open(t.Context(), shop.Options{Config: config.Options{DataDir: dir, Env: []string{
		"AGENTCHAT_PROVIDER=builtin", "AGENTCHAT_LANG=ko", "AGENTCHAT_PACE=10000",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	a := NewApp()
	a.window.open, a.window.ctx = s, t.Context()
	close(a.window.opened)
	if err := a.SetPolicyRules([]policy.Rule{{Tool: "movie", Decision: policy.Deny, Note: "no films"}}); err != nil {
		t.Fatal(err)
	}
	if err := a.SetPolicyRules([]policy.Rule{{Tool: "not a key!", Decision: policy.Deny}}); apperr.CodeOf(err) != apperr.InvalidSetting {
		t.Errorf("a rule that is wrong: %v", err)
	}
	if _, err := s.Config.Set(map[string]any{"tools.song.confirm": "first"}); err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		t.Helper()
		if _, err := a.Say("main", text, "", ""); err != nil {
			t.Fatal(err)
		}
		if err := s.WaitIdle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	say("노래 불러줘")
	snap, err := a.Snapshot()
	if err != nil || len(snap.Asks) != 1 {
		t.Fatalf("%+v, %v", snap.Asks, err)
	}
	if err := a.Answer(ask.Reply{Ask: snap.Asks[0].ID, Digest: snap.Asks[0].Digest, Choice: ask.ChoiceApprove, Scope: "chat"}); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	say("영화 틀어줘")

	p, err := a.Permissions()
	if err != nil || len(p.Grants) != 1 || p.Grants[0].Tool != "song" || len(p.Rules) != 1 || p.Rules[0].Note != "no films" || len(p.Denied) != 1 || p.Denied[0].Tool != "movie" {
		t.Fatalf("%+v, %v", p, err)
	}
	log, err := a.Audit(policy.Filter{}, 0, 10)
	if err != nil || len(log) != 2 || log[0].Outcome != policy.AuditDenied || log[1].Outcome != policy.AuditDone {
		t.Fatalf("%+v, %v", log, err)
	}
	if older, err := a.Audit(policy.Filter{}, log[0].N, 10); err != nil || len(older) != 1 || older[0].ID != log[1].ID {
		t.Errorf("before it: %+v, %v", older, err)
	}
	if err := errors.Join(a.RevokePermission(p.Grants[0].ID), s.WaitIdle(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := a.RevokePermission(p.Grants[0].ID); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("taken back twice: %v", err)
	}
	if p, err := a.Permissions(); err != nil || len(p.Grants) != 0 {
		t.Errorf("%+v, %v", p.Grants, err)
	}
	path := filepath.Join(dir, "audit.jsonl")
	if got, err := a.ExportAudit(path, "jsonl", "title"); err != nil || got != path {
		t.Fatalf("%q, %v", got, err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows := 0
	for dec := json.NewDecoder(f); dec.More(); rows++ {
		var e policy.Entry
		if err := dec.Decode(&e); err != nil || e.ID != log[rows].ID {
			t.Errorf("row %d: %+v, %v", rows, e, err)
		}
	}
	if rows != len(log) {
		t.Errorf("%d rows of %d", rows, len(log))
	}
	if _, err := a.ExportAudit(path, "xml", ""); apperr.CodeOf(err) != apperr.InvalidArgs {
		t.Errorf("a format nobody knows: %v", err)
	}
}
