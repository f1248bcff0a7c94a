package shop

import (
	"context"
	"testing"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/standing"
)

// watchedLedger is a ledger of standing orders that says when a moment is about to be written down as missed.
type watchedLedger struct {
	standing.Store
	misses func()
}

func (w watchedLedger) MissStanding(context.Context, standing.Claim, *event.ChatMessage) (chat string, claimed bool, err error) {
	w.misses()
	return "main", true, nil
}

// Whoever finds a moment in the ledger that was noticed late finds the absence, too: it is known before the moment stands there.
func TestAnAbsenceIsKnownBeforeWhatWasMissed(t *testing.T) {
	s, err := Open(t.Context(), Options{Config: config.Options{DataDir: t.TempDir(), Env: []string{}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Present(true)
	due := time.Now().Add(time.Hour)
	looked := false
	ledger := noticing{watchedLedger{s.store, func() {
		looked = true
		if away, err := s.presence.Absences(t.Context(), false); err != nil || len(away) != 1 || !away[0].Since.Equal(due.Truncate(time.Microsecond)) {
			t.Errorf("as the moment is written down: %+v, %v", away, err)
		}
	}}, s.presence}
	if _, _, err := ledger.MissStanding(t.Context(), standing.Claim{Was: due, Due: due, At: due.Add(time.Hour)}, nil); err != nil || !looked {
		t.Errorf("%v, looked %t", err, looked)
	}
}
