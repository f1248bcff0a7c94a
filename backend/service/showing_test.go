package service_test

import (
	"encoding/json"
	"testing"

	"agentchat/backend/event"
	"agentchat/backend/service"
)

// What was shown last counts, whichever of events and snapshots comes later.
func TestWhatAFrontHasShown(t *testing.T) {
	turn := func(seq uint64, chat, stage, mark string) event.Envelope {
		meta := map[string]any{}
		if mark != "" {
			meta["view"] = service.View{Chat: chat, Mark: mark}
		}
		data, err := json.Marshal(event.TurnDone{State: event.TurnState{Stage: stage, Meta: meta}})
		if err != nil {
			t.Fatal(err)
		}
		return event.Envelope{Seq: seq, Kind: event.KindTurnDone, Chat: chat, Data: data}
	}
	var s service.Showing
	want := func(a, b string) {
		t.Helper()
		if s.Mark("a") != a || s.Mark("b") != b {
			t.Errorf("%q and %q, want %q and %q", s.Mark("a"), s.Mark("b"), a, b)
		}
	}
	want("", "")
	s.Told(turn(3, "a", "READY", "one"))
	s.Told(turn(4, "a", "", "")) // talk
	want("one", "")
	s.All([]service.View{{Chat: "b", Mark: "under"}, {Chat: "b", Mark: "top"}}, 5)
	want("", "top")
	s.Told(turn(4, "a", "READY", "one")) // late
	want("", "top")
	s.Told(turn(7, "b", "EXECUTED", ""))
	s.All([]service.View{{Chat: "a", Mark: "two"}, {Chat: "b", Mark: "top"}}, 6)
	want("two", "")
}
