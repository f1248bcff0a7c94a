package main

import (
	"testing"

	"agentchat/backend/bank"
	"agentchat/backend/event"
)

// The bank as the headless front shows it, over a restart.
func TestTheBankIsShown(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--lang", "ko")
	for _, text := range []string{"엄마한테 만원 보내줘", "확인"} {
		var said struct {
			Message event.ChatMessage `json:"message"`
		}
		s.must("say", map[string]any{"text": text}, &said)
		s.must("wait", map[string]any{"until": "idle"}, nil)
	}
	check := func(s *session) {
		t.Helper()
		var v bank.View
		s.must("bank", nil, &v)
		if len(v.Accounts) != 1 || v.Accounts[0].Balance != 990_000 || len(v.Statement) != 2 || v.Statement[0].Target != "엄마" || len(v.Payees) == 0 {
			t.Errorf("%+v", v)
		}
	}
	check(s)
	s.quit()
	s = start(t, dir)
	check(s)
	s.quit()
}
