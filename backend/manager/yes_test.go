package manager_test

import (
	"context"
	"testing"
	"testing/synctest"

	"agentchat/backend/event"
	"agentchat/backend/service"
)

// sees says something while this is what the front shows to confirm.
func (h *house) sees(chat, text, seen string) event.TurnDone {
	h.T.Helper()
	msg, err := h.OnUserInput(context.Background(), chat, text, "", seen)
	if err != nil {
		h.T.Fatal(err)
	}
	h.Settle()
	return h.turn(msg.ID)
}

// A typed yes counts for what the window showed, not for what the shop asks by now.
func TestATypedYesCountsForWhatWasShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStall(t)
		s.say("main", twoFor)
		first := s.onShow("main")
		for _, seen := range []string{"", "another"} {
			if d := s.sees("main", "네", seen); d.NextAction != event.NextConfirm || d.State.Stage != string(service.Ready) {
				t.Errorf("a yes to %q: %+v", seen, d)
			}
		}
		s.wantMoved()
		s.sees("main", "네", first)
		s.wantMoved(toMom)
		if d := s.sees("main", "네", first); d.NextAction != event.NextConfirm { // meant the first, came when the second stood there
			t.Errorf("%+v", d)
		}
		s.wantMoved(toMom)

		s.reopen() // nothing has been drawn yet
		if d := s.sees("main", "네", ""); d.NextAction != event.NextConfirm {
			t.Errorf("after a restart: %+v", d)
		}
		s.wantMoved(toMom)
		s.sees("main", "네", s.onShow("main"))
		s.wantMoved(toMom, toYong)
	})
}
