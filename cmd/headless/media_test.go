package main

import (
	"strings"
	"testing"

	"agentchat/backend/event"
)

// What plays is paused, turned and made quieter without a window.
func TestWhatPlaysIsControlled(t *testing.T) {
	s := start(t, t.TempDir())
	if a := s.do("media", map[string]any{"act": "pause"}); a.OK || a.Error.Code != "not_found" {
		t.Errorf("with nothing to pause: %+v", a)
	}
	song := s.wish("아리랑 틀어줘")
	s.await("the song", func(l line) bool { return l.Kind == event.KindMedia && strings.Contains(string(l.Data), song) })
	var now struct {
		Media event.Media `json:"media"`
	}
	s.must("media", map[string]any{"act": "pause", "device": "deck1"}, &now)
	if now.Media.JobID != song || !now.Media.Play.Paused {
		t.Errorf("%+v", now.Media)
	}
	s.must("media", map[string]any{"act": "volume", "level": 0}, &now)
	if play := now.Media.Play; play.Volume != 0 || !play.Muted {
		t.Errorf("%+v", play)
	}
	if a := s.do("media", map[string]any{"act": "dance"}); a.OK || a.Error.Code != "bad_command" {
		t.Errorf("%+v", a)
	}
	s.quit()
}
