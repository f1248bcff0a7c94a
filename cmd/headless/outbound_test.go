package main

import (
	"testing"

	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

// Offline, a search that is set up stays here: it fails with its own code, and the ledger says that it was kept back.
func TestOffline(t *testing.T) {
	s := start(t, t.TempDir())
	s.must("config", map[string]any{"set": map[string]any{"offline": true, "search.service": "searxng", "search.address": "http://192.0.2.77:8888"}}, nil)
	s.becomes(s.wish("인터넷에서 녹차 우리는 법 찾아줘"), "failed")
	var v struct {
		Entries []outbound.Entry
		State   shop.OutboundState
	}
	s.must("outbound", map[string]any{"filter": map[string]any{"room": "search"}}, &v)
	if len(v.Entries) != 1 || v.Entries[0].Outcome != outbound.OutcomeRefused || v.Entries[0].Host != "192.0.2.77:8888" || v.Entries[0].Words != "녹차 우리는 법" || v.Entries[0].Sent != 0 {
		t.Errorf("%+v", v.Entries)
	}
	if !v.State.Offline || v.State.Going != 0 || v.State.Last != 0 || len(v.State.Unseen) != 0 {
		t.Errorf("%+v", v.State)
	}
	s.quit()
}
