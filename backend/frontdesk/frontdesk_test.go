package frontdesk_test

import (
	"context"
	"math"
	"testing"
	"time"

	"agentchat/backend/frontdesk"
	"agentchat/backend/language/act"
)

// tags is a room that says the same of every message.
type tags []string

func (t tags) Evidence(context.Context, frontdesk.Message) []string { return t }

func room(list ...string) frontdesk.Room { return tags(list) }

// What rooms say is weighed with the words, and kept by room; a desk without rooms reads by the words.
func TestRoomsAreHeard(t *testing.T) {
	m := frontdesk.Message{Text: "오스카가 주로 잡아먹는 물고기는?", Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	alone := frontdesk.Rooms(nil).Read(t.Context(), m)
	held := frontdesk.Rooms{room("mood:question"), room(), room("held:9")}.Read(t.Context(), m)
	if len(held.Evidence) != 3 || len(held.Evidence[0]) != 1 || len(held.Evidence[1]) != 0 {
		t.Errorf("the evidence by room is %v", held.Evidence)
	}
	if a, h := alone.Wants(act.DocumentAsk), held.Wants(act.DocumentAsk); h <= a {
		t.Errorf("a passage holds it, and it is asked of the documents with %.2f; %.2f without", h, a)
	}
	sum := held.Wants(act.Acts()...)
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("all acts together are wanted with %f", sum)
	}
}
